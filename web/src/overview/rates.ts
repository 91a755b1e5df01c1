// Rates and percentiles of the time between two answers of /_lapse/overview. Counters begin at 0 with the server.
import type { Overview } from '../api/lapse';

export interface Rates {
  at: number;
  requests: number;
  requestUnits: number;
  throttled: number;
  errors: number;
  // Milliseconds; null when there was no request.
  p50: number | null;
  p99: number | null;
}

// undefined when the server was started again in between, or no time has passed.
export function ratesBetween(before: Overview, after: Overview): Rates | undefined {
  const seconds = (after.uptime_ms - before.uptime_ms) / 1000;
  if (seconds <= 0) return undefined;
  const perSecond = (later: number, earlier: number) => Math.max(0, later - earlier) / seconds;
  const { counts, total } = requestsBetween(before, after);
  const steps = after.latency.steps_ms;
  return {
    at: after.uptime_ms,
    requests: perSecond(after.requests.answered, before.requests.answered),
    requestUnits: perSecond(after.request_units.spent, before.request_units.spent),
    throttled: perSecond(after.requests.throttled, before.requests.throttled),
    errors: perSecond(after.requests.by_status['5xx'] ?? 0, before.requests.by_status['5xx'] ?? 0),
    p50: percentile(steps, counts, total, 0.5),
    p99: percentile(steps, counts, total, 0.99),
  };
}

// Of all operations together: how many took up to each step, cumulative.
function requestsBetween(before: Overview, after: Overview): { counts: number[]; total: number } {
  const counts = after.latency.steps_ms.map(() => 0);
  let total = 0;
  for (const operation of after.latency.operations) {
    const earlier = before.latency.operations.find((candidate) => candidate.operation === operation.operation);
    total += operation.count - (earlier?.count ?? 0);
    operation.up_to.forEach((count, at) => {
      counts[at] = (counts[at] ?? 0) + count - (earlier?.up_to[at] ?? 0);
    });
  }
  return { counts, total };
}

// Estimated within the step in which it lies; the end of the last step when it lies beyond.
export function percentile(
  steps: readonly number[],
  cumulative: readonly number[],
  total: number,
  share: number,
): number | null {
  if (total <= 0) return null;
  const wanted = share * total;
  for (let at = 0; at < steps.length; at += 1) {
    const upTo = cumulative[at] ?? 0;
    if (upTo < wanted) continue;
    const below = at === 0 ? 0 : (cumulative[at - 1] ?? 0);
    const start = at === 0 ? 0 : steps[at - 1]!;
    return start + ((steps[at]! - start) * (wanted - below)) / Math.max(1, upTo - below);
  }
  return steps.at(-1) ?? null;
}
