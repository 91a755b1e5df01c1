// What a server holds while a thousand clients are in the middle of sending 4 MB each: strangers, and some that signed.
import fs from 'node:fs';
import path from 'node:path';

import { run } from '../processes.mjs';
import { makeContainer, startLapse } from '../servers.mjs';

const kConnections = 1000;

async function measure(bench, signed, connections) {
  const dir = path.join(bench.temp, signed ? 'signed' : 'unsigned');
  const server = await startLapse(bench, dir);
  await makeContainer(bench, server);
  const args = ['--port', server.port, '--server-pid', server.pid, '--connections', connections];
  const { lines } = await run(bench.program('request_memory'), [...args, '--signed', signed ? 1 : 0]);
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  return lines[0];
}

export async function requestMemory(bench) {
  const connections = bench.scaled(kConnections);
  const unsigned = await measure(bench, false, connections);
  const signed = await measure(bench, true, connections);
  const count = connections.toLocaleString('en');
  const row = (figure, kb, value) => ({ figure, unit: 'MB', lapse: kb / 1024, value });
  return {
    results: { unsigned, signed },
    rows: [
      row(`peak memory, ${count} unfinished bodies, unsigned`, unsigned.peak_rss_kb, { max: 100 }),
      row('  after they have gone', unsigned.after_rss_kb, { max: 60 }),
      row('  signed, --request-memory 256M', signed.peak_rss_kb),
      row('  after they have gone', signed.after_rss_kb, { max: 60 }),
    ],
  };
}
