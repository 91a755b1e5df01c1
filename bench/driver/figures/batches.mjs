// Many items in one request: a transactional batch of 100 creates against 100 creates one by one, and a bulk load over
// 8 connections against bare RocksDB writing batches of the same size from 8 threads; then with the default index. All
// synced.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';
import { load, makeContainer, startLapse } from '../servers.mjs';
import { alternate, median } from '../statistics.mjs';

const kRequests = 1000;
const kItemsPerRequest = 100;
const kLoaders = 8;

// On a server and a container of its own.
async function onLapse(bench, operation, flags, containerOptions = { indexing: 'none' }) {
  const dir = path.join(bench.temp, 'batches');
  const server = await startLapse(bench, dir);
  await makeContainer(bench, server, containerOptions);
  const result = await load(bench, server, operation, flags);
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  return result;
}

async function bare(bench, requests) {
  const dir = path.join(bench.temp, 'batch-puts');
  const keys = requests * kItemsPerRequest;
  const args = ['--dir', dir, '--keys', keys, '--threads', kLoaders, '--batch', kItemsPerRequest];
  const { lines } = await run(bench.program('rocks_puts'), args);
  fs.rmSync(dir, { recursive: true });
  return lines.find((line) => line.operation === 'create');
}

export async function batches(bench) {
  const requests = Math.max(10, bench.scaled(kRequests));
  const results = await alternate(bench.rounds, {
    single: () => onLapse(bench, 'create', { requests: requests * 10, connections: 1 }),
    batch: () => onLapse(bench, 'batch', { requests, connections: 1, order: 'sequence' }),
    bare: () => bare(bench, requests),
    bulk: () => onLapse(bench, 'bulk', { requests, connections: kLoaders, order: 'sequence' }),
    indexed: () => onLapse(bench, 'bulk', { requests, connections: kLoaders, order: 'sequence' }, {}),
  });
  const items = (name) => median(results[name], 'per_second') * kItemsPerRequest;
  const rows = [
    {
      figure: 'batch of 100 creates / 100 creates, one connection', unit: 'items/s',
      lapse: items('batch'), yardstick: median(results.single, 'per_second'),
    },
    {
      figure: 'bulk load, 8 connections / RocksDB batches of 100, 8 threads', unit: 'items/s',
      lapse: items('bulk'), yardstick: median(results.bare, 'per_second'), ratio: { min: 0.3, aim: 0.5 },
    },
    {
      figure: '  with the default index / without', unit: 'items/s', lapse: items('indexed'), yardstick: items('bulk'),
    },
  ];
  return { results, rows };
}
