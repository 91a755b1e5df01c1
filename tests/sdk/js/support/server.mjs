// A lapsed of its own for each test file: started on a free port over a temporary data directory, with the test clock,
// and always stopped by its process id, whatever the tests did.
//
// The program is taken from the environment variable LAPSED; without it, from build/release.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { Clock } from './clock.mjs';
import { RawClient } from './raw.mjs';

export const kMasterKey = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
export const kReadOnlyKey = Buffer.from('a key that may read and may not write').toString('base64');

const kRepository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
export const kProgram = path.resolve(process.env.LAPSED || path.join(kRepository, 'build/release/lapsed'));
const kStartMaxMs = 20_000;
const kStopMaxMs = 10_000;

// The environment without the variables that the server takes for options.
function withoutOptions() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LAPSE_')));
}

export function makeDataDirectory() {
  return mkdtempSync(path.join(tmpdir(), 'lapse-sdk-'));
}

// One process. `ready` gives the fields of its ready line, or fails when it ends before it says it is ready; `exited`
// gives {code, signal}. `lines` is all it has said on standard error.
export class Process {
  lines = [];

  constructor(args, env = {}) {
    this.child = spawn(kProgram, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...withoutOptions(), ...env } });
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
    // Whoever waits for `exited` still sees a failed spawn; without a waiter it must not end the test process.
    this.exited.catch(() => {});
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: this.child.stderr }).on('line', (line) => {
        this.lines.push(line);
        const fields = readyFields(line);
        if (fields) resolve(fields);
      });
      const endedEarly = (exit) => reject(new Error(`the server ended before it was ready: ${this.describe(exit)}`));
      this.exited.then(endedEarly, reject);
    });
    this.ready.catch(() => {});
    // The last resort, when the test process itself ends without its hooks.
    this.killOnExit = () => this.child.kill('SIGKILL');
    process.once('exit', this.killOnExit);
    this.exited.finally(() => process.removeListener('exit', this.killOnExit)).catch(() => {});
  }

  get pid() {
    return this.child.pid;
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  async waitReady() {
    try {
      return await within(kStartMaxMs, this.ready, 'the server to be ready');
    } catch (error) {
      await this.end('SIGKILL');
      throw error;
    }
  }

  // For a start that must fail: waits for the end, and gives the exit code.
  async waitRefused() {
    try {
      const outcome = this.ready.then(() => null, () => this.exited);
      const exit = await within(kStartMaxMs, outcome, 'the server to refuse');
      assert.ok(exit, 'the server started, and should not have');
      assert.equal(exit.signal, null, this.describe(exit));
      return exit.code;
    } finally {
      await this.end('SIGKILL');
    }
  }

  // Sends the signal and waits for the end; a process that does not obey is killed, and that is a failure.
  async end(signal) {
    if (this.running) this.child.kill(signal);
    if (this.child.pid === undefined) return { code: null, signal: null };
    try {
      return await within(kStopMaxMs, this.exited, `the server to end on ${signal}`);
    } catch (error) {
      this.child.kill('SIGKILL');
      throw error;
    }
  }

  describe(exit) {
    return `code ${exit.code}, signal ${exit.signal}\n${this.lines.slice(-10).join('\n')}`;
  }
}

// A server that a test file can stop, kill and start again over the same data. Each start has a new port, so take
// `client()` and `raw` anew after a restart; killAndStartInPlace() keeps both.
export class Server {
  constructor({ args = [], testClock = true, inMemory = false } = {}) {
    this.args = args;
    this.testClock = testClock;
    this.inMemory = inMemory;
    this.clock = new Clock(this);
    this.clients = [];
  }

  async start() {
    this.dataDirectory ??= makeDataDirectory();
    this.process = new Process(this.arguments());
    const ready = await this.process.waitReady();
    this.readyFields = ready;
    this.endpoint = ready.endpoint;
    this.connectionString = ready.connection_string;
    this.port = Number(new URL(ready.endpoint).port);
    this.raw = new RawClient(this.port, kMasterKey);
    return this;
  }

  arguments() {
    const store = this.inMemory ? ['--in-memory'] : ['--data-dir', this.dataDirectory];
    const clock = this.testClock ? ['--test-clock'] : [];
    const keys = ['--account-key', kMasterKey, '--read-only-key', kReadOnlyKey];
    return [...store, '--port', `${this.portToKeep ?? 0}`, ...keys, ...clock, ...this.args];
  }

  async stop(signal = 'SIGTERM') {
    for (const client of this.clients.splice(0)) client.dispose();
    this.sharedClient = undefined;
    return this.process.end(signal);
  }

  async restart(signal = 'SIGTERM') {
    await this.stop(signal);
    return this.start();
  }

  // As a machine that loses its power does: the same address, and the clients that were there may go on.
  async killAndStartInPlace() {
    await this.process.end('SIGKILL');
    this.portToKeep = this.port;
    return this.start();
  }

  async dispose() {
    try {
      if (this.process?.running) await this.stop('SIGKILL');
    } finally {
      if (this.dataDirectory) rmSync(this.dataDirectory, { recursive: true, force: true });
    }
  }

  // The client of this start, or with options one more.
  client(options) {
    if (!options && this.sharedClient) return this.sharedClient;
    const client = new CosmosClient({
      endpoint: this.endpoint,
      key: kMasterKey,
      connectionPolicy: { requestTimeout: 20_000, enableBackgroundEndpointRefreshing: false },
      ...options,
    });
    this.clients.push(client);
    if (!options) this.sharedClient = client;
    return client;
  }

  async health() {
    return this.raw.plain('GET', '/_lapse/health');
  }

  async assertHealthy() {
    assert.ok(this.process.running, 'the server is no longer running');
    assert.equal((await this.health()).status, 200);
  }
}

// The server of a test file or a suite, started before its tests and removed after them. `prepare` runs once it is
// there: hooks of a file do not wait for each other, so a second hook could not rely on the first.
export function serverForFile({ prepare = async () => {}, ...options } = {}) {
  const server = new Server(options);
  before(async () => prepare(await server.start()), { timeout: kStartMaxMs + kStopMaxMs });
  after(() => server.dispose(), { timeout: kStopMaxMs });
  return server;
}

// The fields of the log line that says the server is ready, or null for any other line.
function readyFields(line) {
  const event = /^\S+ \w+ ready (.*)$/.exec(line);
  if (!event) return null;
  const fields = {};
  for (const [, key, quoted, bare] of event[1].matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g)) {
    fields[key] = quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1');
  }
  return fields.endpoint ? fields : null;
}

async function within(limitMs, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${limitMs} ms for ${what}`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
