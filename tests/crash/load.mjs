// What happens to the server between its start and its end: writers, each with a connection and items of its own, one
// that also deletes whole partition keys, and one that moves time and changes policies.
import { setTimeout as sleep } from 'node:timers/promises';
import { documentOf } from './document.mjs';
import { definitionOf, docsOf, keyDeletionIn, partitionKey, pathOfContainer, pathOfItem } from './requests.mjs';

const kOwnTtls = [undefined, undefined, -1, 3, 10, 40, 400];
const kDefaultTtls = [undefined, -1, 5, 30, 120, 1000];
const kAdvances = [1, 2, 5, 15, 60];

// What each kind of request looks like, and what its status says: there was a live item, or there was none.
const kRequests = {
  create: { method: 'POST', found: 409, missing: 201 },
  upsert: { method: 'POST', found: 200, missing: 201 },
  replace: { method: 'PUT', found: 200, missing: 404 },
  delete: { method: 'DELETE', found: 204, missing: 404 },
  read: { method: 'GET', found: 200, missing: 404 },
};

const kKindsWhenLive = ['replace', 'upsert', 'upsert', 'delete', 'create', 'read'];
const kKindsWhenDead = ['create', 'create', 'upsert', 'replace', 'read'];

export class Load {
  killed = false;
  violations = [];
  acknowledgedWrites = 0;
  changes = 0; // of time or policy, begun and ended: odd while one is under way

  constructor({ time, containers, random }) {
    this.time = time;
    this.containers = containers;
    this.random = random;
  }

  // Runs until the server is killed. `connections`: one for whoever moves time, one for whoever deletes keys, and one
  // for each other writer.
  async run(connections) {
    const [mover, deleter, ...writers] = connections;
    const deletable = this.containers.filter((container) => container.deletesKeys);
    const items = this.containers.filter((container) => !container.deletesKeys).flatMap(({ items: own }) => own);
    const shares = writers.map((_, index) => items.filter((item, number) => number % writers.length === index));
    await Promise.all([
      this.untilKilled(() => this.change(mover)),
      this.untilKilled(() => this.requestOrDelete(deleter, this.random.pick(deletable))),
      ...writers.map((writer, index) => this.untilKilled(() => this.request(writer, this.random.pick(shares[index])))),
    ]);
  }

  async untilKilled(step) {
    while (!this.killed && this.violations.length === 0) {
      try {
        await step();
      } catch (error) {
        if (!this.killed) this.violations.push(`a request failed before the server was killed: ${error.stack}`);
      }
    }
  }

  report(violation) {
    if (violation) this.violations.push(violation);
  }

  async request(connection, item) {
    const wasLive = item.isLive();
    const kind = this.random.pick(wasLive ? kKindsWhenLive : kKindsWhenDead);
    const expected = kRequests[kind];
    const { changes } = this;
    const write = kind === 'read' ? null : item.send(kind, this.random.pick(kOwnTtls), this.time.now);
    const answer = await this.send(connection, item, kind, write);

    const found = answer.status === expected.found;
    if (!found && answer.status !== expected.missing) {
      this.report(`${item.name}: ${kind} was answered ${answer.status}: ${answer.text}`);
      return;
    }
    // While time and policy stand still a live item stays one. A dead one stays dead whatever happens.
    const stoodStill = this.time.frozen && changes === this.changes && changes % 2 === 0;
    if (found && !wasLive) this.report(item.say(`${kind} found an item that cannot be live`, answer.json));
    if (!found && wasLive && stoodStill) this.report(item.say(`${kind} did not find a live item`));
    this.learn(item, kind, write, answer, { found, stoodStill });
  }

  // Nobody else touches the items of this container.
  async requestOrDelete(connection, container) {
    const item = this.random.pick(container.items);
    if (!this.random.oneIn(20)) return this.request(connection, item);
    const items = container.itemsOfKey(item.pk);
    for (const one of items) one.send('delete', undefined, this.time.now);
    container.unansweredDeletion = items;
    const headers = partitionKey(item);
    const answer = await connection.request('POST', keyDeletionIn(container), { headers });
    if (answer.status !== 200) throw new Error(`the deletion of a key was answered ${answer.status}: ${answer.text}`);
    container.unansweredDeletion = null;
    this.acknowledgedWrites += 1;
    for (const one of items) one.deleted();
    return undefined;
  }

  learn(item, kind, write, answer, { found, stoodStill }) {
    if (kind === 'read') {
      // An answer that was under way while time moved may be older than the time that is known by now.
      if (found) this.report(item.found(answer.json, { atKnownTime: stoodStill }));
      else item.deleted();
    } else if (answer.status === 404 || answer.status === 409) {
      item.refused(write);
      if (!found) item.deleted();
    } else {
      this.acknowledgedWrites += 1;
      if (kind === 'delete') {
        item.deleted();
        return;
      }
      this.time.saw(answer.json._ts);
      this.report(item.written(write, answer.json));
    }
  }

  send(connection, item, kind, write) {
    const isNew = kind === 'create' || kind === 'upsert';
    const headers = partitionKey(item);
    if (kind === 'upsert') headers['x-ms-documentdb-is-upsert'] = 'true';
    const hasBody = isNew || kind === 'replace';
    const body = hasBody ? documentOf({ pk: item.pk, id: item.id, n: write.n, ttl: write.ttl }) : undefined;
    const parts = isNew ? docsOf(item.container) : pathOfItem(item);
    return connection.request(kRequests[kind].method, parts, { headers, body });
  }

  async change(connection) {
    await sleep(this.random.between(1, 30));
    if (this.killed || !this.time.frozen) return;
    this.changes += 1;
    if (this.random.oneIn(2)) await this.advance(connection, this.random.pick(kAdvances));
    else await this.changePolicy(connection, this.random.pick(this.containers), this.random.pick(kDefaultTtls));
    this.changes += 1;
  }

  async advance(connection, seconds) {
    this.time.unansweredAdvance = seconds;
    const answer = await connection.plain('POST', '/_lapse/clock', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: seconds }),
    });
    if (answer.status !== 200) throw new Error(`the clock answered ${answer.status}: ${answer.text}`);
    this.report(this.time.learn(answer.json));
    for (const container of this.containers) container.history.moveTimeTo(this.time.now);
  }

  async changePolicy(connection, container, defaultTtl) {
    container.unansweredChange = { defaultTtl };
    const answer = await connection.request('PUT', pathOfContainer(container), {
      body: definitionOf(container, defaultTtl),
    });
    if (answer.status !== 200) throw new Error(`a replaced container was answered ${answer.status}: ${answer.text}`);
    container.unansweredChange = null;
    container.history.change(defaultTtl);
  }
}
