// Rounds of load, kill -9, restart and inspection, all over one data directory.
import { setTimeout as sleep } from 'node:timers/promises';
import { kMasterKey, Process, Server } from '../sdk/support/server.mjs';
import { Batches } from './batches.mjs';
import { Connection } from './connection.mjs';
import { Inspection } from './inspection.mjs';
import { Load } from './load.mjs';
import { Container, Time } from './model.mjs';
import { Random } from './random.mjs';
import { definitionOf } from './requests.mjs';

// One container with several physical partitions, one that starts without TTL, and one whose partition keys are deleted
// with all of their items.
const kContainers = [
  { id: 'wide', defaultTtl: 60, throughput: 30_000 },
  { id: 'narrow', defaultTtl: undefined, throughput: 400 },
  { id: 'keys', defaultTtl: 60, throughput: 400, deletesKeys: true },
];
const kPartitionKeys = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
const kItemsPerContainer = 100;

const kLoadLeastMs = 50;
const kLoadMostMs = 400;
// In one of so many rounds the clock ticks, and is not moved.
const kTickingRounds = 3;
// In one of so many rounds the restart is killed as well, within this time.
const kKilledStarts = 4;
const kStartMostMs = 100;

export class Campaign {
  rounds = 0;
  restarts = 0;
  acknowledgedWrites = 0;
  itemsChecked = 0;

  constructor({ seed, durability = 'sync', connections = 32 }) {
    this.random = new Random(seed);
    this.connectionCount = connections;
    // A small cache has small write buffers, so that kills also hit the moment when tables are written.
    // As fast as it can: a throttled write would tell nothing.
    const args = ['--durability', durability, '--cache-size', '8M', '--rate-limiting', 'off'];
    this.server = new Server({ args });
    this.batches = new Batches();
  }

  get dataDirectory() {
    return this.server.dataDirectory;
  }

  describe() {
    const { rounds, acknowledgedWrites, itemsChecked, restarts } = this;
    const counts = {
      rounds,
      'acknowledged writes': acknowledgedWrites,
      'acknowledged batches': this.batches.acknowledged,
      'items checked': itemsChecked,
      restarts,
    };
    return Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(', ');
  }

  // Returns what is wrong.
  async round() {
    this.rounds += 1;
    if (this.rounds === 1) await this.prepare();
    const loaded = await this.loadAndKill();
    await this.restart();
    return [...loaded, ...(await this.inspect())];
  }

  async end({ keepData = false } = {}) {
    if (this.server.process?.running) await this.server.stop('SIGKILL');
    if (!keepData) await this.server.dispose();
  }

  async prepare() {
    await this.server.start();
    this.time = new Time(await this.server.clock.freeze());
    this.containers = kContainers.map((container) => new Container(container, this.time.now));
    await this.create(['dbs'], { id: 'db' });
    for (const container of this.containers) {
      const headers = { 'x-ms-offer-throughput': String(container.throughput) };
      await this.create(['dbs', 'db', 'colls'], definitionOf(container, container.history.defaultTtl), headers);
      for (let number = 0; number < kItemsPerContainer; number += 1) {
        container.addItem(kPartitionKeys[number % kPartitionKeys.length], `item-${number}`);
      }
    }
    await this.create(['dbs', 'db', 'colls'], definitionOf(this.batches.container));
  }

  async create(parts, body, headers) {
    const { status, text } = await this.server.raw.request('POST', parts, { body, headers });
    if (status !== 201) throw new Error(`${parts.join('/')} was answered ${status}: ${text}`);
  }

  async loadAndKill() {
    if (this.random.oneIn(kTickingRounds)) {
      await this.server.clock.resume();
      this.time.resume();
    }
    const load = new Load(this);
    const all = this.connectionCount + 2 + Batches.connections;
    await this.withConnections(all, async (connections) => {
      const running = Promise.all([
        load.run(connections.slice(Batches.connections)),
        this.batches.run(connections.slice(0, Batches.connections), () => load.killed),
      ]);
      await sleep(this.random.between(kLoadLeastMs, kLoadMostMs));
      load.killed = true;
      await this.server.stop('SIGKILL');
      await running;
    });
    this.acknowledgedWrites += load.acknowledgedWrites;
    return load.violations;
  }

  async restart() {
    if (this.random.oneIn(kKilledStarts)) {
      const starting = new Process(this.server.arguments());
      await sleep(this.random.below(kStartMostMs));
      await starting.end('SIGKILL');
      this.restarts += 1;
    }
    await this.server.start();
    this.restarts += 1;
  }

  async inspect() {
    const inspection = new Inspection(this);
    let halves = [];
    await this.withConnections(Math.min(this.connectionCount, 16), async (connections) => {
      await inspection.run(connections);
      halves = await this.batches.inspect(connections[0]);
    });
    this.itemsChecked += inspection.itemsChecked;
    return [...inspection.violations, ...halves];
  }

  async withConnections(count, use) {
    const connections = Array.from({ length: count }, () => new Connection(this.server.port, kMasterKey));
    try {
      await use(connections);
    } finally {
      for (const connection of connections) connection.close();
    }
  }
}
