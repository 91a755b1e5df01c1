// The lifetime of one item: where it comes from, how much is left, and a bar that runs out.
import type { Lifetime } from '../lifetime/lifetime';
import { bothTexts } from '../time/dates';
import { formatCountdown, formatDuration } from '../time/duration';

const kKinds = { inherits: 'inherits', own: 'own', never: 'never' } as const;

export function LifetimeCell({ lifetime, now }: { lifetime: Lifetime; now: number }) {
  const { kind, deadline, seconds, reason } = lifetime;
  if (deadline === null || seconds === null) {
    return (
      <span className="lifetime" title={reason}>
        <span className={`lifetime-kind kind-${kind}`}>{kKinds[kind]}</span>
        <span className="muted">for ever</span>
      </span>
    );
  }
  const left = Math.max(0, deadline - now);
  const share = seconds > 0 ? Math.min(1, left / seconds) : 0;
  const urgency = left <= 10 ? 'last' : share < 0.25 ? 'late' : 'early';
  return (
    <span className="lifetime" title={`${formatDuration(seconds)}, ${reason}. Gone at ${bothTexts(deadline * 1000)}`}>
      <span className={`lifetime-kind kind-${kind}`}>{kKinds[kind]}</span>
      <span className="lifetime-left">{formatCountdown(left)}</span>
      <span className="lifetime-bar" aria-hidden="true">
        <span className={`lifetime-rest rest-${urgency}`} style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
