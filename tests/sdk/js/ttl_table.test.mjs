// Every row of the table that says when an item is expired, one second before, at and after each instant that could
// matter, for every way to look at an item or to write it: as it is, and with the server restarted or killed in
// between.
import assert from 'node:assert/strict';
import { forAll, newContainer, statusOf, test } from './support/check.mjs';
import { Server } from './support/server.mjs';

const kNever = Infinity;
const kTenYears = 315_360_000;

// [container default, item ttl, seconds from the last write to expiry]
const kRows = [
  [undefined, undefined, kNever],
  [undefined, -1, kNever],
  [undefined, 40, kNever],
  [undefined, 250, kNever],
  [null, undefined, kNever],
  [null, -1, kNever],
  [null, 40, kNever],
  [null, 250, kNever],
  [-1, undefined, kNever],
  [-1, -1, kNever],
  [-1, 40, 40],
  [-1, 250, 250],
  [100, undefined, 100],
  [100, -1, kNever],
  [100, 40, 40],
  [100, 250, 250],
];

// Each check has an item to itself, since most of them change it. `item` is what the create answered.
const kChecks = {
  async 'point read'({ container, item, live }) {
    const response = await container.item(item.id, item.pk).read();
    assert.equal(response.statusCode, live ? 200 : 404);
    if (live) assert.deepEqual(response.resource, item);
  },
  async 'read feed'({ server, container, item, live }) {
    const feed = await server.raw.request('GET', ['dbs', 'db', 'colls', container.id, 'docs'], {
      headers: { 'x-ms-documentdb-partitionkey': JSON.stringify([item.pk]) },
    });
    assert.equal(feed.status, 200, feed.text);
    assert.deepEqual(feed.json.Documents, live ? [item] : []);
    assert.equal(feed.json._count, live ? 1 : 0);
  },
  async 'read all of a key'({ container, item, live }) {
    const { resources } = await container.items.readAll({ partitionKey: item.pk }).fetchAll();
    assert.deepEqual(resources, live ? [item] : []);
  },
  async 'read all'({ container, item, live }) {
    const { resources } = await container.items.readAll().fetchAll();
    assert.equal(resources.some((one) => one.id === item.id), live);
  },
  async create({ container, item, live }) {
    assert.equal(await statusOf(container.items.create({ id: item.id, pk: item.pk, again: true })), live ? 409 : 201);
    const { resource } = await container.item(item.id, item.pk).read();
    assert.equal(resource.again, live ? undefined : true);
  },
  async upsert({ container, item, live }) {
    const { statusCode, resource } = await container.items.upsert({ id: item.id, pk: item.pk, again: true });
    assert.equal(statusCode, live ? 200 : 201);
    assert.equal(resource._rid === item._rid, live, 'a new item is not the old one');
    assert.equal((await container.item(item.id, item.pk).read()).resource.again, true);
  },
  async replace({ container, item, live }) {
    const reference = container.item(item.id, item.pk);
    assert.equal(await statusOf(reference.replace({ id: item.id, pk: item.pk, again: true })), live ? 200 : 404);
    assert.equal((await reference.read()).statusCode, live ? 200 : 404);
  },
  async delete({ container, item, live }) {
    const reference = container.item(item.id, item.pk);
    assert.equal(await statusOf(reference.delete()), live ? 204 : 404);
    assert.equal((await reference.read()).statusCode, 404);
  },
  async 'replace if it matches'({ container, item, live }) {
    const reference = container.item(item.id, item.pk);
    const body = { id: item.id, pk: item.pk, again: true };
    assert.equal(await statusOf(reference.replace(body, ifMatch('"another"'))), live ? 412 : 404);
    assert.equal(await statusOf(reference.replace(body, ifMatch(item._etag))), live ? 200 : 404);
  },
  async 'delete if it matches'({ container, item, live }) {
    const reference = container.item(item.id, item.pk);
    assert.equal(await statusOf(reference.delete(ifMatch('"another"'))), live ? 412 : 404);
    assert.equal(await statusOf(reference.delete(ifMatch(item._etag))), live ? 204 : 404);
  },
};

const ifMatch = (condition) => ({ accessCondition: { type: 'IfMatch', condition } });

// Around each instant at which a wrong rule could expire the item, and long after all of them.
function instantsOf([containerDefault, ttl]) {
  const deadlines = [containerDefault, ttl].filter((seconds) => seconds > 0);
  return [...deadlines.flatMap((seconds) => [seconds - 1, seconds, seconds + 1]), kTenYears];
}

function nameOf([containerDefault, ttl, lifetime]) {
  const outcome = lifetime === kNever ? 'never expires' : `expires after ${lifetime} s`;
  return `default ${containerDefault}, ttl ${ttl}: ${outcome}`;
}

// Writes, at this frozen instant, an item for every row, instant and check. Returns the probes, in order of time.
async function writeItems(server) {
  const probes = new Map();
  for (const row of kRows) {
    const container = await newContainer(server.client(), row[0] === undefined ? {} : { defaultTtl: row[0] });
    const wanted = instantsOf(row).flatMap((instant) => Object.keys(kChecks).map((check) => ({ instant, check })));
    await forAll(wanted, async ({ instant, check }) => {
      const id = `${check} at ${instant}`;
      const body = row[1] === undefined ? { id, pk: id } : { id, pk: id, ttl: row[1] };
      const { resource: item } = await container.items.create(body);
      const probe = probes.get(instant) ?? new Map();
      probes.set(instant, probe);
      probe.set(row, [...(probe.get(row) ?? []), { check, item, containerId: container.id }]);
    });
  }
  return [...probes].sort(([a], [b]) => a - b);
}

async function runProbe(server, row, instant, items) {
  const live = instant < row[2];
  for (const { check, item, containerId } of items) {
    const container = server.client().database('db').container(containerId);
    try {
      await kChecks[check]({ server, container, item, live });
    } catch (error) {
      error.message = `${check}: ${error.message}`;
      throw error;
    }
  }
}

for (const signal of [undefined, 'SIGTERM', 'SIGKILL']) {
  test(signal ? `with a restart (${signal}) between write and check` : 'without a restart', async (t) => {
    const server = new Server();
    t.after(() => server.dispose());
    await server.start();
    const start = await server.clock.freeze();
    for (const [instant, rows] of await writeItems(server)) {
      await server.clock.set(start + instant);
      if (signal) await server.restart(signal);
      for (const [row, items] of rows) {
        await t.test(`${nameOf(row)}: at +${instant} s`, () => runProbe(server, row, instant, items));
      }
    }
  });
}
