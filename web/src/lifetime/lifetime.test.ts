import { describe, expect, it } from 'vitest';
import { parseObject } from '../json/lossless_json';
import { isExpired, lifetimeOf, lifetimeOfItem } from './lifetime';

describe('lifetimes', () => {
  it('follows the table of the documentation', () => {
    const rows: [number | null, number | undefined, string, number | null][] = [
      [null, undefined, 'never', null],
      [null, 60, 'never', null],
      [-1, undefined, 'inherits', null],
      [-1, -1, 'never', null],
      [-1, 60, 'own', 1060],
      [3600, undefined, 'inherits', 4600],
      [3600, -1, 'never', null],
      [3600, 60, 'own', 1060],
    ];
    for (const [defaultTtl, own, kind, deadline] of rows) {
      const lifetime = lifetimeOf(1000, own, defaultTtl);
      expect([lifetime.kind, lifetime.deadline]).toEqual([kind, deadline]);
    }
  });

  it('reads an item', () => {
    expect(lifetimeOfItem(parseObject('{"id":"a","ttl":5.0,"_ts":10}'), -1).deadline).toBe(15);
  });

  it('ends at the very second', () => {
    const lifetime = lifetimeOf(1000, 60, -1);
    expect(isExpired(lifetime, 1059)).toBe(false);
    expect(isExpired(lifetime, 1060)).toBe(true);
    expect(isExpired(lifetimeOf(1000, undefined, null), 1e12)).toBe(false);
  });
});
