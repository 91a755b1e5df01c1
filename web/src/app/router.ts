// Where the page is: kept behind #, since the server knows no other path than that of the page itself.
import { useSyncExternalStore } from 'react';

export type ContainerTab = 'items' | 'query' | 'lifetime' | 'settings';
const kTabs: readonly string[] = ['items', 'query', 'lifetime', 'settings'];

export type Route =
  | { page: 'overview' }
  | { page: 'database'; database: string }
  | { page: 'container'; database: string; container: string; tab: ContainerTab };

export function routeOf(hash: string): Route {
  const parts = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  const [, database, , container, tab] = parts;
  if (parts[0] !== 'dbs' || !database) return { page: 'overview' };
  if (parts[2] !== 'colls' || !container) return { page: 'database', database };
  return { page: 'container', database, container, tab: kTabs.includes(tab ?? '') ? (tab as ContainerTab) : 'items' };
}

export function hashOf(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '#/';
    case 'database':
      return `#/dbs/${encodeURIComponent(route.database)}`;
    case 'container':
      return `#/dbs/${encodeURIComponent(route.database)}/colls/${encodeURIComponent(route.container)}/${route.tab}`;
  }
}

// For the tab of the browser.
export function titleOf(route: Route): string {
  const place =
    route.page === 'overview'
      ? 'Overview'
      : route.page === 'database'
        ? route.database
        : `${route.container}, ${route.database}`;
  return `${place.slice(0, 100)} - Lapse`;
}

export function goTo(route: Route): void {
  location.hash = hashOf(route);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash,
  );
  return routeOf(hash);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
