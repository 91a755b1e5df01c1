// From where an element is scrolled to, to the place in a list that is higher than any element can be.
//
// Browsers draw elements of some 16 million pixels at most, which a list of millions of rows exceeds. The element then
// is `heightMax` high, and an offset says how far the list is ahead of it: place = scrollTop + offset. Small moves (a
// wheel, a key, a finger) keep the offset, so that rows move by as many pixels as were asked for. A leap, as by the
// bar, is taken as a share of the whole. Near an end of the element that is no end of the list, the element is moved
// away from it under the rows, which stay where they are seen.

const kHeightMax = 8_000_000;
// A leap is more than this share of the element: less than a pixel of a bar that is 2,000 pixels long, and more than a
// hand can make a wheel go within a frame.
const kLeap = 1 / 2_000;
// So near to an end of the element it is moved, and so far from it, where the list goes on for as long.
const kNear = 20_000;
const kAway = 200_000;

export class ScrollMap {
  private total = 0;
  private view = 0;
  private scrollTop = 0;
  private offset = 0;

  constructor(
    private readonly heightMax = kHeightMax,
    private readonly near = kNear,
    private readonly away = kAway,
  ) {}

  // How high the element has to be.
  get height(): number {
    return Math.min(this.total, this.heightMax);
  }

  // The place in the list that is at the upper edge.
  get place(): number {
    return this.scrollTop + this.offset;
  }

  // Where in the element a place of the list is.
  inElement(place: number): number {
    return place - this.offset;
  }

  // The list or what is seen of it has another height. Gives by how much the element has to be scrolled on: it may have
  // been scrolled since it was looked at.
  resize(total: number, view: number): number {
    if (total === this.total && view === this.view) return 0;
    this.total = total;
    this.view = view;
    const before = this.scrollTop;
    return this.settle(this.place, before) - before;
  }

  // The element was scrolled. Gives where it has to be scrolled to instead: the same, but for a place near to an end.
  // Below the list there may be more in the element that scrolls.
  scrolled(scrollTop: number): number {
    if (this.total <= this.height) {
      this.scrollTop = scrollTop;
      this.offset = 0;
      return scrollTop;
    }
    const inList = Math.min(scrollTop, this.elementEnd);
    const isLeap = Math.abs(inList - this.scrollTop) > this.height * kLeap;
    const place = isLeap ? Math.round((inList / this.elementEnd) * this.listEnd) : inList + this.offset;
    const settled = this.settle(place, inList);
    return settled === inList ? scrollTop : settled;
  }

  // Brings a place of the list to the upper edge. Gives where the element has to be scrolled to.
  goTo(place: number): number {
    return this.settle(place, place - this.offset);
  }

  private get listEnd(): number {
    return Math.max(0, this.total - this.view);
  }

  private get elementEnd(): number {
    return Math.max(0, this.height - this.view);
  }

  // Takes a place and where the element would be scrolled to for it, if that leaves room on both sides.
  private settle(wanted: number, scrollTop: number): number {
    const place = Math.max(0, Math.min(this.listEnd, wanted));
    const before = Math.min(place, this.near);
    const behind = Math.min(this.listEnd - place, this.near);
    const fits = scrollTop >= before && this.elementEnd - scrollTop >= behind;
    this.scrollTop = fits && this.isWithin(place - scrollTop) ? scrollTop : this.fresh(place);
    this.offset = place - this.scrollTop;
    return this.scrollTop;
  }

  // No row may lie outside of the element.
  private isWithin(offset: number): boolean {
    return offset >= 0 && offset <= this.total - this.height;
  }

  // By its share of the list, away from the ends.
  private fresh(place: number): number {
    if (this.total <= this.height) return place;
    const share = Math.round((place / this.listEnd) * this.elementEnd);
    const behind = Math.min(this.listEnd - place, this.away);
    return Math.min(Math.max(share, Math.min(place, this.away)), this.elementEnd - behind);
  }
}
