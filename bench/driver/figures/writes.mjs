// Synced creates and replaces over 64 connections into a container without index, against bare RocksDB putting from 64
// threads; then those with a unique key, and those with the default index on every path, against those without, and
// against PostgreSQL with a GIN index. A replace changes two of the indexed values, a rewrite none.
import fs from 'node:fs';
import path from 'node:path';

import { startPostgres } from '../postgres.mjs';
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
  const rewrite = await load(bench, server, 'replace', { ...flags, revision: 1 });
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  return { create, replace, rewrite };
}

async function writeBare(bench, items) {
  const dir = path.join(bench.temp, 'puts');
  const { lines } = await run(bench.program('rocks_puts'), ['--dir', dir, '--keys', items, '--threads', kWriters]);
  fs.rmSync(dir, { recursive: true });
  return Object.fromEntries(lines.map((line) => [line.operation, line]));
}

async function writePostgres(bench, server, items) {
  const args = ['--port', server.port, '--keys', items, '--connections', kWriters];
  return { create: (await run(bench.program('postgres_puts'), args)).lines[0] };
}

export async function writes(bench) {
  const items = bench.scaled(bench.long ? kItemsLong : kItems);
  const postgres = await startPostgres(path.join(bench.temp, 'postgres'), { memory: '1GB' });
  const results = await alternate(bench.rounds, {
    bare: () => writeBare(bench, items),
    lapse: () => writeLapse(bench, items, { indexing: 'none' }),
    unique: () => writeLapse(bench, items, { indexing: 'none', uniquePath: '/id' }),
    indexed: () => writeLapse(bench, items),
    postgres: () => writePostgres(bench, postgres, items),
  });
  await postgres.stop();
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
  const kinds = [
    ['unique', 'one unique key', { create: { min: 0.8 } }],
    ['indexed', 'the default index',
      { create: { min: 0.3, aim: 0.45 }, replace: { min: 0.3 }, rewrite: { min: 0.5, aim: 0.7 } }],
  ];
  for (const [name, text, wanted] of kinds) {
    for (const operation of ['create', 'replace', 'rewrite']) {
      rows.push({
        figure: `${operation} with ${text} / without`, unit: '/s', ratio: wanted[operation],
        lapse: of(name, operation, 'per_second'), yardstick: of('lapse', operation, 'per_second'),
      });
    }
  }
  rows.push({
    figure: 'create with the default index / PostgreSQL with GIN', unit: '/s', ratio: { min: 1 },
    lapse: of('indexed', 'create', 'per_second'), yardstick: of('postgres', 'create', 'per_second'),
  });
  return { results, rows };
}
