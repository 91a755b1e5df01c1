// Transactional batches as the SDK sends them.
import assert from 'node:assert/strict';
import { BulkOperationType, ChangeFeedStartFrom } from '@azure/cosmos';
import { newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

let container;
const server = serverForFile({
  async prepare(started) {
    await started.clock.freeze();
    container = await newContainer(started.client(), { defaultTtl: -1 });
  },
});

const { Create, Upsert, Read, Delete, Replace, Patch } = BulkOperationType;
const codesOf = (answer) => answer.result.map((one) => one.statusCode);
const create = (id, more = {}) => ({ operationType: Create, resourceBody: { id, ...more } });

// The partition key of a test of its own.
const newKey = () => uniqueName('k');

test('every operation, each seeing those before it', async () => {
  const key = newKey();
  const answer = await container.items.batch(
    [
      { operationType: Create, resourceBody: { id: 'a', pk: key, n: 1 } },
      { operationType: Read, id: 'a' },
      { operationType: Replace, id: 'a', resourceBody: { id: 'a', pk: key, n: 2 } },
      { operationType: Patch, id: 'a', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 3 }] } },
      { operationType: Upsert, resourceBody: { id: 'b', pk: key } },
      { operationType: Delete, id: 'b' },
    ],
    key,
  );
  assert.equal(answer.code, 200);
  assert.deepEqual(codesOf(answer), [201, 200, 200, 200, 201, 204]);
  assert.equal(answer.result[1].resourceBody.n, 1);
  assert.equal(answer.result[3].resourceBody.n, 5);
  const { resource, etag } = await container.item('a', key).read();
  assert.deepEqual(answer.result[3].resourceBody, resource);
  assert.equal(answer.result[3].eTag, etag);
  assert.equal(await statusOf(container.item('b', key).read()), 404);
  const sum = answer.result.reduce((total, one) => total + one.requestCharge, 0);
  assert.ok(Math.abs(sum - Number(answer.headers['x-ms-request-charge'])) < 0.01);
});

test('a failure leaves nothing behind', async () => {
  const key = newKey();
  const item = (id) => ({ operationType: Create, resourceBody: { id, pk: key } });
  await container.items.create({ id: 'there', pk: key });
  const answer = await container.items.batch([item('a'), item('there'), item('b')], key);
  assert.equal(answer.code, 207);
  assert.deepEqual(codesOf(answer), [424, 409, 424]);
  assert.ok(Number(answer.headers['x-ms-request-charge']) > 0);
  const { resources } = await container.items.readAll({ partitionKey: key }).fetchAll();
  assert.deepEqual(
    resources.map((one) => one.id),
    ['there'],
  );
});

test('conditions on the version', async () => {
  const key = newKey();
  const { etag } = await container.items.create({ id: 'a', pk: key });
  const replace = (ifMatch) => ({
    operationType: Replace,
    id: 'a',
    ifMatch,
    resourceBody: { id: 'a', pk: key, n: 1 },
  });
  assert.deepEqual(codesOf(await container.items.batch([replace('"other"')], key)), [412]);
  assert.deepEqual(codesOf(await container.items.batch([replace(etag), replace(etag)], key)), [424, 412]);
  assert.deepEqual(codesOf(await container.items.batch([replace(etag)], key)), [200]);
});

test('an expired member fails it as if it were absent', async () => {
  const key = newKey();
  await container.items.create({ id: 'a', pk: key, ttl: 10 });
  const touch = [
    { operationType: Upsert, resourceBody: { id: 'b', pk: key } },
    { operationType: Patch, id: 'a', resourceBody: { operations: [{ op: 'set', path: '/n', value: 1 }] } },
  ];
  assert.deepEqual(codesOf(await container.items.batch([{ operationType: Read, id: 'a' }], key)), [200]);
  await server.clock.advance(10);
  assert.deepEqual(codesOf(await container.items.batch(touch, key)), [424, 404]);
  assert.equal(await statusOf(container.item('b', key).read()), 404);
});

test('a page of the change feed shows all of it or nothing', async () => {
  const key = newKey();
  const own = await newContainer(server.client());
  const operations = Array.from({ length: 50 }, (_, i) => create(`i${i}`, { pk: key }));
  assert.equal((await own.items.batch(operations, key)).code, 200);
  const feed = own.items.getChangeFeedIterator({
    changeFeedStartFrom: ChangeFeedStartFrom.Beginning(key),
    maxItemCount: 7,
  });
  const { result } = await feed.readNext();
  assert.equal(result.length, 50);
  assert.equal(new Set(result.map((one) => one._lsn)).size, 1);
});

test('what is wrong with the request as a whole', async () => {
  const key = newKey();
  const large = 'x'.repeat(1_500_000);
  const two = ['a', 'b'].map((id) => ({ operationType: Create, resourceBody: { id, pk: key, large } }));
  // The SDK gives its own errors, with the texts of the server.
  await assert.rejects(container.items.batch(two, key), /Request size is too large/);
  await assert.rejects(container.items.batch([], key), /Batch request has no operations/);
  const { resources } = await container.items.readAll({ partitionKey: key }).fetchAll();
  assert.equal(resources.length, 0);
});

test('hierarchical keys', async () => {
  const own = await newContainer(server.client(), {
    partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 2 },
  });
  const item = { operationType: Create, resourceBody: { id: '1', a: 'x', b: 5 } };
  assert.deepEqual(codesOf(await own.items.batch([item], ['x', 5])), [201]);
  assert.deepEqual(codesOf(await own.items.batch([item], ['x', 6])), [400]);
});
