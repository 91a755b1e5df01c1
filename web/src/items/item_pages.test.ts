import { describe, expect, it, vi } from 'vitest';
import { ItemPages } from './item_pages';

// A feed of the numbers below `total`, in pages of ten, the first one of two.
function feed(total: number) {
  return vi.fn(async (continuation: string | null, isFirst: boolean) => {
    const from = Number(continuation ?? 0);
    const to = Math.min(total, from + (isFirst ? 2 : 10));
    return {
      rows: Array.from({ length: to - from }, (_, at) => from + at),
      continuation: to < total ? String(to) : null,
    };
  });
}

async function filled(total: number, inMemory = 40) {
  const load = feed(total);
  const pages = new ItemPages<number>(load, () => {}, same, inMemory);
  while (!pages.ended) await pages.loadMore();
  return { load, pages };
}

const same = (row: number) => row;
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('pages of items', () => {
  it('come one after another, each once', async () => {
    const { load, pages } = await filled(25);
    expect(pages.count).toBe(25);
    expect(Array.from({ length: 25 }, (_, at) => pages.row(at))).toEqual(Array.from({ length: 25 }, (_, at) => at));
    expect(load).toHaveBeenCalledTimes(4);
    await pages.loadMore();
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('are not asked for twice at once', async () => {
    const load = feed(5);
    const pages = new ItemPages<number>(load, () => {}, same);
    await Promise.all([pages.loadMore(), pages.loadMore()]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('keep few rows in memory and read the others again', async () => {
    const { load, pages } = await filled(1002, 5);
    expect(pages.count).toBe(1002);
    expect(pages.rowsInMemory).toBe(50);
    const asked = load.mock.calls.length;
    expect(pages.row(7)).toBeUndefined();
    expect(pages.row(7)).toBeUndefined();
    await settled();
    expect(pages.row(7)).toBe(7);
    expect(load).toHaveBeenCalledTimes(asked + 1);
    expect(pages.rowsInMemory).toBeLessThanOrEqual(50);
  });

  it('lose rows without losing places', async () => {
    const { pages } = await filled(25);
    expect(pages.remove((row) => row === 3 || row === 20)).toBe(true);
    expect(pages.remove((row) => row === 3)).toBe(false);
    expect(pages.count).toBe(23);
    expect(pages.row(3)).toBe(4);
    expect(pages.row(22)).toBe(24);
    expect(pages.row(23)).toBeUndefined();
  });

  it('have no row twice when one is read again after others have gone', async () => {
    let numbers = Array.from({ length: 40 }, (_, at) => at);
    // Continuations are places: behind this number.
    const load = async (continuation: string | null) => {
      const rows = numbers.filter((one) => one > Number(continuation ?? -1)).slice(0, 10);
      return { rows, continuation: rows.length < 10 ? null : String(rows[9]) };
    };
    const pages = new ItemPages<number>(load, () => {}, same, 2);
    while (!pages.ended) await pages.loadMore();
    numbers = numbers.filter((one) => one < 10 || one > 15);
    expect(pages.row(12)).toBeUndefined();
    await settled();
    const shown = Array.from({ length: pages.count }, (_, at) => pages.row(at)).filter((row) => row !== undefined);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown).toContain(16);
  });

  it('go on behind a page without rows', async () => {
    const answers = [
      { rows: [], continuation: 'a' },
      { rows: [1], continuation: null },
    ];
    const pages = new ItemPages<number>(
      async () => answers.shift()!,
      () => {},
      same,
    );
    await pages.loadMore();
    expect([pages.count, pages.ended]).toEqual([0, false]);
    await pages.loadMore();
    expect([pages.count, pages.ended]).toEqual([1, true]);
  });

  it('stop at the longest list', async () => {
    const pages = new ItemPages<number>(feed(100), () => {}, same, 40, 22);
    for (let turn = 0; turn < 10; turn += 1) await pages.loadMore();
    expect(pages.full).toBe(true);
    expect(pages.count).toBe(22);
  });

  it('that cannot be read again are tried from time to time', async () => {
    const load = feed(1002);
    let isLookedAt = false;
    const pages: ItemPages<number> = new ItemPages<number>(load, () => void (isLookedAt && pages.row(7)), same, 5);
    while (!pages.ended) await pages.loadMore();
    vi.useFakeTimers();
    load.mockRejectedValue(new Error('away'));
    load.mockClear();
    isLookedAt = true;
    expect(pages.row(7)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(load.mock.calls.length).toBeGreaterThan(2);
    expect(load.mock.calls.length).toBeLessThan(8);
    vi.useRealTimers();
  });

  it('can be tried again after an error', async () => {
    const load = feed(5);
    load.mockRejectedValueOnce(new Error('away'));
    const pages = new ItemPages<number>(load, () => {}, same);
    await expect(pages.loadMore()).rejects.toThrow('away');
    await pages.loadMore();
    expect(pages.count).toBe(2);
  });
});
