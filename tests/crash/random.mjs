// Numbers that look random and that a seed decides.
export class Random {
  constructor(seed) {
    // Small seeds differ in few bits; a multiplication spreads them. Zero would stay zero for ever.
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    for (let i = 0; i < 4; i += 1) this.below(2);
  }

  // A whole number from 0 up to and without `limit`.
  below(limit) {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  between(least, most) {
    return least + this.below(most - least + 1);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  oneIn(count) {
    return this.below(count) === 0;
  }
}
