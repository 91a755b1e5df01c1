import { describe, expect, it } from 'vitest';
import { ExactNumber, JsonError, isObject, parseJson, parseObject, printJson } from './lossless_json';

const unchanged = (text: string) => expect(printJson(parseJson(text))).toBe(text);

describe('lossless JSON', () => {
  it('gives back every number as it was', () => {
    for (const number of [
      '0',
      '-0',
      '1',
      '-1.5',
      '1.0',
      '1e5',
      '1E+2',
      '9007199254740991',
      '9007199254740993',
      '-9223372036854775808',
      '0.1',
      '1e-7',
      '1e400',
      '123456789012345678901234567890',
    ])
      unchanged(`[${number}]`);
    expect(parseJson('9007199254740991')).toBe(9007199254740991);
    expect(parseJson('9007199254740993')).toEqual(new ExactNumber('9007199254740993'));
  });

  it('keeps names, their order and __proto__', () => {
    unchanged('{"b":1,"10":2,"2":3,"__proto__":{"x":1},"constructor":4,"":5}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('reads strings with every escape', () => {
    expect(parseJson('"a\\n\\t\\"\\\\\\/\\b\\f\\r\\u00e9\\ud83d\\ude00"')).toBe('a\n\t"\\/\b\f\ré😀');
    unchanged('"\\u0000 \\ud800 <script> עברית"');
  });

  it('prints with an indent', () => {
    expect(printJson(parseJson('{"a":[1,{"b":null}],"c":{},"d":[]}'), 2)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('says where a mistake is', () => {
    const mistakes: [string, number][] = [
      ['', 0],
      ['{"a":1,}', 7],
      ['{"a" 1}', 5],
      ['[1 2]', 3],
      ['{"a":1,"a":2}', 7],
      ['"abc', 0],
      ['"a\nb"', 2],
      ['"\\x"', 1],
      ['"\\u12g4"', 1],
      ['tru', 0],
      ['01', 1],
      ['1 x', 2],
      ["{'a':1}", 1],
      ['NaN', 0],
    ];
    for (const [text, position] of mistakes) {
      let error: unknown;
      try {
        parseJson(text);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, text).toBeInstanceOf(JsonError);
      expect((error as JsonError).position, text).toBe(position);
    }
  });

  it('takes the nesting that the server takes, and refuses what would exhaust the stack', () => {
    unchanged('['.repeat(200) + ']'.repeat(200));
    expect(() => parseJson('['.repeat(100_000))).toThrow(JsonError);
  });

  it('asks for an object where one is needed', () => {
    expect(isObject(parseObject('{}'))).toBe(true);
    expect(() => parseObject('[]')).toThrow(JsonError);
  });
});
