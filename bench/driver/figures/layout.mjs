// Items in one piece, or heads and bodies apart: the measurement behind docs/design/item-layout.md.
import path from 'node:path';

import { run } from '../processes.mjs';

const kItems = 1_000_000;

export async function layout(bench) {
  const items = bench.scaled(kItems);
  const args = ['--dir', path.join(bench.temp, 'layout'), '--items', items];
  const { lines, err } = await run(bench.program('layout'), args);
  process.stderr.write(err);
  const costs = lines.filter((line) => line.load_ns !== undefined);
  const together = costs.find((line) => line.layout === 'together+feed');
  const apart = costs.find((line) => line.layout === 'heads+bodies');
  const row = (figure, unit, field) => ({ figure, unit, lapse: apart[field], yardstick: together[field] });
  return {
    results: lines,
    rows: [
      row('heads and bodies: bytes written per byte / together', '', 'load_amplification'),
      row('  point read, no item cache / together', 'ns', 'read_ns'),
      row('  point read, item cache / together', 'ns', 'read_cached_ns'),
      row('  replace / together', 'ns', 'replace_ns'),
    ],
  };
}
