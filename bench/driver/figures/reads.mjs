// Point reads over HTTP with authentication, against nginx and against a bare Asio + RocksDB server.
import path from 'node:path';

import { kClientCore, kServerCore } from '../processes.mjs';
import { load, makeContainer, startBare, startLapse, startNginx } from '../servers.mjs';
import { alternate, median } from '../statistics.mjs';

const kItems = 100_000;

// Loaded and started again, so that the data is in tables as it would be in a server that has run for long.
async function startLoaded(bench, dir, items, cacheSize) {
  const loading = await startLapse(bench, dir, { options: ['--durability', 'relaxed'] });
  await makeContainer(bench, loading);
  await load(bench, loading, 'create', { requests: items });
  await loading.stop();
  return startLapse(bench, dir, { core: kServerCore, options: ['--cache-size', cacheSize] });
}

export async function reads(bench) {
  const items = bench.scaled(kItems);
  const answer = path.join(bench.temp, 'answer');
  const dir = path.join(bench.temp, 'reads');
  const lapse = await startLoaded(bench, dir, items, '1G');
  await load(bench, lapse, 'read', { items, requests: 1, connections: 1, 'save-answer': answer });
  const nginx = await startNginx(path.join(bench.temp, 'nginx'), answer, { core: kServerCore });
  const bare = await startBare(bench, path.join(bench.temp, 'bare'), answer, items, { core: kServerCore });

  const flags = { items, 'warm-up': items, requests: 2 * items, connections: 64 };
  const read = (server) => () => load(bench, server, 'read', flags, { core: kClientCore });
  const results = await alternate(bench.rounds, { nginx: read(nginx), lapse: read(lapse), bare: read(bare) });
  await Promise.all([lapse.stop(), nginx.stop(), bare.stop()]);

  const rate = (name) => median(results[name], 'per_second');
  const cpu = (name) => median(results[name], 'server_cpu_ns');
  const p99 = (name) => median(results[name], 'p99_ns') / 1000;
  return {
    results,
    rows: [
      { figure: 'point read 1 KB, signed / nginx', unit: '/s', lapse: rate('lapse'), yardstick: rate('nginx'),
        ratio: { min: 0.6, aim: 0.8 } },
      { figure: 'point read 1 KB, signed / Asio + RocksDB', unit: '/s', lapse: rate('lapse'), yardstick: rate('bare') },
      { figure: '  server CPU for a read / nginx', unit: 'ns', lapse: cpu('lapse'), yardstick: cpu('nginx') },
      { figure: '  server CPU for a read / Asio + RocksDB', unit: 'ns', lapse: cpu('lapse'), yardstick: cpu('bare') },
      { figure: '  read p99 / nginx', unit: 'us', lapse: p99('lapse'), yardstick: p99('nginx') },
    ],
  };
}
