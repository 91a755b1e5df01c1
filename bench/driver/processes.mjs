// Programs and servers under measurement. Every process that is started here is ended here, by its own handle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';

const kReadyMaxMs = 600_000; // the bare server loads its data first
const kStopMaxMs = 10_000;

const running = new Set();

// One core for the server, another for the client, so that neither is moved about while it is measured.
export const kServerCore = os.cpus().length >= 2 ? 1 : undefined;
export const kClientCore = os.cpus().length >= 2 ? 0 : undefined;

function launch(program, args, { core, uid, gid, stdio, env }) {
  const command = core === undefined ? [program, ...args] : ['taskset', '-c', String(core), program, ...args];
  const cwd = uid === undefined ? undefined : '/';
  const child = spawn(command[0], command.slice(1), { stdio, uid, gid, cwd, env: { ...process.env, ...env } });
  running.add(child);
  child.on('exit', () => running.delete(child));
  child.on('error', (error) => {
    running.delete(child);
    child.failure = error;
  });
  return child;
}

function commandOf(program, args) {
  return [program, ...args].join(' ');
}

// Runs a program to its end, at times for another user; the JSON lines that it printed.
export async function run(program, args, { core, uid, gid } = {}) {
  const child = launch(program, args.map(String), { core, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  await once(child, 'close');
  if (child.exitCode !== 0) {
    const why = child.failure ?? child.signalCode ?? `exit code ${child.exitCode}`;
    throw new Error(`${commandOf(program, args)}: ${why} ${err.slice(-2000)}`);
  }
  return { lines: out.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)), err };
}

// Starts a server and waits until `ready` finds its port in what it prints, or until the port given accepts.
export async function serve(program, args, { core, uid, gid, ready, port, env }) {
  const child = launch(program, args.map(String), { core, uid, gid, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const found = new Promise((resolve, reject) => {
    const look = (text) => {
      if (printed.length < 100_000) printed += text;
      const match = ready && printed.match(ready);
      if (match) resolve(Number(match[1]));
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.on('close', () => reject(new Error(`${commandOf(program, args)} ended: ${child.failure ?? printed}`)));
    setTimeout(() => reject(new Error(`${commandOf(program, args)} is not ready: ${printed}`)), kReadyMaxMs).unref();
    if (!ready) waitForPort(port).then(() => resolve(port), reject);
  });
  return { port: await found, pid: child.pid, stop: () => stop(child) };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  const force = setTimeout(() => child.kill('SIGKILL'), kStopMaxMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(force);
}

export async function stopAll() {
  await Promise.all([...running].map(stop));
}

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForPort(port) {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const socket = net.connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(() => true, () => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing listens on port ${port}`);
}
