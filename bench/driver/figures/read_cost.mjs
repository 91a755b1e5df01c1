// What a point read costs inside the engine as the data grows, everything in memory.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';

const kSizes = [10_000, 1_000_000];
const kSizesLong = [10_000, 1_000_000, 10_000_000];
// Blocks of all items, uncompressed, with their indexes and filters.
const kCacheBytesPerItem = 1_450;
const kGrowthMax = 1.5;

function rowsFor(result, base, growth) {
  const count = result.items.toLocaleString('en');
  const row = (text, field) => ({
    figure: `${text} ${count} items / ${base.items.toLocaleString('en')}`, unit: 'ns',
    lapse: result[field], yardstick: base[field], ratio: growth,
  });
  return [row('engine read, all of', 'store_ns'), row('engine read, hot set of', 'hot_ns')];
}

export async function readCost(bench) {
  const sizes = (bench.long ? kSizesLong : kSizes).map(bench.scaled);
  const dir = path.join(bench.temp, 'read-cost');
  const cache = Math.max(1 << 30, sizes.at(-1) * kCacheBytesPerItem);
  const { lines } = await run(bench.program('read_cost'), ['--dir', dir, '--sizes', sizes.join(','), '--cache', cache]);
  fs.rmSync(dir, { recursive: true });
  const [base, ...larger] = lines;
  return { results: lines, rows: larger.flatMap((result) => rowsFor(result, base, { max: kGrowthMax })) };
}
