// Store time as the page knows it: what the server said last, carried on by the browser's steady clock.
//
// An item is taken off a list only when the server itself has shown a time at or past its deadline (`shownMs`): an
// estimate may be ahead, when somebody has frozen the clock meanwhile.

export class ServerTime {
  private shown = 0;
  private shownAt = 0;
  private standsStill = false;
  private listeners = new Set<() => void>();

  constructor(private readonly steadyNow: () => number = () => performance.now()) {}

  // `sentAt` is when the request went out. The answer was made somewhere between then and now: the middle is taken.
  observe(nowMs: number, frozen: boolean, sentAt: number): void {
    const receivedAt = this.steadyNow();
    this.shown = nowMs;
    this.shownAt = (Math.max(sentAt, 0) + receivedAt) / 2;
    this.standsStill = frozen;
    for (const listener of this.listeners) listener();
  }

  get known(): boolean {
    return this.shown > 0;
  }

  get frozen(): boolean {
    return this.standsStill;
  }

  // What the server has shown.
  get shownMs(): number {
    return this.shown;
  }

  // What it probably shows now.
  get estimateMs(): number {
    if (this.standsStill || !this.known) return this.shown;
    return this.shown + Math.max(0, this.steadyNow() - this.shownAt);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
