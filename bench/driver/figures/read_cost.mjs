// What a point read costs as the data grows, all of it in memory: over HTTP with authentication, and inside the engine.
import path from 'node:path';

import { kClientCore, kServerCore, run } from '../processes.mjs';
import { load, startLapse } from '../servers.mjs';
import { alternate, median } from '../statistics.mjs';

const kSizes = [10_000, 1_000_000];
const kSizesLong = [10_000, 1_000_000, 10_000_000];
const kReads = 200_000;
const kGrowthMax = 1.5;

// Ten million of them fit the memory of an ordinary machine twice: as items and as blocks.
const kItemBytes = 320;
// What one takes in the store's cache: blocks of its head and body, uncompressed, with their indexes and filters.
const kBlockBytesPerItem = 550;
// What a server needs to hold one as an item, of which it has half of its cache.
const kCacheBytesPerItem = 1_400;
const kCacheBytesMin = 256 << 20;

// Reads of one run of the load generator before the clock starts: its signatures are good for a quarter of an hour.
const kWarmUpReads = 1_000_000;

// Loads a data directory through the engine, and measures the engine by itself on the way.
async function loadDirectory(bench, items) {
  const dir = path.join(bench.temp, `items-${items}`);
  const cache = Math.max(kCacheBytesMin, items * kBlockBytesPerItem);
  const args = ['--dir', dir, '--items', items, '--item-bytes', kItemBytes, '--cache', cache];
  const { lines } = await run(bench.program('read_cost'), args);
  return { items, dir, engine: lines[0] };
}

// Every item was read once when this returns.
async function startWarm(bench, { items, dir }) {
  const cache = Math.max(kCacheBytesMin, items * kCacheBytesPerItem);
  const server = await startLapse(bench, dir, { core: kServerCore, options: ['--cache-size', cache] });
  for (let first = 0; first < items; first += kWarmUpReads) {
    const requests = Math.min(kWarmUpReads, items - first);
    await load(bench, server, 'read', { first, requests, order: 'sequence' }, { core: kClientCore });
  }
  return server;
}

// Any item at any time, and other ones in every round.
function reader(bench, server, items) {
  let round = 0;
  return () => {
    round += 1;
    const flags = { items, requests: bench.scaled(kReads), order: 'draws', seed: round };
    return load(bench, server, 'read', flags, { core: kClientCore });
  };
}

function rowsFor(result, base) {
  const row = (text, of, wanted) => ({
    figure: `${text} ${result.items.toLocaleString('en')} items / ${base.items.toLocaleString('en')}`, unit: 'ns',
    lapse: of(result), yardstick: of(base), ratio: wanted,
  });
  return [
    row('server CPU for a signed read of', ({ reads }) => median(reads, 'server_cpu_ns'), { max: kGrowthMax }),
    row('  in the engine, from blocks, of', ({ engine }) => engine.store_ns),
    row('  in the engine, a hot set of', ({ engine }) => engine.hot_ns),
  ];
}

export async function readCost(bench) {
  const loaded = [];
  for (const items of (bench.long ? kSizesLong : kSizes).map(bench.scaled)) {
    loaded.push(await loadDirectory(bench, items));
  }
  const servers = [];
  for (const data of loaded) servers.push(await startWarm(bench, data));
  const readers = loaded.map(({ items }, i) => [items, reader(bench, servers[i], items)]);
  const reads = await alternate(bench.rounds, Object.fromEntries(readers));
  await Promise.all(servers.map((server) => server.stop()));

  const results = loaded.map(({ items, engine }) => ({ items, engine, reads: reads[items] }));
  const [base, ...larger] = results;
  return { results, rows: larger.flatMap((result) => rowsFor(result, base)) };
}
