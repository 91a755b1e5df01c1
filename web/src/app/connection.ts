// Whether the server answers. Every request tells; nothing else asks for it.
export class Connection {
  lost = false;
  reconnects = 0;
  private listeners = new Set<() => void>();

  report = (answered: boolean): void => {
    if (answered === !this.lost) return;
    this.lost = !answered;
    if (answered) this.reconnects += 1;
    for (const listener of this.listeners) listener();
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
