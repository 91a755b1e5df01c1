import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExpiredRows } from './expired_rows';
import { ItemPages } from './item_pages';
import type { ItemRow } from './item_row';

const kFadeMs = 500;

function rowOf(rid: string, lastWrite: number): ItemRow {
  return { id: rid, rid, keyText: '', key: '', lastWrite, ownTtl: undefined, preview: '' };
}

// A list whose rows live for ten seconds after their last write.
async function listOf(...rows: ItemRow[]) {
  const list = {
    now: 0,
    pages: new ItemPages<ItemRow>(
      async () => ({ rows, continuation: null }),
      () => {},
      (row) => row.rid,
    ),
    readLiving: vi.fn(async (_: readonly string[]): Promise<ItemRow[]> => []),
    going: [] as string[],
    shown: () => {
      const rids: string[] = [];
      list.pages.forEach((row) => rids.push(`${row.rid} ${row.lastWrite}`));
      return rids;
    },
  };
  await list.pages.loadMore();
  const expired = new ExpiredRows({
    pages: list.pages,
    seemsOver: (row) => row.lastWrite + 10 <= list.now,
    readLiving: list.readLiving,
    onGoing: (rids) => {
      list.going = [...rids];
    },
    fadeMs: kFadeMs,
  });
  return { list, expired };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('rows that expire', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fade and go at their second, and nobody is asked before', async () => {
    const { list, expired } = await listOf(rowOf('a', 0), rowOf('b', 5));
    list.now = 9;
    expired.look();
    expect(list.readLiving).not.toHaveBeenCalled();
    list.now = 10;
    expired.look();
    expired.look();
    await settled();
    expect(list.readLiving.mock.calls).toEqual([[['a']]]);
    expect(list.going).toEqual(['a']);
    expect(list.shown()).toEqual(['a 0', 'b 5']);
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.going).toEqual([]);
    expect(list.shown()).toEqual(['b 5']);
  });

  it('stay when somebody has written their items anew', async () => {
    const { list, expired } = await listOf(rowOf('a', 0), rowOf('b', 0));
    list.readLiving.mockResolvedValueOnce([rowOf('a', 8)]);
    list.now = 10;
    expired.look();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual(['a 8']);
    list.now = 18;
    expired.look();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual([]);
  });

  it('are asked for once when they live although they seem over', async () => {
    const { list, expired } = await listOf(rowOf('a', 0));
    list.readLiving.mockResolvedValueOnce([rowOf('a', 0)]);
    list.now = 10;
    expired.look();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expired.look();
    await settled();
    expect(list.readLiving).toHaveBeenCalledTimes(1);
    expect(list.shown()).toEqual(['a 0']);
  });

  it('are looked at again when others have faded meanwhile', async () => {
    const { list, expired } = await listOf(rowOf('a', 0), rowOf('b', 1));
    list.now = 10;
    expired.look();
    await settled();
    list.now = 11;
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.going).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual([]);
  });

  it('stay while the server cannot be asked', async () => {
    const { list, expired } = await listOf(rowOf('a', 0));
    list.readLiving.mockRejectedValueOnce(new Error('away'));
    list.now = 10;
    expired.look();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual(['a 0']);
    expired.look();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual([]);
  });

  it('are left alone once the list is', async () => {
    const { list, expired } = await listOf(rowOf('a', 0));
    list.now = 10;
    expired.look();
    expired.stop();
    await vi.advanceTimersByTimeAsync(kFadeMs);
    expect(list.shown()).toEqual(['a 0']);
    expect(list.going).toEqual([]);
  });
});
