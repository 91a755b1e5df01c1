// The small parts by themselves: every program named *_bench in the build folder.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';

export async function micro(bench) {
  const folder = path.dirname(bench.program('http_load'));
  const results = {};
  const rows = [];
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('_bench')).sort()) {
    const out = path.join(bench.temp, `${name}.json`);
    await run(path.join(folder, name), [
      `--benchmark_min_time=${bench.long ? 2 : 0.2}`, `--benchmark_out=${out}`, '--benchmark_out_format=json',
    ]);
    results[name] = JSON.parse(fs.readFileSync(out, 'utf8')).benchmarks;
    for (const { name: part, cpu_time: time, time_unit: unit } of results[name]) {
      rows.push({ figure: `${name}: ${part}`, unit, lapse: time });
    }
  }
  return { results, rows };
}
