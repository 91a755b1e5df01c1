// What /_lapse answers: docs/design/explorer.md says what each member means.
import type { Client } from './client';

export interface Amount {
  items: number;
  bytes: number;
}

export interface Access {
  key: 'read-write' | 'read-only' | 'none' | 'wrong';
  key_needed: boolean;
  well_known_key: boolean;
  test_clock: boolean;
  version: string;
}

export interface ClockReading {
  now_ms: number;
  frozen: boolean;
  test: boolean;
  held: boolean;
}

export interface Operation {
  operation: string;
  count: number;
  total_ms: number;
  p50_ms: number | null;
  p90_ms: number | null;
  p99_ms: number | null;
  up_to: number[];
}

export interface Overview {
  now_ms: number;
  uptime_ms: number;
  version: string;
  writes: 'ok' | 'refused' | 'unknown';
  reason?: string;
  clock: { held: boolean; test: boolean; frozen: boolean };
  databases: number;
  containers: number;
  requests: { answered: number; by_status: Record<string, number>; throttled: number };
  request_units: { spent: number; provisioned: number | null; left: number | null; limited: boolean };
  latency: { steps_ms: number[]; operations: Operation[] };
  storage: { disk_bytes: number | null; memory_bytes: number | null; age_ms: number };
  memory: { resident_bytes: number; request_bytes: number; request_bytes_max: number };
  connections: number;
}

export interface RequestUnits {
  spent: number;
  throttled: number;
  provisioned: number | null;
  kind: 'manual' | 'autoscale' | 'none';
  shared: boolean;
  left: number | null;
  left_over: number | null;
}

export interface ContainerStats {
  database: string;
  container: string;
  defaultTtl: number | null;
  live: Amount;
  backlog: Amount & { oldest_s: number };
  purged: Amount & { ru: number };
  expiring: { minute: Amount; hour: Amount };
  next_expiry: number | null;
  request_units: RequestUnits;
}

export interface Stats {
  now_ms: number;
  uptime_ms: number;
  clock_held: boolean;
  containers: ContainerStats[];
  existing: number;
  next: string | null;
}

// What a page of /_lapse/stats has at the most.
export const kStatsMax = 500;

export const kHorizons = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Horizon = (typeof kHorizons)[number];

export interface Series {
  horizon: Horizon;
  from: number;
  step_s: number;
  steps: number;
  items: number[];
  bytes: number[];
  later: Amount;
  never: Amount;
}

export interface TtlReport {
  now_ms: number;
  uptime_ms: number;
  clock_held: boolean;
  policy: { defaultTtl: number | null };
  live: Amount;
  backlog: Amount & { oldest_s: number };
  purged: Amount & { ru: number };
  next_expiry: number | null;
  request_units: RequestUnits;
  series?: Series;
  series_after?: Series;
  would_expire?: Amount;
  would_change?: Amount;
}

export async function readAccess(client: Client, signal?: AbortSignal): Promise<Access> {
  return (await client.lapse<Access>('GET', 'access', { signal })).value;
}

export async function readStats(
  client: Client,
  max: number,
  after: string | null,
  signal?: AbortSignal,
  // Of this database alone.
  database?: string,
): Promise<Stats> {
  const parameters = [`max=${max}`];
  if (after !== null) parameters.push(`after=${encodeURIComponent(after)}`);
  if (database !== undefined) parameters.push(`database=${encodeURIComponent(database)}`);
  return (await client.lapse<Stats>('GET', `stats?${parameters.join('&')}`, { signal })).value;
}

export interface TtlQuestion {
  forecast?: Horizon;
  // What-if: seconds, -1 or null (off).
  defaultTtl?: number | null;
}

export async function readTtl(
  client: Client,
  database: string,
  container: string,
  question: TtlQuestion = {},
  signal?: AbortSignal,
): Promise<TtlReport> {
  // Not in the path: a browser cannot send the names `.` and `..` there.
  const parameters = [`database=${encodeURIComponent(database)}`, `container=${encodeURIComponent(container)}`];
  if (question.forecast) parameters.push(`forecast=${question.forecast}`);
  if (question.defaultTtl !== undefined) parameters.push(`defaultTtl=${question.defaultTtl ?? 'off'}`);
  return (await client.lapse<TtlReport>('GET', `ttl?${parameters.join('&')}`, { signal })).value;
}

export type ClockChange = { freeze: true } | { resume: true } | { advance: number };

export async function readClock(client: Client, signal?: AbortSignal) {
  return client.lapse<ClockReading>('GET', 'clock', { signal });
}

export async function changeClock(client: Client, change: ClockChange) {
  return client.lapse<ClockReading>('POST', 'clock', { body: JSON.stringify(change) });
}
