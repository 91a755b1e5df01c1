import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/lossless_json';
import { SeenProperties } from './seen_properties';

describe('properties that were seen', () => {
  it('are paths that a query can write', () => {
    const seen = new SeenProperties();
    seen.add(
      parseJson('{"user":"a","address":{"city":{"name":{"deep":1}}},"not a name":1,"1x":2,"__proto__":{"x":1}}'),
    );
    expect(seen.list()).toEqual([
      '__proto__',
      '__proto__.x',
      '_etag',
      '_rid',
      '_ts',
      'address',
      'address.city',
      'address.city.name',
      'id',
      'ttl',
      'user',
    ]);
    seen.add(parseJson('[1]'));
  });

  it('are bounded', () => {
    const seen = new SeenProperties();
    seen.add(new Map(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, at])));
    expect(seen.list().length).toBe(500);
  });
});
