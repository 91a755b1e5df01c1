// What purging an item costs, and giving its space back: as the number of items grows, and by which of them die.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';

const kSizes = [100_000, 1_000_000];
const kSizesLong = [...kSizes, 10_000_000];
const kSmallItemBytes = 320;
const kShapeItems = 1_000_000;
const kShapes = ['all', 'older', 'random'];
const kGrowthMax = 1.5;

async function expire(bench, flags) {
  const dir = path.join(bench.temp, 'data');
  const { lines } = await run(bench.program('expiry_cost'), ['--dir', dir, ...flags]);
  fs.rmSync(dir, { recursive: true });
  const [result] = lines;
  const each = (field) => result[field] / result.dead;
  return { ...result, sweep: each('sweep_cpu_ns'), reclaim: each('reclaim_cpu_ns'),
    rewritten: (result.sweep_written_bytes + result.reclaim_written_bytes) / result.dead };
}

function growthRows(result, base) {
  const sizes = `${result.items.toLocaleString('en')} items / ${base.items.toLocaleString('en')}`;
  const row = (text, of) => ({
    figure: `${text}, ${sizes}`, unit: 'ns', lapse: of(result), yardstick: of(base), ratio: { max: kGrowthMax },
  });
  return [
    row('CPU to sweep one', ({ sweep }) => sweep),
    row('  to sweep it and give its space back', ({ sweep, reclaim }) => sweep + reclaim),
  ];
}

function shapeRows(result) {
  const text = { all: 'all die', older: 'the older half dies', random: 'a random half dies' }[result.dies];
  const lives = (result.items - result.dead) / result.items;
  const rows = [
    { figure: `${text}: bytes rewritten for each`, unit: 'B', lapse: result.rewritten },
    { figure: '  CPU to sweep it and give its space back', unit: 'ns', lapse: result.sweep + result.reclaim },
  ];
  if (lives > 0) {
    rows.push({ figure: '  directory then / what the living take', unit: 'B', lapse: result.bytes_after,
      yardstick: result.bytes_before * lives, ratio: { max: 1.2 } });
  }
  return rows;
}

export async function expiryCost(bench) {
  const growth = [];
  for (const items of (bench.long ? kSizesLong : kSizes).map(bench.scaled)) {
    growth.push(await expire(bench, ['--items', items, '--item-bytes', kSmallItemBytes]));
  }
  const shapes = [];
  for (const dies of bench.long ? kShapes : []) {
    shapes.push(await expire(bench, ['--items', bench.scaled(kShapeItems), '--dies', dies]));
  }
  const [base, ...larger] = growth;
  const rows = [...larger.flatMap((result) => growthRows(result, base)), ...shapes.flatMap(shapeRows)];
  return { results: { growth, shapes }, rows };
}
