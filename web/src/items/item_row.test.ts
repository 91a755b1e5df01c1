import { describe, expect, it } from 'vitest';
import { parseObject } from '../json/lossless_json';
import { rowOf } from './item_row';

describe('a row of the list', () => {
  it('has what the list shows', () => {
    const item = parseObject(
      '{"id":"a","user":"ada","n":9007199254740993,"ttl":60,"_rid":"r1","_ts":1000,"_etag":"e"}',
    );
    expect(rowOf(item, ['/user'])).toEqual({
      id: 'a',
      rid: 'r1',
      keyText: 'ada',
      key: '["ada"]',
      lastWrite: 1000,
      ownTtl: 60,
      preview: 'user: "ada", n: 9007199254740993',
    });
  });

  it('is short, whatever the item', () => {
    const row = rowOf(parseObject(`{"id":"a","pk":"${'k'.repeat(2000)}","big":"${'x'.repeat(1_000_000)}","_ts":1}`), [
      '/pk',
    ]);
    expect(row.preview.length).toBeLessThan(210);
    expect(row.keyText.length).toBeLessThan(210);
    expect(row.key.length).toBe(2004);
  });

  it('is text, also for hostile names', () => {
    const row = rowOf(parseObject('{"id":"<img src=x onerror=alert(1)>","__proto__":{"a":1},"_ts":1}'), ['/__proto__']);
    expect(row.id).toBe('<img src=x onerror=alert(1)>');
    expect(row.preview).toBe('__proto__: {"a":1}');
  });
});
