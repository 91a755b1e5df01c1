// When an item expires: the container's default, the item's own `ttl`, the second of its last write.
import { type JsonObject, numberOf } from '../json/lossless_json';

// Seconds; -1: on without a default; null: off.
export type DefaultTtl = number | null;

export interface Lifetime {
  kind: 'inherits' | 'own' | 'never';
  // Why in a few words, for people.
  reason: string;
  // The whole lifetime in seconds, and the Unix second from which the item is gone; null: it never goes.
  seconds: number | null;
  deadline: number | null;
}

export function lifetimeOf(lastWrite: number, ownTtl: number | undefined, defaultTtl: DefaultTtl): Lifetime {
  const never = (kind: Lifetime['kind'], reason: string): Lifetime => ({ kind, reason, seconds: null, deadline: null });
  if (defaultTtl === null) {
    return never(
      'never',
      ownTtl === undefined ? 'TTL is off here' : 'TTL is off here: its ttl counts when it is turned on',
    );
  }
  if (ownTtl === -1) return never('never', 'ttl is -1');
  if (ownTtl !== undefined) {
    return { kind: 'own', reason: 'its own ttl', seconds: ownTtl, deadline: lastWrite + ownTtl };
  }
  if (defaultTtl === -1) return never('inherits', 'the container has no default');
  return { kind: 'inherits', reason: "the container's default", seconds: defaultTtl, deadline: lastWrite + defaultTtl };
}

export function lifetimeOfItem(item: JsonObject, defaultTtl: DefaultTtl): Lifetime {
  return lifetimeOf(numberOf(item.get('_ts')) ?? 0, numberOf(item.get('ttl')), defaultTtl);
}

export function isExpired(lifetime: Lifetime, nowSeconds: number): boolean {
  return lifetime.deadline !== null && lifetime.deadline <= nowSeconds;
}
