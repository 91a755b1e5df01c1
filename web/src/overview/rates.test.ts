import { describe, expect, it } from 'vitest';
import type { Overview } from '../api/lapse';
import { percentile, ratesBetween } from './rates';

function overview(uptime: number, answered: number, spent: number, upTo: number[]): Overview {
  return {
    uptime_ms: uptime,
    requests: { answered, by_status: { '5xx': 0 }, throttled: answered / 10 },
    request_units: { spent, provisioned: null, left: null, limited: false },
    latency: {
      steps_ms: [1, 10],
      operations: [
        { operation: 'read', count: answered, total_ms: 0, p50_ms: null, p90_ms: null, p99_ms: null, up_to: upTo },
      ],
    },
  } as unknown as Overview;
}

describe('rates', () => {
  it('are differences by the time between', () => {
    const rates = ratesBetween(overview(1_000, 100, 50, [100, 100]), overview(3_000, 300, 450, [200, 300]));
    expect(rates).toMatchObject({ requests: 100, requestUnits: 200, throttled: 10, p50: 1 });
    expect(rates!.p99).toBeCloseTo(9.82);
  });

  it('are unknown after a restart', () => {
    expect(ratesBetween(overview(9_000, 5, 5, [5, 5]), overview(100, 0, 0, [0, 0]))).toBeUndefined();
  });

  it('have no percentile without requests', () => {
    expect(percentile([1, 10], [0, 0], 0, 0.5)).toBeNull();
    expect(percentile([1, 10], [0, 0], 7, 0.5)).toBe(10);
  });
});
