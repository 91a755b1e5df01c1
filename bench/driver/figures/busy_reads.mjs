// Point reads while definitions change, and while another container is written and synced: nobody who reads waits.
import path from 'node:path';

import { run } from '../processes.mjs';
import { load, makeContainer, startLapse } from '../servers.mjs';
import { median, medianOf } from '../statistics.mjs';

const kItems = 10_000;
const kRounds = 9;
const kRoundMs = 2000;
const kLongerMax = 1.5;
const kDisturbances = { definitions: 'definitions change', writes: 'another container is written' };

// A server for each, so that none has the other's tables to compact.
async function disturbed(bench, disturbance) {
  const items = bench.scaled(kItems);
  const server = await startLapse(bench, path.join(bench.temp, disturbance));
  await makeContainer(bench, server);
  await load(bench, server, 'create', { requests: items });
  const args = ['--port', server.port, '--disturbance', disturbance, '--items', items, '--rounds', kRounds,
    '--round-ms', Math.min(kRoundMs, bench.scaled(kRoundMs))];
  const { lines } = await run(bench.program('busy_reads'), args);
  await server.stop();
  return lines;
}

export async function busyReads(bench) {
  const results = {};
  const rows = [];
  for (const [disturbance, text] of Object.entries(kDisturbances)) {
    const rounds = await disturbed(bench, disturbance);
    results[disturbance] = rounds;
    rows.push({ figure: `read p99 while ${text} / before`, unit: 'times',
      lapse: medianOf(rounds.map((round) => round.busy_p99_ns / round.idle_p99_ns)), value: { max: kLongerMax } });
    rows.push({ figure: '  the p99 themselves', unit: 'us', lapse: median(rounds, 'busy_p99_ns') / 1000,
      yardstick: median(rounds, 'idle_p99_ns') / 1000 });
  }
  return { results, rows };
}
