// Unique keys as the SDK meets them: what conflicts, what is free again, what a container may say.
import assert from 'node:assert/strict';
import { failure, newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const kTaken = 'Resource with specified id, name, or unique index already exists.';
const kFixed =
  'The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.';

const server = serverForFile({
  async prepare(started) {
    await started.clock.freeze();
  },
});

function withKeys(...keys) {
  return { uniqueKeyPolicy: { uniqueKeys: keys.map((paths) => ({ paths })) } };
}

function made(definition) {
  return newContainer(server.client(), definition);
}

async function assertTaken(promise) {
  const error = await failure(promise, 409);
  assert.equal(error.body.code, 'Conflict');
  assert.ok(error.body.message.includes(kTaken), error.body.message);
  // Clients take what they have seen from this answer too.
  assert.match(error.headers['x-ms-session-token'], /^0:/);
  assert.match(error.headers.lsn, /^[0-9]+$/);
  assert.ok(error.headers['x-ms-content-path'].length > 0);
}

test('every kind of write is held to them', async () => {
  const container = await made(withKeys(['/mail']));
  await container.items.create({ id: 'a', pk: 'p', mail: 'x' });
  await container.items.create({ id: 'b', pk: 'p', mail: 'y' });
  await assertTaken(container.items.create({ id: 'c', pk: 'p', mail: 'x' }));
  await assertTaken(container.items.upsert({ id: 'c', pk: 'p', mail: 'x' }));
  await assertTaken(container.items.upsert({ id: 'b', pk: 'p', mail: 'x' }));
  await assertTaken(container.item('b', 'p').replace({ id: 'b', pk: 'p', mail: 'x' }));
  await assertTaken(container.item('b', 'p').patch([{ op: 'set', path: '/mail', value: 'x' }]));
  assert.equal((await container.item('b', 'p').read()).resource.mail, 'y');
  assert.equal((await container.item('c', 'p').read()).statusCode, 404);

  assert.equal((await container.items.create({ id: 'c', pk: 'q', mail: 'x' })).statusCode, 201);
  assert.equal((await container.item('a', 'p').replace({ id: 'a', pk: 'p', mail: 'x', n: 1 })).statusCode, 200);
  await container.item('a', 'p').patch([{ op: 'set', path: '/mail', value: 'z' }]);
  assert.equal((await container.items.create({ id: 'c', pk: 'p', mail: 'x' })).statusCode, 201);
  await container.item('b', 'p').delete();
  assert.equal((await container.items.create({ id: 'd', pk: 'p', mail: 'y' })).statusCode, 201);
});

test('several paths, missing values, types', async () => {
  const container = await made(withKeys(['/first', '/name/last'], ['/list/0']));
  const create = (rest) => container.items.create({ id: uniqueName('i'), pk: uniqueName('p'), ...rest });
  const inOne = (rest) =>
    container.items.create({ id: uniqueName('i'), pk: 'one', list: { 0: uniqueName('l') }, ...rest });
  await inOne({ first: 'a', name: { last: 'b' } });
  await inOne({ first: 'a', name: { last: 'B' } });
  await inOne({ first: 'a' });
  await inOne({ first: 1 });
  await inOne({ first: '1' });
  await inOne({});
  await assertTaken(inOne({ first: 'a', name: { last: 'b' } }));
  await assertTaken(inOne({ first: 'a', name: { last: null } }));
  await assertTaken(inOne({ first: 'a', name: 'b' }));
  await assertTaken(inOne({ first: null, name: [{ last: 'b' }] }));
  await create({ first: 'a', list: [1] });

  // What is in an array is missing, so all arrays are the same.
  await container.items.create({ id: uniqueName('i'), pk: 'two', first: 1, list: [1] });
  await assertTaken(container.items.create({ id: uniqueName('i'), pk: 'two', first: 2, list: [2] }));
});

test('the key of an expired item is free at that second', async () => {
  const container = await made({ ...withKeys(['/mail']), defaultTtl: 10 });
  await container.items.create({ id: 'inherits', pk: 'p', mail: 'x' });
  await container.items.create({ id: 'own', pk: 'p', mail: 'y', ttl: 20 });
  await server.clock.advance(9);
  await assertTaken(container.items.create({ id: 'a', pk: 'p', mail: 'x' }));
  await server.clock.advance(1);
  assert.equal(await statusOf(container.items.create({ id: 'a', pk: 'p', mail: 'x', ttl: -1 })), 201);
  await assertTaken(container.items.create({ id: 'b', pk: 'p', mail: 'y' }));
  await server.clock.advance(10);
  assert.equal(await statusOf(container.items.create({ id: 'b', pk: 'p', mail: 'y' })), 201);
  await assertTaken(container.items.create({ id: 'c', pk: 'p', mail: 'x' }));
});

test('many at once: one gets the values', async () => {
  const container = await made(withKeys(['/mail']));
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => statusOf(container.items.create({ id: `i${i}`, pk: 'p', mail: 'x' }))),
  );
  assert.deepEqual(statuses.toSorted(), [201, ...Array(19).fill(409)]);
});

test('a container shows its policy and keeps it', async () => {
  const policy = { uniqueKeys: [{ paths: ['/a', '/b/c'] }, { paths: ['/d'] }] };
  const container = await made({ uniqueKeyPolicy: policy });
  const { resource } = await container.read();
  assert.deepEqual(resource.uniqueKeyPolicy, policy);
  assert.equal((await container.replace({ ...resource, defaultTtl: 5 })).statusCode, 200);
  const { uniqueKeyPolicy: _policy, ...without } = resource;
  for (const other of [
    without,
    { ...resource, uniqueKeyPolicy: { uniqueKeys: [] } },
    { ...resource, uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/a'] }] } },
  ]) {
    const error = await failure(container.replace(other), 403);
    assert.equal(error.body.code, 'Forbidden');
    assert.ok(error.body.message.includes(kFixed), error.body.message);
  }
  const after = (await container.read()).resource;
  assert.deepEqual([after.uniqueKeyPolicy, after.defaultTtl], [policy, 5]);

  const plain = await made({});
  const { resource: definition } = await plain.read();
  await failure(plain.replace({ ...definition, uniqueKeyPolicy: policy }), 403);
});

test('limits and bad paths', async () => {
  const keys = (count) => withKeys(...Array.from({ length: count }, (_, i) => [`/k${i}`]));
  const paths = (count) => withKeys(Array.from({ length: count }, (_, i) => `/k${i}`));
  await made(keys(10));
  await made(paths(16));
  await failure(made(keys(11)), 400);
  await failure(made(paths(17)), 400);
  const error = await failure(made(withKeys(['/a/*'])), 400);
  assert.ok(
    error.body.message.includes(
      "Error parsing the unique key path '/a/*' at position 3. Make sure the unique key path does not contain " +
        'wildcards and invalid characters.',
    ),
    error.body.message,
  );
});
