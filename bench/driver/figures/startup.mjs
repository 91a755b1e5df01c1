// From the start of the process on an empty directory to the first answer, and what an idle server holds.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';

const kStarts = 20;

export async function startup(bench) {
  const dir = path.join(bench.temp, 'startup');
  fs.mkdirSync(dir);
  const { lines } = await run(bench.program('startup'), ['--program', bench.lapsed, '--dir', dir, '--starts', kStarts]);
  const [result] = lines;
  return {
    results: result,
    rows: [
      { figure: `start to first answer, median of ${kStarts}`, unit: 'ms', lapse: result.median_ns / 1e6,
        value: { max: 50 } },
      { figure: '  the slowest of them', unit: 'ms', lapse: result.max_ns / 1e6, value: { max: 100 } },
      { figure: 'resident memory, idle', unit: 'MB', lapse: result.idle_rss_kb / 1024, value: { max: 30 } },
      { figure: '  its proportional share (Pss)', unit: 'MB', lapse: result.idle_pss_kb / 1024 },
    ],
  };
}
