// Something has happened, and whoever listens looks again.
export class Notice {
  private listeners = new Set<() => void>();

  tell = (): void => {
    for (const listener of this.listeners) listener();
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
