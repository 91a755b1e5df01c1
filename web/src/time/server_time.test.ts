import { describe, expect, it, vi } from 'vitest';
import { ServerTime } from './server_time';

describe('server time', () => {
  it('goes on between answers, from the middle of the round trip', () => {
    let steady = 100;
    const time = new ServerTime(() => steady);
    expect(time.known).toBe(false);
    steady = 120;
    time.observe(1_000_000, false, 100);
    expect(time.estimateMs).toBe(1_000_010);
    steady = 2_110;
    expect(time.estimateMs).toBe(1_002_000);
    expect(time.shownMs).toBe(1_000_000);
  });

  it('stands still while the clock is frozen', () => {
    let steady = 0;
    const time = new ServerTime(() => steady);
    time.observe(5_000, true, 0);
    steady = 60_000;
    expect(time.estimateMs).toBe(5_000);
  });

  it('tells its listeners', () => {
    const time = new ServerTime(() => 0);
    const listener = vi.fn();
    const stop = time.subscribe(listener);
    time.observe(1, false, 0);
    stop();
    time.observe(2, false, 0);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
