// How long a change of the default lifetime takes, as the container grows: it must not depend on the items.
import path from 'node:path';

import { run } from '../processes.mjs';
import { medianOf } from '../statistics.mjs';

const kSizes = [10_000, 1_000_000];
const kSizesLong = [...kSizes, 10_000_000];
const kChanges = ['longer', 'off', 'on', 'shorter'];
const kSlowestMs = 20;
const kNoiseMax = 1.5;

export async function policyChange(bench) {
  const sizes = (bench.long ? kSizesLong : kSizes).map(bench.scaled);
  const args = ['--dir', path.join(bench.temp, 'data'), '--sizes', sizes.join(',')];
  const { lines: results } = await run(bench.program('policy_change'), args);
  const medianMs = (result) => medianOf(kChanges.map((name) => result[`${name}_ns`])) / 1e6;
  const [base] = results;
  const rows = results.flatMap((result) => {
    const count = result.items.toLocaleString('en');
    const slowest = Math.max(...kChanges.map((name) => result[`${name}_max_ns`]), result.all_die_ns) / 1e6;
    const growth = { yardstick: medianMs(base), ratio: { max: kNoiseMax } };
    return [
      { figure: `TTL changed, on, off, ${count} items${result === base ? '' : ` / ${base.items.toLocaleString('en')}`}`,
        unit: 'ms', lapse: medianMs(result), ...(result === base ? {} : growth) },
      { figure: '  the slowest change', unit: 'ms', lapse: slowest, value: { max: kSlowestMs } },
      { figure: '  the change that killed all of them', unit: 'ms', lapse: result.all_die_ns / 1e6 },
    ];
  });
  return { results, rows };
}
