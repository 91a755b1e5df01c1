// All items of a partition key deleted at once, as the SDK does it.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeedMode, ChangeFeedPolicy, ChangeFeedRetentionTimeSpan, ChangeFeedStartFrom, StatusCodes }
  from '@azure/cosmos';
import { failure, forAll, newContainer, statusOf, test } from './support/check.mjs';
import { kReadOnlyKey, serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const kSweepMaxMs = 20_000;
const kPauseMs = 20;

const made = (definition, options) => newContainer(server.client(), definition, options);
const idsOf = async (iterator) => (await iterator.fetchAll()).resources.map((item) => item.id).sort();
const allIds = (container) => idsOf(container.items.readAll());
const createMany = (container, pk, count) =>
  forAll(Array.from({ length: count }, (_, n) => `${pk}${n}`), (id) => container.items.create({ id, pk }));

async function report(container) {
  const answer = await server.raw.plain('GET', `/_lapse/ttl/db/${container.id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

// The sweeper works in real time: asks until the records are gone.
async function removed(container) {
  const end = Date.now() + kSweepMaxMs;
  for (;;) {
    const now = await report(container);
    if (now.deleted.items === 0 && now.backlog.items === 0) return now;
    assert.ok(Date.now() < end, `deleted items stay: ${JSON.stringify(now)}`);
    await sleep(kPauseMs);
  }
}

test('the items are gone at once, and no others', async () => {
  const container = await made({ defaultTtl: 1000 }, { offerThroughput: 25_000 });
  await createMany(container, 'p', 30);
  await createMany(container, 'q', 3);
  const old = (await container.item('p7', 'p').read()).resource;
  const answer = await container.deleteAllItemsForPartitionKey('p');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.requestCharge, 5);
  assert.equal((await container.item('p7', 'p').read()).statusCode, 404);
  assert.deepEqual(await allIds(container), ['q0', 'q1', 'q2']);
  assert.deepEqual(await idsOf(container.items.readAll({ partitionKey: 'p' })), []);
  assert.deepEqual(await idsOf(container.items.query('SELECT * FROM c', { partitionKey: 'p' })), []);
  assert.deepEqual((await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources, [3]);
  assert.equal((await report(container)).live.items, 3);
  await failure(container.item('p7', 'p').replace({ id: 'p7', pk: 'p' }), 404);
  await failure(container.item('p7', 'p').patch([{ op: 'set', path: '/n', value: 1 }]), 404);
  await failure(container.item('p7', 'p').delete(), 404);

  const created = await container.items.create({ id: 'p7', pk: 'p', n: 1 });
  assert.equal(created.statusCode, 201);
  assert.notEqual(created.resource._rid, old._rid);
  assert.equal((await container.items.upsert({ id: 'p8', pk: 'p' })).statusCode, 201);
  const after = await removed(container);
  assert.equal(after.live.items, 5);
  assert.equal(after.purged.items, 0, 'they were deleted, they did not expire');
  assert.deepEqual(await allIds(container), ['p7', 'p8', 'q0', 'q1', 'q2']);
});

test('it survives a restart', async () => {
  const container = await made();
  await createMany(container, 'p', 20);
  await createMany(container, 'q', 1);
  await container.deleteAllItemsForPartitionKey('p');
  await server.restart();
  const again = server.client().database('db').container(container.id);
  assert.equal((await again.item('p3', 'p').read()).statusCode, 404);
  assert.deepEqual(await allIds(again), ['q0']);
  await removed(again);
  assert.deepEqual(await allIds(again), ['q0']);
});

test('keys of every kind, and a key without items', async () => {
  const container = await made();
  const keys = ['text', 5, true, null];
  for (const pk of keys) await container.items.create({ id: 'x', pk });
  for (const pk of keys) {
    assert.equal((await container.deleteAllItemsForPartitionKey(pk)).statusCode, 200);
    assert.equal((await container.item('x', pk).read()).statusCode, 404);
  }
  assert.equal((await container.deleteAllItemsForPartitionKey('nobody')).statusCode, 200);
  assert.deepEqual(await allIds(container), []);
});

test('a hierarchical key must be whole', async () => {
  const container = await made({ partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 2 } });
  for (const b of ['x', 'y']) await container.items.create({ id: b, a: 't', b });
  await failure(container.deleteAllItemsForPartitionKey(['t']), 400, 1001);
  assert.deepEqual(await allIds(container), ['x', 'y']);
  assert.equal((await container.deleteAllItemsForPartitionKey(['t', 'x'])).statusCode, 200);
  assert.deepEqual(await allIds(container), ['y']);
});

test('who may, and where', async () => {
  const container = await made();
  for (const pk of ['p', 'q']) await container.items.create({ id: pk, pk });
  const as = (options) => server.client(options).database('db').container(container.id);
  assert.equal(await statusOf(as({ key: kReadOnlyKey }).deleteAllItemsForPartitionKey('p')), 401);
  const { user } = await container.database.users.create({ id: 'u' });
  const body = { id: 'key', permissionMode: 'All', resource: container.url, resourcePartitionKey: ['p'] };
  const { resource } = await user.permissions.create(body);
  const holder = as({ key: undefined, resourceTokens: { [container.url]: resource._token } });
  assert.equal(await statusOf(holder.deleteAllItemsForPartitionKey('q')), 403);
  assert.equal(await statusOf(holder.deleteAllItemsForPartitionKey('p')), 200);
  assert.deepEqual(await allIds(container), ['q']);
  const nowhere = container.database.container('nowhere');
  assert.equal(await statusOf(nowhere.deleteAllItemsForPartitionKey('p')), 404);
});

test('each item is a delete in the full change feed, once', async () => {
  const container = await made({
    defaultTtl: 10,
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(60)),
  });
  await createMany(container, 'p', 5);
  const iterator = container.items.getChangeFeedIterator({
    changeFeedStartFrom: ChangeFeedStartFrom.Now(),
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
  });
  const records = [];
  const readOn = async () => {
    for (let page = await iterator.readNext(); page.statusCode !== StatusCodes.NotModified; ) {
      records.push(...page.result);
      page = await iterator.readNext();
    }
  };
  await readOn();
  const { now } = await report(container);
  await container.deleteAllItemsForPartitionKey('p');
  await server.clock.advance(100); // their time runs out, and they were deleted all the same
  await removed(container);
  await readOn();
  assert.equal(records.length, 5);
  assert.equal(new Set(records.map((record) => record.metadata.lsn)).size, 5);
  assert.deepEqual(records.map((record) => record.previous.id).sort(), ['p0', 'p1', 'p2', 'p3', 'p4']);
  for (const { metadata } of records) {
    assert.equal(metadata.operationType, 'delete');
    assert.equal(metadata.timeToLiveExpired ?? false, false);
    assert.equal(metadata.crts, now);
  }
});
