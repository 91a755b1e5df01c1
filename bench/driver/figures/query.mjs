// Queries over the same items in Lapse, PostgreSQL and SQLite, each by its own front door.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { startPostgres } from '../postgres.mjs';
import { run, serve } from '../processes.mjs';
import { alternate, median } from '../statistics.mjs';

const kItems = 1_000_000;
const kItemsMin = 10_000;
const kConnections = 32;
const kMilliseconds = 3000;
const kWarmUp = 1000;
const kFillCaches = 40_000;
const kMemory = '2GB';

// `postgres` and `sqlite` are what is wanted of the ratio to each; without one it is for the record.
const kQueries = [
  { name: 'equality', text: 'equality, one row', postgres: 1 },
  { name: 'range', text: 'range of 100', postgres: 0.8, aim: 1 },
  { name: 'order', text: 'ORDER BY LIMIT 10', postgres: 1 },
  { name: 'count_all', text: 'COUNT of all', postgres: 1 },
  { name: 'count_range', text: 'COUNT of a tenth, indexed', postgres: 0.8, aim: 1 },
  { name: 'scan', text: 'full-scan filter', postgres: 0.8, aim: 1, sqlite: 1 },
  { name: 'group', text: 'GROUP BY, 1,000 groups', postgres: 1, sqlite: 1 },
  { name: 'two', text: 'two predicates', postgres: 0.5, aim: 1, sqlite: 1 },
];
const kContainers = [{ name: 'one', partitions: 1 }, { name: 'four', partitions: 4 }];

function startLapse(bench, dir, options = []) {
  // Four partitions have a throughput, to which nobody is held here.
  const memory = ['--cache-size', kMemory.replace('B', ''), '--rate-limiting', 'off'];
  const args = ['--data-dir', dir, '--port', 0, '--log-level', 'info', ...memory, ...options];
  return serve(bench.lapsed, args, { ready: /endpoint=http:\/\/127\.0\.0\.1:(\d+)\// });
}

async function loadAll(bench, items, dirs) {
  const load = async (...flags) =>
    (await run(bench.program('query'), ['--operation', 'load', '--items', items, ...flags])).lines[0].seconds;
  const seconds = {};
  const lapse = {};
  // Each has the items once and the same memory, as the other products have.
  for (const { name, partitions } of kContainers) {
    const loading = await startLapse(bench, path.join(dirs.lapse, name), ['--durability', 'relaxed']);
    const container = ['--container', name, '--partitions', partitions];
    seconds[name] = await load('--product', 'lapse', '--port', loading.port, ...container);
    // Started again, so that the data is in tables as it would be in a server that has run for long.
    await loading.stop();
    lapse[name] = await startLapse(bench, path.join(dirs.lapse, name));
  }
  const postgres = await startPostgres(dirs.postgres, { memory: kMemory });
  seconds.postgres = await load('--product', 'postgres', '--port', postgres.port);
  seconds.sqlite = await load('--product', 'sqlite', '--file', dirs.sqlite);
  return { lapse, postgres, seconds };
}

function rowsOf(query, results, items) {
  const rate = (name) => median(results[name], 'per_second');
  const rows = [];
  for (const { name, partitions } of kContainers) {
    const where = partitions === 1 ? '' : `, ${partitions} partitions`;
    rows.push({ figure: `${query.text}${where} / PostgreSQL`, unit: '/s', lapse: rate(name),
      yardstick: rate('postgres'), ratio: { min: query.postgres, aim: query.aim } });
    rows.push({ figure: '  / SQLite, in process', unit: '/s', lapse: rate(name), yardstick: rate('sqlite'),
      ...(query.sqlite && { ratio: { min: query.sqlite } }) });
    rows.push({ figure: '  rows / PostgreSQL', unit: 'rows/s', lapse: median(results[name], 'rows_per_second'),
      yardstick: median(results.postgres, 'rows_per_second') });
    if (query.name === 'scan') {
      rows.push({ figure: '  items looked at, for a second of CPU', unit: 'items/s',
        lapse: items / (median(results[name], 'server_cpu_ns') / 1e9), value: { min: 1_000_000 } });
    }
    if (query.name === 'count_all') {
      rows.push({ figure: '  server CPU for it', unit: 'us', lapse: median(results[name], 'server_cpu_ns') / 1000 });
    }
  }
  return rows;
}

export async function query(bench) {
  const items = Math.max(kItemsMin, bench.scaled(kItems));
  const dir = (name) => path.join(bench.temp, name);
  const dirs = { lapse: dir('lapse'), postgres: dir('postgres'), sqlite: dir('items.db') };
  const { lapse, postgres, seconds } = await loadAll(bench, items, dirs);
  const common = ['--items', items, '--milliseconds', kMilliseconds, '--warm-up', kWarmUp];
  const ask = (name, flags) => async () =>
    (await run(bench.program('query'), ['--query', name, ...common, ...flags])).lines[0];
  const door = (server) => ['--port', server.port, '--server-pid', server.pid, '--connections', kConnections];
  const doors = {
    postgres: ['--product', 'postgres', ...door(postgres)],
    sqlite: ['--product', 'sqlite', '--file', dirs.sqlite, '--connections', os.cpus().length],
  };
  for (const { name } of kContainers) doors[name] = ['--product', 'lapse', '--container', name, ...door(lapse[name])];
  // What a server loaded that has ended is in no cache: each product reads its items before it is measured.
  const filling = ['--query', 'range', '--items', items, '--milliseconds', kFillCaches, '--warm-up', 0];
  for (const flags of Object.values(doors)) await run(bench.program('query'), [...filling, ...flags]);
  const results = { seconds };
  const rows = [];
  for (const one of kQueries) {
    const measurements = {};
    for (const [name, flags] of Object.entries(doors)) measurements[name] = ask(one.name, flags);
    results[one.name] = await alternate(bench.rounds, measurements);
    rows.push(...rowsOf(one, results[one.name], items));
  }
  await Promise.all([...Object.values(lapse), postgres].map((server) => server.stop()));
  fs.rmSync(dirs.sqlite, { force: true });
  return { results, rows };
}
