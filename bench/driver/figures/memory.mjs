// What a server with the default settings holds after it has taken in a million items and answered reads of them.
import fs from 'node:fs';
import path from 'node:path';

import { load, makeContainer, startLapse } from '../servers.mjs';

const kItems = 1_000_000;
const kReads = 200_000;

// Resident memory and its proportional share, in kilobytes.
function memoryOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name) => Number(text.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))[1]);
  return { rss_kb: field('Rss'), pss_kb: field('Pss') };
}

export async function memory(bench) {
  const items = bench.scaled(kItems);
  const dir = path.join(bench.temp, 'memory');
  const server = await startLapse(bench, dir, { options: ['--durability', 'relaxed'] });
  await makeContainer(bench, server);
  const create = await load(bench, server, 'create', { requests: items });
  const loaded = memoryOf(server.pid);
  const read = await load(bench, server, 'read', { items, requests: bench.scaled(kReads) });
  const used = memoryOf(server.pid);
  await server.stop();
  fs.rmSync(dir, { recursive: true });
  const count = items.toLocaleString('en');
  return {
    results: { create, loaded, read, used },
    rows: [
      { figure: `resident memory with ${count} items`, unit: 'MB', lapse: used.rss_kb / 1024 },
      { figure: '  right after they were created', unit: 'MB', lapse: loaded.rss_kb / 1024 },
      { figure: '  creates, relaxed durability', unit: '/s', lapse: create.per_second },
      { figure: '  reads over all of them, default cache', unit: '/s', lapse: read.per_second },
    ],
  };
}
