// Partition keys: every kind of value, where it is found in an item, and that a key is a namespace of its own.
import assert from 'node:assert/strict';
import { PartitionKeyBuilder } from '@azure/cosmos';
import {
  assertError,
  failure,
  newContainer,
  statusOf,
  test,
  uniqueName,
  withoutSystemProperties,
} from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile();

const kNone = () => new PartitionKeyBuilder().addNoneValue().build();
const keyHeader = (text) => ({ 'x-ms-documentdb-partitionkey': text });
const docs = (container, ...id) => ['dbs', 'db', 'colls', container.id, 'docs', ...id];

const kVersions = {
  V1: { paths: ['/pk'], kind: 'Hash', version: 1 },
  V2: { paths: ['/pk'], kind: 'Hash', version: 2 },
};
const kValues = {
  'a text': 'a',
  'an empty text': '',
  'a text of another script': '日本 😀',
  'a text that looks like a number': '5',
  'a number': 5,
  'zero': 0,
  'a negative number': -17,
  'a fraction': 1.25,
  'a large number': 1e300,
  'true': true,
  'false': false,
  'null': null,
};

for (const [version, partitionKey] of Object.entries(kVersions)) {
  for (const [what, value] of Object.entries(kValues)) {
    test(`${version}: ${what} as the key`, async () => {
      const container = await newContainer(server.client(), { partitionKey });
      const { resource, statusCode } = await container.items.create({ id: 'x', pk: value });
      assert.equal(statusCode, 201);
      const reference = container.item('x', value);
      assert.deepEqual((await reference.read()).resource, resource);
      assert.equal((await container.item('x', 'another').read()).statusCode, 404);
      assert.equal(await statusOf(reference.replace({ id: 'x', pk: value, n: 1 })), 200);
      const { resources } = await container.items.readAll({ partitionKey: [value] }).fetchAll();
      assert.deepEqual(resources.map(withoutSystemProperties), [{ id: 'x', pk: value, n: 1 }]);
      assert.equal(await statusOf(reference.delete()), 204);
    });
  }

  test(`${version}: an item without the key`, async () => {
    const container = await newContainer(server.client(), { partitionKey });
    const { resource } = await container.items.create({ id: 'x' });
    assert.deepEqual((await container.item('x', undefined).read()).resource, resource);
    assert.deepEqual((await container.item('x', kNone()).read()).resource, resource);
    assert.equal((await container.item('x', null).read()).statusCode, 404, 'none is not null');
    assert.equal((await container.item('x', '').read()).statusCode, 404, 'none is not an empty text');
    assert.equal(await statusOf(container.item('x', kNone()).delete()), 204);
  });

  test(`${version}: the same id lives once in every partition`, async () => {
    const container = await newContainer(server.client(), { partitionKey });
    const values = Object.values(kValues);
    for (const [number, value] of values.entries()) {
      assert.equal(await statusOf(container.items.create({ id: 'same', pk: value, number })), 201);
    }
    assert.equal(await statusOf(container.items.create({ id: 'same', number: values.length })), 201);
    for (const [number, value] of values.entries()) {
      assert.equal((await container.item('same', value).read()).resource.number, number);
    }
    const { resources } = await container.items.readAll().fetchAll();
    assert.deepEqual(resources.map(({ number }) => number).sort((a, b) => a - b), [...values.keys(), values.length]);
    await container.item('same', 'a').delete();
    assert.equal((await container.item('same', 5).read()).statusCode, 200);
  });

  test(`${version}: the feed of one key has its items only`, async () => {
    const container = await newContainer(server.client(), { partitionKey });
    for (let number = 0; number < 30; ++number) await container.items.create({ id: `${number}`, pk: `k${number % 3}` });
    for (const key of ['k0', 'k1', 'k2']) {
      const { resources } = await container.items.readAll({ partitionKey: key, maxItemCount: 4 }).fetchAll();
      assert.equal(resources.length, 10);
      assert.ok(resources.every(({ pk }) => pk === key));
      const feed = await server.raw.request('GET', docs(container), { headers: keyHeader(JSON.stringify([key])) });
      assert.deepEqual(feed.json.Documents.map(({ id }) => id).sort(), resources.map(({ id }) => id).sort());
    }
    assert.deepEqual((await container.items.readAll({ partitionKey: 'k3' }).fetchAll()).resources, []);
  });
}

const longest = 2048;
for (const version of ['V1', 'V2']) {
  test(`${version}: a key of ${longest} bytes is the longest`, async () => {
    const container = await newContainer(server.client(), { partitionKey: kVersions[version] });
    const pk = 'x'.repeat(longest);
    assert.equal(await statusOf(container.items.create({ id: 'x', pk })), 201);
    assert.equal((await container.item('x', pk).read()).resource.pk, pk);
    await failure(container.items.create({ id: 'y', pk: `${pk}x` }), 400);
    const wide = '日'.repeat(Math.floor(longest / 3) + 1);
    await failure(container.items.create({ id: 'y', pk: wide }), 400);
    assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
  });
}

test('keys of V1 that share their first hundred letters stay apart', async () => {
  const container = await newContainer(server.client(), { partitionKey: kVersions.V1 });
  const [one, two] = [`${'x'.repeat(100)}a`, `${'x'.repeat(100)}b`];
  assert.equal(await statusOf(container.items.create({ id: 'x', pk: one })), 201);
  const second = await statusOf(container.items.create({ id: 'x', pk: two }));
  assert.equal(second, 201);
  assert.equal((await container.item('x', one).read()).resource.pk, one);
  assert.equal((await container.item('x', two).read()).resource.pk, two);
  assert.equal((await container.items.readAll({ partitionKey: one }).fetchAll()).resources.length, 1);
});

test('a key deeper inside the item', async () => {
  const container = await newContainer(server.client(), { partitionKey: { ...kVersions.V2, paths: ['/a/b'] } });
  await container.items.create({ id: 'x', a: { b: 'deep', c: 1 } });
  assert.equal((await container.item('x', 'deep').read()).resource.a.c, 1);
  for (const a of [undefined, null, 'b', 5, {}, [{ b: 'deep' }]]) {
    const id = uniqueName('none');
    assert.equal(await statusOf(container.items.create(a === undefined ? { id } : { id, a })), 201);
    assert.equal((await container.item(id, kNone()).read()).statusCode, 200, JSON.stringify(a));
  }
});

test('a key whose path is quoted', async () => {
  const container = await newContainer(server.client(), { partitionKey: { ...kVersions.V2, paths: ['/"a b"/c'] } });
  await container.items.create({ id: 'x', 'a b': { c: 'deep' } });
  assert.equal((await container.item('x', 'deep').read()).statusCode, 200);
});

test('the id as the key', async () => {
  const container = await newContainer(server.client(), { partitionKey: { ...kVersions.V2, paths: ['/id'] } });
  await container.items.create({ id: 'x' });
  assert.equal((await container.item('x', 'x').read()).statusCode, 200);
  await failure(container.items.create({ id: 'x' }), 409);
});

const kHierarchy = { paths: ['/tenant', '/user', '/session'], kind: 'MultiHash', version: 2 };

test('a key of three levels', async () => {
  const container = await newContainer(server.client(), { partitionKey: kHierarchy });
  const item = (tenant, user, session) => ({ id: 'x', tenant, user, session });
  for (const tenant of ['t1', 't2']) {
    for (const user of ['u1', 5, null]) {
      for (const session of ['s1', true]) {
        assert.equal(await statusOf(container.items.create(item(tenant, user, session))), 201);
      }
    }
  }
  const read = await container.item('x', ['t1', 5, true]).read();
  assert.deepEqual(withoutSystemProperties(read.resource), item('t1', 5, true));
  assert.equal((await container.item('x', ['t1', '5', true]).read()).statusCode, 404);
  assert.equal(await statusOf(container.item('x', ['t1', 5, true]).delete()), 204);
  assert.equal((await container.item('x', ['t2', 5, true]).read()).statusCode, 200);

  const count = async (partitionKey) => (await container.items.readAll({ partitionKey }).fetchAll()).resources.length;
  assert.equal(await count(['t1']), 5);
  assert.equal(await count(['t2']), 6);
  assert.equal(await count(['t2', 'u1']), 2);
  assert.equal(await count(['t2', 'u1', 's1']), 1);
  assert.equal(await count(['t3']), 0);
  assert.equal(await count(undefined), 11);
});

test('a level that is missing', async () => {
  const container = await newContainer(server.client(), { partitionKey: kHierarchy });
  assert.equal(await statusOf(container.items.create({ id: 'x', tenant: 't' })), 201);
  const key = new PartitionKeyBuilder().addValue('t').addNoneValue().addNoneValue().build();
  assert.equal((await container.item('x', key).read()).statusCode, 200);
  assert.equal((await container.items.readAll({ partitionKey: ['t'] }).fetchAll()).resources.length, 1);
});

test('one item needs its whole key', async () => {
  const container = await newContainer(server.client(), { partitionKey: kHierarchy });
  await container.items.create({ id: 'x', tenant: 't', user: 'u', session: 's' });
  for (const key of ['["t"]', '["t","u"]', '["t","u","s","more"]', '[]']) {
    const headers = keyHeader(key);
    assertError(await server.raw.request('GET', docs(container, 'x'), { headers }), 400);
    assertError(await server.raw.request('DELETE', docs(container, 'x'), { headers }), 400);
  }
});

test('the key of the request must be the key of the item', async () => {
  const container = await newContainer(server.client());
  const wrong = { headers: keyHeader('["b"]'), body: { id: 'x', pk: 'a' } };
  const answer = await server.raw.request('POST', docs(container), wrong);
  assertError(answer, 400);
  assert.equal(answer.headers['x-ms-substatus'], '1001');

  const { resource } = await container.items.create({ id: 'x', pk: 'a' });
  await failure(container.item('x', 'a').replace({ id: 'x', pk: 'b' }), 400, 1001);
  await failure(container.item('x', 'a').replace({ id: 'x' }), 400, 1001);
  await failure(container.item('x', 'a').replace({ id: 'x', pk: null }), 400, 1001);
  assert.deepEqual((await container.items.readAll().fetchAll()).resources, [resource]);
});

test('numbers that are equal are the same key', async () => {
  const container = await newContainer(server.client());
  const request = { headers: keyHeader('[5.0]'), body: '{"id":"x","pk":5}' };
  const answer = await server.raw.request('POST', docs(container), request);
  assert.equal(answer.status, 201, answer.text);
  for (const key of ['[5]', '[5.0]', '[5e0]']) {
    const read = await server.raw.request('GET', docs(container, 'x'), { headers: keyHeader(key) });
    assert.equal(read.status, 200, `${key}: ${read.text}`);
  }
});

test('an object or a list is no key', async () => {
  const container = await newContainer(server.client());
  for (const pk of [{ a: 1 }, ['a'], []]) {
    for (const key of [JSON.stringify([pk]), '["a"]']) {
      const request = { headers: keyHeader(key), body: { id: 'x', pk } };
      assertError(await server.raw.request('POST', docs(container), request), 400);
    }
  }
  assert.deepEqual((await container.items.readAll().fetchAll()).resources, []);
});

test('an operation on one item needs a key', async () => {
  const container = await newContainer(server.client());
  await container.items.create({ id: 'x', pk: 'a' });
  assertError(await server.raw.request('GET', docs(container, 'x')), 400);
  assertError(await server.raw.request('DELETE', docs(container, 'x')), 400);
  assert.equal((await container.item('x', 'a').read()).statusCode, 200);
});
