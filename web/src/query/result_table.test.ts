import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/lossless_json';
import { Columns, cellOf, cellText, csvField } from './result_table';

describe('results as a table', () => {
  it('has the names of all results', () => {
    const columns = new Columns();
    for (const text of ['{"a":1,"b":2}', '{"c":3,"a":4,"__proto__":5}', '7']) columns.add(parseJson(text));
    expect(columns.names).toEqual(['a', 'b', 'c', '__proto__', 'value']);
  });

  it('finds cells', () => {
    expect(cellOf(parseJson('{"a":9007199254740993}'), 'a')).toBeDefined();
    expect(cellText(cellOf(parseJson('{"a":9007199254740993}'), 'a'))).toBe('9007199254740993');
    expect(cellText(cellOf(parseJson('{"a":[1,{"b":null}]}'), 'a'))).toBe('[1,{"b":null}]');
    expect(cellText(cellOf(parseJson('{}'), 'constructor'))).toBe('');
    expect(cellText(cellOf('text', 'value'))).toBe('text');
  });

  it('writes CSV that spreadsheets read as text', () => {
    expect(csvField('plain')).toBe('plain');
    expect(csvField('a,"b"\nc')).toBe('"a,""b""\nc"');
    expect(csvField('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
    expect(csvField(-5)).toBe('-5');
    expect(csvField(undefined)).toBe('');
    expect(csvField(null)).toBe('null');
  });
});
