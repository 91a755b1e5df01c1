// The limit on the size of a logical partition, which a flag makes small enough to get there.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BulkOperationType } from '@azure/cosmos';
import { failure, newContainer, statusOf, test } from './support/check.mjs';
import { Process, serverForFile } from './support/server.mjs';

const kLimit = 64 * 1024;
const server = serverForFile({
  args: ['--logical-partition-max', '64K'],
  prepare: (started) => started.clock.freeze(),
});

const kSweepMaxMs = 20_000;
const kPauseMs = 20;
const kMessage = 'Partition key reached maximum size of 64 KB';

const item = (id, bytes, more = {}) => ({ id, pk: 'p', text: 'x'.repeat(bytes), ...more });
const full = async (promise) => {
  const error = await failure(promise, 403, 1014);
  assert.equal(error.body.code, 'Forbidden');
  assert.ok(error.body.message.includes(kMessage), error.body.message);
};
// Holds an item of nearly all that the key may have.
async function nearlyFull(definition, more) {
  const container = await newContainer(server.client(), definition);
  await container.items.create(item('large', kLimit - 1000, more));
  return container;
}

test('every way to make it larger is refused and changes nothing', async () => {
  const container = await nearlyFull();
  const small = (await container.items.create(item('small', 10))).resource;
  await full(container.items.create(item('new', 2000)));
  await full(container.items.upsert(item('new', 2000)));
  await full(container.items.upsert(item('small', 2000)));
  await full(container.item('small', 'p').replace(item('small', 2000)));
  await full(container.item('small', 'p').patch([{ op: 'set', path: '/text', value: 'y'.repeat(2000) }]));

  const create = (id, bytes) => ({ operationType: BulkOperationType.Create, resourceBody: item(id, bytes) });
  const batch = await container.items.batch([create('a', 10), create('b', 2000), create('c', 10)], 'p');
  assert.equal(batch.code, 207);
  assert.deepEqual(batch.result.map((one) => one.statusCode), [424, 403, 424]);
  assert.equal(batch.result[1].subStatusCode, 1014);
  const bulk = await container.items.bulk(
    [create('d', 10), create('e', 2000), create('f', 10)].map((one) => ({ ...one, partitionKey: 'p' })),
    { continueOnError: true },
  );
  assert.deepEqual(bulk.map((one) => one.statusCode), [201, 403, 201]);
  assert.equal(bulk[1].subStatusCode, 1014);

  const { resources } = await container.items.readAll({ partitionKey: 'p' }).fetchAll();
  assert.deepEqual(resources.map((one) => one.id), ['large', 'small', 'd', 'f']);
  assert.equal(resources[1]._etag, small._etag);
});

test('other keys, deletes and writes that shrink go through', async () => {
  const container = await nearlyFull();
  await full(container.items.create(item('new', 2000)));
  assert.equal(await statusOf(container.items.create(item('new', 2000, { pk: 'q' }))), 201);
  assert.equal(await statusOf(container.item('large', 'p').replace(item('large', kLimit - 3000))), 200);
  assert.equal(await statusOf(container.items.create(item('new', 2000))), 201);
  await full(container.items.create(item('newer', 2000)));
  assert.equal(await statusOf(container.item('large', 'p').delete()), 204);
  assert.equal(await statusOf(container.items.create(item('large', kLimit - 4000))), 201);
  await container.deleteAllItemsForPartitionKey('p');
  assert.equal(await statusOf(container.items.create(item('large', kLimit - 1000))), 201);
  await full(container.items.create(item('new', 2000)));
});

test('what has expired makes room in the end', async () => {
  const container = await nearlyFull({ defaultTtl: -1 }, { ttl: 10 });
  await full(container.items.create(item('new', 2000)));
  await server.clock.advance(10);
  // The sweeper works in real time.
  const end = Date.now() + kSweepMaxMs;
  while ((await statusOf(container.items.create(item('new', 2000)))) === 403) {
    assert.ok(Date.now() < end, 'no room was made');
    await sleep(kPauseMs);
  }
  assert.equal(await statusOf(container.items.create(item('newer', kLimit - 4000))), 201);
  await full(container.items.create(item('newest', 2000)));
});

test('the limit holds after a restart and after a kill', async () => {
  const { id } = await nearlyFull();
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    await server.restart(signal);
    const container = server.client().database('db').container(id);
    await full(container.items.create(item('new', 2000)));
    assert.equal(await statusOf(container.items.upsert(item('small', 10))), signal === 'SIGTERM' ? 201 : 200);
  }
});

test('a size that is none is refused at the start', async () => {
  for (const text of ['-1', 'much', '9T']) {
    const refused = new Process(['--in-memory', '--port', '0', '--logical-partition-max', text]);
    assert.equal(await refused.waitRefused(), 2);
    assert.match(refused.lines.join('\n'), /--logical-partition-max must be a size/);
  }
});
