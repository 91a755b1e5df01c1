import { describe, expect, it, vi } from 'vitest';
import { ApiError, UnreachableError } from '../api/errors';
import { type JsonObject, parseObject } from '../json/lossless_json';
import { ItemWrite } from './item_write';

const kText = '{"id": "a", "n": 9007199254740993}';
const kStored = parseObject('{"id":"a","n":9007199254740993,"_etag":"2","_ts":5}');

function refusal(status: number): ApiError {
  return new ApiError('refused', status, '', 0, 0, []);
}

// Each attempt has the next outcome.
function server(outcomes: (Error | JsonObject)[], stored: JsonObject = kStored) {
  const send = vi.fn(async (_text: string) => {
    const outcome = outcomes.shift()!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const read = vi.fn(async () => stored);
  return { send, read };
}

describe('a write of an item', () => {
  it('is sent once when it is answered', async () => {
    const { send, read } = server([kStored]);
    expect(await new ItemWrite().write(kText, send, read)).toBe(kStored);
    expect(send).toHaveBeenCalledTimes(1);
    expect(read).not.toHaveBeenCalled();
  });

  it('is sent again over a new connection', async () => {
    const { send, read } = server([new UnreachableError(), kStored]);
    expect(await new ItemWrite().write(kText, send, read)).toBe(kStored);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is not sent again to a server that keeps silent, nor a third time', async () => {
    const silent = server([new UnreachableError(true), kStored]);
    await expect(new ItemWrite().write(kText, silent.send, silent.read)).rejects.toThrow(UnreachableError);
    expect(silent.send).toHaveBeenCalledTimes(1);
    const away = server([new UnreachableError(), new UnreachableError(), kStored]);
    await expect(new ItemWrite().write(kText, away.send, away.read)).rejects.toThrow(UnreachableError);
    expect(away.send).toHaveBeenCalledTimes(2);
  });

  it.each([409, 412])('whose answer was lost is known by what is stored (%i)', async (status) => {
    const { send, read } = server([new UnreachableError(), refusal(status)]);
    expect(await new ItemWrite().write(kText, send, read)).toBe(kStored);
    // Also when a person tries again much later.
    const later = server([new UnreachableError(), new UnreachableError(), refusal(status)]);
    const write = new ItemWrite();
    await expect(write.write(kText, later.send, later.read)).rejects.toThrow(UnreachableError);
    expect(await write.write(kText, later.send, later.read)).toBe(kStored);
  });

  it('is refused when somebody else has written', async () => {
    const lost = server([new UnreachableError(), refusal(412)], parseObject('{"id":"a","n":1,"_etag":"2"}'));
    await expect(new ItemWrite().write(kText, lost.send, lost.read)).rejects.toThrow('refused');
    // No answer was lost: what is stored says nothing about this write, even if it is the same.
    const same = server([refusal(409)]);
    await expect(new ItemWrite().write(kText, same.send, same.read)).rejects.toThrow('refused');
    expect(same.read).not.toHaveBeenCalled();
  });
});
