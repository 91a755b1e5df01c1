// Point reads while definitions change, and while another container waits for a slow disk: nobody who reads waits. For
// the record, while it is written as fast as the disk takes it: then reads and writes share two cores.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';
import { load, makeContainer, startLapse } from '../servers.mjs';
import { median, medianOf } from '../statistics.mjs';

const kItems = 10_000;
const kRounds = 9;
const kRoundMs = 2000;
const kLongerMax = 1.5;
const kDisturbances = [
  { kind: 'definitions', text: 'definitions change', limit: { max: kLongerMax } },
  { kind: 'writes', text: 'another container syncs slowly', limit: { max: kLongerMax }, slowSync: true },
  { kind: 'writes', text: 'another container is written' },
];

// A server for each, so that none has the other's tables to compact.
async function disturbed(bench, disturbance, slowSync) {
  const items = bench.scaled(kItems);
  const env = slowSync ? { LD_PRELOAD: bench.program('libslow_sync.so') } : {};
  const dir = path.join(bench.temp, disturbance);
  const server = await startLapse(bench, dir, { env });
  await makeContainer(bench, server);
  await load(bench, server, 'create', { requests: items });
  const args = ['--port', server.port, '--disturbance', disturbance, '--items', items, '--rounds', kRounds,
    '--round-ms', Math.min(kRoundMs, bench.scaled(kRoundMs))];
  const { lines } = await run(bench.program('busy_reads'), args);
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  return lines;
}

export async function busyReads(bench) {
  const results = {};
  const rows = [];
  for (const { kind, text, limit, slowSync } of kDisturbances) {
    const rounds = await disturbed(bench, kind, slowSync);
    results[text] = rounds;
    rows.push({ figure: `read p99 while ${text} / before`, unit: 'times',
      lapse: medianOf(rounds.map((round) => round.busy_p99_ns / round.idle_p99_ns)), value: limit });
    rows.push({ figure: '  the p99 themselves', unit: 'us', lapse: median(rounds, 'busy_p99_ns') / 1000,
      yardstick: median(rounds, 'idle_p99_ns') / 1000 });
  }
  return { results, rows };
}
