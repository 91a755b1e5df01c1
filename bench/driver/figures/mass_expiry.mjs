// A million items that expire in one second, while others are read and written; the same number of keys in Redis.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';
import { redisExpiry } from '../redis.mjs';

const kItems = 1_000_000;
const kItemsLong = 10_000_000;
const kRedisItems = 1_000_000;
const kRedisLoadSeconds = 30;
const kSlowdownMax = 1.2;

async function lapse(bench, items, flags) {
  const dir = path.join(bench.temp, 'mass-expiry');
  const args = ['--dir', dir, '--items', items, '--live', Math.max(100, Math.round(items * 0.3)), ...flags];
  const { lines } = await run(bench.program('mass_expiry'), args);
  fs.rmSync(dir, { recursive: true });
  return lines[0];
}

function rowsFor(result, what) {
  const rate = (seconds) => (seconds > 0 ? result.items / seconds : 0);
  const slowdown = (name, field) => ({
    figure: `  ${name}, during / before${what}`, unit: 'ns', lapse: result[`during_${field}`],
    yardstick: result[`before_${field}`], ratio: { max: kSlowdownMax },
  });
  const count = result.items.toLocaleString('en');
  return [
    { figure: `swept, ${count} items at once${what}`, unit: 'items/s', lapse: rate(result.swept_seconds),
      value: { min: 300_000, aim: 1_000_000 } },
    { figure: `  dead items seen by a read${what}`, unit: '', lapse: result.dead_seen, value: { max: 0 } },
    { figure: `  bytes written for each${what}`, unit: 'B', lapse: result.written_bytes / result.items },
    slowdown('read p50', 'read_p50_ns'),
    slowdown('read p99', 'read_p99_ns'),
    slowdown('write p50', 'write_p50_ns'),
    slowdown('write p99', 'write_p99_ns'),
  ];
}

export async function massExpiry(bench) {
  const redisItems = bench.scaled(kRedisItems);
  const redisRate = async (options) => redisItems / (await redisExpiry(bench, redisItems, options, kRedisLoadSeconds));
  const redis = await redisRate([]);
  const eager = await redisRate(['--active-expire-effort', '10']);
  const items = bench.scaled(bench.long ? kItemsLong : kItems);
  const results = { redis, eager };
  const rows = [];
  for (const [name, flags, what, wanted] of [
    ['plain', ['--index', 0], '', { ratio: { min: 20 } }],
    ['indexed', ['--index', 1], ', default index', {}],
  ]) {
    const result = await lapse(bench, items, flags);
    results[name] = result;
    const reclaimed = result.reclaimed_seconds > 0 ? result.items / result.reclaimed_seconds : 0;
    rows.push(
      ...rowsFor(result, what),
      { figure: `expired and space given back${what} / Redis`, unit: 'items/s', lapse: reclaimed, yardstick: redis,
        ...wanted },
      { figure: '  / Redis, active-expire-effort 10', unit: 'items/s', lapse: reclaimed, yardstick: eager, ...wanted },
    );
  }
  results.logged = await lapse(bench, bench.scaled(kItems / 10), ['--log', 1]);
  rows.push({ figure: 'swept into the full change feed', unit: 'items/s',
    lapse: results.logged.swept_seconds > 0 ? results.logged.items / results.logged.swept_seconds : 0,
    value: { min: 100_000 } });
  return { results, rows };
}
