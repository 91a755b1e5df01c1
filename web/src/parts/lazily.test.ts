import { describe, expect, it, vi } from 'vitest';
import { loadPatiently } from './lazily';

describe('a part that is loaded when it is needed', () => {
  it('is loaded once', async () => {
    const load = vi.fn(async () => 'part');
    expect(await loadPatiently(load, async () => true, 0)).toBe('part');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is waited for while the server is away', async () => {
    let away = 3;
    const load = vi.fn(async () => {
      if (away > 0) throw new Error('no network');
      return 'part';
    });
    expect(await loadPatiently(load, async () => --away <= 0, 0)).toBe('part');
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('is not waited for when the server answers and does not have it', async () => {
    const load = vi.fn(async () => {
      throw new Error('404');
    });
    await expect(loadPatiently(load, async () => true, 0)).rejects.toThrow('404');
    expect(load).toHaveBeenCalledTimes(2);
  });
});
