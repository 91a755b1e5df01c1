import { describe, expect, it } from 'vitest';
import { parseObject } from '../json/lossless_json';
import { duplicateText, editableText, newItemText } from './item_text';

describe('the text of an item', () => {
  it('leaves out what the server sets, and nothing else', () => {
    const item = parseObject(
      '{"id":"a","n":9007199254740993,"_custom":1,"_ts":5,"_etag":"e","_rid":"r","_self":"s","_attachments":"a"}',
    );
    expect(editableText(item)).toBe('{\n  "id": "a",\n  "n": 9007199254740993,\n  "_custom": 1\n}');
  });

  it('gives a duplicate another id', () => {
    expect(duplicateText(parseObject('{"id":"a","_etag":"e"}'))).toBe('{\n  "id": "a-copy"\n}');
  });

  it('begins with the partition key', () => {
    expect(newItemText([['address', 'city'], ['address', 'zip'], ['id']], 'x')).toBe(
      '{\n  "id": "x",\n  "address": {\n    "city": "",\n    "zip": ""\n  }\n}',
    );
  });
});
