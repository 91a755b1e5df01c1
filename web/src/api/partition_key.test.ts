import { describe, expect, it } from 'vitest';
import { parseObject } from '../json/lossless_json';
import { partitionKeyHeader, partitionKeyOf, partitionKeyText, pathNames } from './partition_key';

describe('partition keys', () => {
  it('splits paths', () => {
    expect(pathNames('/user')).toEqual(['user']);
    expect(pathNames('/address/city')).toEqual(['address', 'city']);
    expect(pathNames('/"a/b"/"say \\"x\\""')).toEqual(['a/b', 'say "x"']);
  });

  it('takes values from items as they are', () => {
    const item = parseObject('{"t":"é😀","n":9007199254740993,"a":{"b":null},"list":[1]}');
    const values = partitionKeyOf(item, ['/t', '/n', '/a/b', '/missing', '/list']);
    expect(partitionKeyHeader(values)).toBe('["\\u00e9\\ud83d\\ude00",9007199254740993,null,{},{}]');
    expect(partitionKeyText(values)).toBe('é😀 / 9007199254740993 / null / (none) / (none)');
  });

  it('is not misled by names of JavaScript', () => {
    expect(partitionKeyHeader(partitionKeyOf(parseObject('{"__proto__":"p"}'), ['/__proto__', '/constructor']))).toBe(
      '["p",{}]',
    );
  });
});
