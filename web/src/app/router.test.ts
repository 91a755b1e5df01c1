import { describe, expect, it } from 'vitest';
import { type Route, hashOf, routeOf, titleOf } from './router';

describe('routes', () => {
  it('come back from their own text, whatever the names', () => {
    const routes: Route[] = [
      { page: 'overview' },
      { page: 'database', database: 'a b%/é' },
      { page: 'container', database: '__proto__', container: '<img src=x>', tab: 'query' },
    ];
    for (const route of routes) expect(routeOf(hashOf(route))).toEqual(route);
  });

  it('have a title', () => {
    expect(titleOf(routeOf('#/dbs/app/colls/sessions/items'))).toBe('sessions, app - Lapse');
    expect(titleOf(routeOf(''))).toBe('Overview - Lapse');
  });

  it('are the overview, or the items, when the text says nothing else', () => {
    expect(routeOf('')).toEqual({ page: 'overview' });
    expect(routeOf('#/nonsense/%')).toEqual({ page: 'overview' });
    expect(routeOf('#/dbs/d/colls/c/other')).toEqual({
      page: 'container',
      database: 'd',
      container: 'c',
      tab: 'items',
    });
  });
});
