// The last queries of this tab, newest first. Queries may hold data: they go with the tab.
const kStored = 'lapse.queries';
const kKept = 30;

export function readHistory(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(kStored) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((query): query is string => typeof query === 'string').slice(0, kKept)
      : [];
  } catch {
    return [];
  }
}

export function withQuery(history: readonly string[], query: string): string[] {
  return [query, ...history.filter((old) => old !== query)].slice(0, kKept);
}

export function keepHistory(history: readonly string[]): void {
  try {
    sessionStorage.setItem(kStored, JSON.stringify(history));
  } catch {
    // The browser's room is full: the history then ends with the page.
  }
}
