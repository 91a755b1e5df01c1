import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../json/lossless_json';
import { ExportTooLarge, exportResults } from './export_results';

function pages(...texts: string[]) {
  return async (continuation: string | null) => {
    const at = Number(continuation ?? 0);
    return { values: parseJson(texts[at]!) as Json[], continuation: at + 1 < texts.length ? String(at + 1) : null };
  };
}

describe('exports', () => {
  it('writes JSON with every number as it was', async () => {
    const seen: number[] = [];
    const parts = await exportResults('json', pages('[{"n":9007199254740993}]', '[]', '[1.0]'), (count) =>
      seen.push(count),
    );
    expect(parts.join('')).toBe('[\n{"n":9007199254740993},\n1.0\n]\n');
    expect(seen).toEqual([1, 1, 2]);
  });

  it('writes CSV whose rows have all columns', async () => {
    const parts = await exportResults('csv', pages('[{"a":1}]', '[{"b":"x,y","a":2},{"c":null}]'), () => {});
    expect(parts.join('')).toBe('a,b,c\r\n1,,\r\n2,"x,y",\r\n,,null\r\n');
  });

  it('stops at what a tab can hold', async () => {
    await expect(exportResults('json', pages('["0123456789"]'), () => {}, 10)).rejects.toThrow(ExportTooLarge);
  });

  it('ends with the error of a page', async () => {
    await expect(
      exportResults(
        'csv',
        async () => Promise.reject(new Error('cancelled')),
        () => {},
      ),
    ).rejects.toThrow('cancelled');
  });
});
