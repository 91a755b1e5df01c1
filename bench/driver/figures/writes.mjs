// Synced creates and replaces over 64 connections into a container without index, against bare RocksDB putting from 64
// threads; then those with a unique key, and those with the default index on every path, against those without.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';
import { load, makeContainer, startLapse } from '../servers.mjs';
import { alternate, median } from '../statistics.mjs';

const kItems = 50_000;
const kItemsLong = 500_000;
const kWriters = 64;

async function writeLapse(bench, items, containerOptions) {
  const dir = path.join(bench.temp, 'writes');
  const server = await startLapse(bench, dir);
  await makeContainer(bench, server, containerOptions);
  const flags = { requests: items, connections: kWriters };
  const create = await load(bench, server, 'create', flags);
  const replace = await load(bench, server, 'replace', { ...flags, revision: 1 });
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  return { create, replace };
}

async function writeBare(bench, items) {
  const dir = path.join(bench.temp, 'puts');
  const { lines } = await run(bench.program('rocks_puts'), ['--dir', dir, '--keys', items, '--threads', kWriters]);
  fs.rmSync(dir, { recursive: true });
  return Object.fromEntries(lines.map((line) => [line.operation, line]));
}

export async function writes(bench) {
  const items = bench.scaled(bench.long ? kItemsLong : kItems);
  const results = await alternate(bench.rounds, {
    bare: () => writeBare(bench, items),
    lapse: () => writeLapse(bench, items, { indexing: 'none' }),
    unique: () => writeLapse(bench, items, { indexing: 'none', uniquePath: '/id' }),
    indexed: () => writeLapse(bench, items),
  });
  const of = (name, operation, field) => median(results[name].map((result) => result[operation]), field);
  const rows = [];
  for (const operation of ['create', 'replace']) {
    rows.push({
      figure: `${operation} 1 KB, synced, 64 connections / RocksDB`, unit: '/s',
      lapse: of('lapse', operation, 'per_second'), yardstick: of('bare', operation, 'per_second'),
      ratio: operation === 'create' ? { min: 0.85, aim: 0.95 } : undefined,
    });
    rows.push({
      figure: `  ${operation} p99 / RocksDB`, unit: 'us',
      lapse: of('lapse', operation, 'p99_ns') / 1000, yardstick: of('bare', operation, 'p99_ns') / 1000,
    });
  }
  const kinds = [['unique', 'one unique key', { create: { min: 0.8 } }], ['indexed', 'the default index', {}]];
  for (const [name, text, wanted] of kinds) {
    for (const operation of ['create', 'replace']) {
      rows.push({
        figure: `${operation} with ${text} / without`, unit: '/s', ratio: wanted[operation],
        lapse: of(name, operation, 'per_second'), yardstick: of('lapse', operation, 'per_second'),
      });
    }
  }
  return { results, rows };
}
