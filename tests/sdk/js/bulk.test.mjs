// Bulk requests as the SDK sends them: `bulk`, and `executeBulkOperations`.
import assert from 'node:assert/strict';
import { BulkOperationType } from '@azure/cosmos';
import { newContainer, statusOf, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({});

const { Create, Upsert, Read, Delete, Replace, Patch } = BulkOperationType;
const codesOf = (results) => results.map((one) => one.statusCode);
const ranges = { throughput: 30_000 };

test('every operation over several ranges', async () => {
  const container = await newContainer(server.client(), {}, ranges);
  const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
  const created = await container.items.bulk(
    keys.map((pk) => ({ operationType: Create, partitionKey: pk, resourceBody: { id: pk, pk, n: 1 } })),
  );
  assert.deepEqual(codesOf(created), Array(20).fill(201));
  const changed = await container.items.bulk([
    { operationType: Read, id: 'k0', partitionKey: 'k0' },
    { operationType: Replace, id: 'k1', partitionKey: 'k1', resourceBody: { id: 'k1', pk: 'k1', n: 2 } },
    { operationType: Upsert, partitionKey: 'k2', resourceBody: { id: 'k2', pk: 'k2', n: 3 } },
    {
      operationType: Patch,
      id: 'k3',
      partitionKey: 'k3',
      resourceBody: { operations: [{ op: 'incr', path: '/n', value: 3 }] },
    },
    { operationType: Delete, id: 'k4', partitionKey: 'k4' },
    { operationType: Create, partitionKey: 'k5', resourceBody: { id: 'k5', pk: 'k5' } },
    { operationType: Delete, id: 'none', partitionKey: 'k6' },
    { operationType: Replace, id: 'k7', partitionKey: 'k7', ifMatch: '"x"', resourceBody: { id: 'k7', pk: 'k7' } },
  ], { continueOnError: true });
  assert.deepEqual(codesOf(changed), [200, 200, 200, 200, 204, 409, 404, 412]);
  assert.equal(changed[0].resourceBody.n, 1);
  assert.equal(changed[3].resourceBody.n, 4);
  assert.equal(await statusOf(container.item('k4', 'k4').read()), 404);
});

test('keys of every type', async () => {
  const container = await newContainer(server.client(), {}, ranges);
  const keys = ['text', 5, 0, true, null, undefined];
  const created = await container.items.bulk(
    keys.map((pk, i) => ({ operationType: Create, partitionKey: pk, resourceBody: { id: `${i}`, pk } })),
  );
  assert.deepEqual(codesOf(created), Array(keys.length).fill(201));
});

test('it may end at the first error of a range', async () => {
  const container = await newContainer(server.client());
  const create = (id) => ({ operationType: Create, partitionKey: 'p', resourceBody: { id, pk: 'p' } });
  const results = await container.items.bulk([create('a'), create('a'), create('b')], { continueOnError: false });
  assert.deepEqual(codesOf(results), [201, 409, 424]);
  assert.equal(await statusOf(container.item('b', 'p').read()), 404);
});

test('executeBulkOperations', async () => {
  const container = await newContainer(server.client(), {}, ranges);
  const operations = Array.from({ length: 250 }, (_, i) => ({
    operationType: Create,
    partitionKey: `k${i % 30}`,
    resourceBody: { id: `${i}`, pk: `k${i % 30}` },
  }));
  const done = await container.items.executeBulkOperations(operations);
  assert.deepEqual([...new Set(done.map((one) => one.response?.statusCode))], [201]);
  const again = await container.items.executeBulkOperations([
    operations[0],
    { operationType: Read, id: '1', partitionKey: 'k1' },
    { operationType: Delete, id: '2', partitionKey: 'k2' },
  ]);
  assert.equal(again[0].error.code, 409);
  assert.equal(again[1].response.statusCode, 200);
  assert.equal(again[1].response.resourceBody.id, '1');
  assert.equal(again[2].response.statusCode, 204);
});
