// PostgreSQL on loopback, on a data directory of its own, with the settings of Debian but for its memory.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { freePort, run, serve } from './processes.mjs';

// Debian keeps the programs of each version apart; the newest counts.
function programs() {
  const base = '/usr/lib/postgresql';
  const versions = fs.existsSync(base) ? fs.readdirSync(base).map(Number).filter(Boolean) : [];
  if (versions.length === 0) throw new Error('PostgreSQL is not installed (tools/install-deps bench)');
  return path.join(base, String(Math.max(...versions)), 'bin');
}

// It does not run as root: then it gets the user that the package made.
function account() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function startPostgres(dir, { memory }) {
  const bin = programs();
  const user = account();
  fs.mkdirSync(dir);
  if (user.uid !== undefined) {
    fs.chownSync(dir, user.uid, user.gid);
    // Every folder on the way must let that user pass; ours is new and lets nobody in.
    fs.chmodSync(path.dirname(dir), 0o755);
    fs.chmodSync(path.dirname(path.dirname(dir)), 0o755);
  }
  const data = path.join(dir, 'data');
  const locale = ['--encoding', 'UTF8', '--locale', 'C.UTF-8'];
  await run(path.join(bin, 'initdb'), ['-D', data, '-U', 'bench', '--auth', 'trust', '--no-sync', ...locale], user);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: dir, shared_buffers: memory };
  const args = ['-D', data, '-p', port];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  return serve(path.join(bin, 'postgres'), args,
    { ready: /, port (\d+)[^]*ready to accept connections/, ...user });
}
