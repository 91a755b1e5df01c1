// What the server must hold, as far as its answers and its silence allow to say.
import { isWhole } from './document.mjs';

// The moment a version expires under a policy, in seconds; undefined as the policy means that TTL is off.
function deadline({ ts, ttl }, defaultTtl) {
  if (defaultTtl === undefined) return Infinity;
  const life = ttl ?? defaultTtl;
  return life === -1 ? Infinity : ts + life;
}

// The policies a container has had. A version is dead for ever once its deadline passed under any of them while that
// one was in force. It is enough to know until when each was last in force: the deadline of a version lies after its
// `_ts`, so whoever's deadline is reached by then existed then.
export class PolicyHistory {
  lastInForce = new Map();

  constructor(defaultTtl, now) {
    this.now = now;
    this.change(defaultTtl);
  }

  change(defaultTtl) {
    this.defaultTtl = defaultTtl;
    this.lastInForce.set(defaultTtl, this.now);
  }

  moveTimeTo(now) {
    this.now = now;
    this.lastInForce.set(this.defaultTtl, now);
  }

  hasKilled(version) {
    return [...this.lastInForce].some(([defaultTtl, until]) => deadline(version, defaultTtl) <= until);
  }
}

// One id: the version that the server last spoke of, and the writes it has not answered since.
//
// Every method that can find fault returns what is wrong, or undefined.
export class Item {
  version = null; // {n, ts, ttl, etag}
  unanswered = []; // {kind, n, ttl, earliest}: earliest is the least `_ts` it can have got
  gone = new Set(); // etags of versions that were written over, deleted, or seen to have expired
  lastN = 0;

  constructor(container, pk, id) {
    this.container = container;
    this.pk = pk;
    this.id = id;
  }

  get name() {
    return `${this.container.id}/${this.pk}/${this.id}`;
  }

  // False is certain: what has expired, or is not there, stays so. True may end at any moment while time moves.
  isLive() {
    return this.version !== null && !this.container.history.hasKilled(this.version);
  }

  send(kind, ttl, earliest) {
    this.lastN += 1;
    const write = { kind, n: this.lastN, ttl, earliest };
    this.unanswered.push(write);
    return write;
  }

  refused(write) {
    this.unanswered = this.unanswered.filter((other) => other !== write);
  }

  deleted() {
    this.retire();
    this.unanswered = [];
  }

  written(write, document) {
    const wrong = this.faultOf(document) ?? (document.n === write.n ? undefined : this.say('another write', document));
    this.retire();
    this.adopt(document);
    return wrong ?? this.faultOfTime(document, write.earliest);
  }

  // The answer was 404, at a time that the container's history knows.
  missing() {
    const mayBeGone =
      !this.isLive() ||
      this.unanswered.some((write) => {
        return write.kind === 'delete' || this.container.history.hasKilled({ ts: write.earliest, ttl: write.ttl });
      });
    const wrong = mayBeGone ? undefined : this.say('an acknowledged write is missing');
    this.deleted();
    return wrong;
  }

  // The answer was this document, at a time that the container's history knows or at an earlier one.
  found(document, { atKnownTime = true } = {}) {
    const wrong = this.faultOf(document) ?? this.faultOfVersion(document, atKnownTime);
    if (this.version?.etag !== document._etag) this.retire();
    this.adopt(document);
    return wrong;
  }

  faultOf(document) {
    if (!isWhole(document) || document.pk !== this.pk || document.id !== this.id) return this.say('torn', document);
    if (this.gone.has(document._etag)) return this.say('a version came back', document);
    return undefined;
  }

  faultOfVersion(document, atKnownTime) {
    if (atKnownTime && this.container.history.hasKilled({ ts: document._ts, ttl: document.ttl })) {
      return this.say('an expired item is there', document);
    }
    if (this.version?.etag === document._etag) {
      const same = this.version.n === document.n && this.version.ts === document._ts;
      return same ? undefined : this.say('an etag has two meanings', document);
    }
    const write = this.unanswered.find((one) => one.kind !== 'delete' && one.n === document.n);
    if (!write) return this.say('neither the acknowledged write nor a later one', document);
    return this.faultOfTime(document, write.earliest);
  }

  faultOfTime(document, earliest) {
    return document._ts < earliest ? this.say(`_ts before ${earliest}: time went back`, document) : undefined;
  }

  adopt({ n, _ts, ttl, _etag }) {
    this.version = { n, ts: _ts, ttl, etag: _etag };
    this.unanswered = [];
  }

  retire() {
    if (this.version) this.gone.add(this.version.etag);
    this.version = null;
  }

  say(what, document) {
    const seen = document ? ` seen ${JSON.stringify({ ...document, filler: document.filler?.length })}` : '';
    const { version, unanswered } = this;
    return `${this.name}: ${what};${seen} known ${JSON.stringify({ version, unanswered, ttls: this.policies() })}`;
  }

  policies() {
    return [...this.container.history.lastInForce].map(([defaultTtl, until]) => [defaultTtl ?? 'off', until]);
  }
}

// A container, its items, and the change of policy that was not answered, if any.
export class Container {
  unansweredChange = null; // {defaultTtl}
  unansweredDeletion = null; // the items of a partition key that was being deleted

  constructor({ id, defaultTtl, throughput, deletesKeys = false }, now) {
    this.id = id;
    this.deletesKeys = deletesKeys;
    this.throughput = throughput;
    this.history = new PolicyHistory(defaultTtl, now);
    this.items = [];
  }

  addItem(pk, id) {
    this.items.push(new Item(this, pk, id));
  }

  itemsOfKey(pk) {
    return this.items.filter((item) => item.pk === pk);
  }

  // To be called when the items of a deletion that was not answered are about to be read after a restart, and the
  // result when they were: either all that lived are gone, or all are there.
  expectAllOrNothing() {
    const lived = (this.unansweredDeletion ?? []).filter((item) => item.isLive());
    this.unansweredDeletion = null;
    return () => {
      const left = lived.filter((item) => item.version !== null).length;
      if (left === 0 || left === lived.length) return undefined;
      return `${this.id}/${lived[0].pk}: ${left} of ${lived.length} items are left of a partition key that was deleted`;
    };
  }

  // The policy as read back after a restart.
  learnPolicy(defaultTtl) {
    const change = this.unansweredChange;
    this.unansweredChange = null;
    if (defaultTtl === this.history.defaultTtl) return undefined;
    const expected = change && change.defaultTtl === defaultTtl;
    const before = this.history.defaultTtl;
    this.history.change(defaultTtl);
    return expected ? undefined : `${this.id}: defaultTtl is ${defaultTtl}, and was acknowledged as ${before}`;
  }
}

// Store time, which the tests keep frozen except where they say so.
export class Time {
  frozen = true;
  unansweredAdvance = 0; // seconds

  constructor(now) {
    this.now = now;
  }

  resume() {
    this.frozen = false;
  }

  freezeAt(now) {
    const wrong = this.learn({ now, frozen: false });
    this.frozen = true;
    return wrong;
  }

  // A commit of this second was acknowledged: a clock that ticks is there by now.
  saw(second) {
    if (!this.frozen) this.now = Math.max(this.now, second);
  }

  // Time as the server says it is.
  learn({ now, frozen }) {
    const { now: before, unansweredAdvance } = this;
    this.unansweredAdvance = 0;
    this.now = now;
    if (frozen !== this.frozen) return `the clock is ${frozen ? '' : 'not '}frozen`;
    if (now < before) return `the clock went back from ${before} to ${now}`;
    if (frozen && now !== before && now !== before + unansweredAdvance) {
      return `the frozen clock moved from ${before} to ${now}; advances not answered: ${unansweredAdvance} s`;
    }
    return undefined;
  }
}
