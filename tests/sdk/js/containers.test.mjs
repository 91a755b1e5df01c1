// Containers: their definitions as they were given, what is filled in, what a replace may change, and their partitions.
import assert from 'node:assert/strict';
import { assertError, failure, newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.client().databases.create({ id: 'db' }) });
const database = () => server.client().database('db');

const kPartitionKey = { paths: ['/pk'], kind: 'Hash', version: 2 };

test('create, read and delete', async () => {
  const id = uniqueName('c');
  const created = await database().containers.create({ id, partitionKey: kPartitionKey });
  assert.equal(created.statusCode, 201);
  assert.ok(created.requestCharge > 0);
  for (const name of ['_rid', '_self', '_etag', '_ts']) assert.ok(created.resource[name], name);
  assert.equal(created.headers.etag, created.resource._etag);
  assert.equal(Buffer.from(created.resource._rid.replaceAll('-', '/'), 'base64').length, 8);
  assert.deepEqual((await created.container.read()).resource, created.resource);

  assert.equal((await created.container.delete()).statusCode, 204);
  await failure(created.container.read(), 404);
  await failure(created.container.delete(), 404);
});

test('a name is taken once', async () => {
  const { id } = await newContainer(server.client());
  await failure(database().containers.create({ id, partitionKey: kPartitionKey }), 409);
});

test('createIfNotExists', async () => {
  const id = uniqueName('c');
  const definition = () => ({ id, partitionKey: { paths: ['/pk'] } });
  assert.equal((await database().containers.createIfNotExists(definition())).statusCode, 201);
  assert.equal((await database().containers.createIfNotExists(definition())).statusCode, 200);
});

test('a missing database is 404', async () => {
  const missing = server.client().database('missing');
  await failure(missing.containers.create({ id: 'c', partitionKey: kPartitionKey }), 404);
  await failure(missing.container('c').read(), 404);
  await failure(missing.containers.readAll().fetchAll(), 404);
});

test('defaults are filled in', async () => {
  const container = await newContainer(server.client(), { partitionKey: { paths: ['/pk'] } });
  const { resource } = await container.read();
  assert.deepEqual(resource.partitionKey, kPartitionKey);
  assert.deepEqual(resource.indexingPolicy, {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/*' }],
    excludedPaths: [{ path: '/"_etag"/?' }],
  });
  assert.deepEqual(resource.conflictResolutionPolicy, {
    mode: 'LastWriterWins',
    conflictResolutionPath: '/_ts',
    conflictResolutionProcedure: '',
  });
  assert.deepEqual(resource.geospatialConfig, { type: 'Geography' });
  assert.equal(resource.defaultTtl ?? null, null);
});

const kFullDefinition = {
  partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 },
  defaultTtl: 3600,
  analyticalStorageTtl: -1,
  indexingPolicy: {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/*' }, { path: '/a/[]/b/?' }],
    excludedPaths: [{ path: '/secret/*' }, { path: '/"_etag"/?' }],
    compositeIndexes: [[{ path: '/name', order: 'ascending' }, { path: '/age', order: 'descending' }]],
    spatialIndexes: [
      { path: '/location/*', types: ['Point', 'Polygon'], boundingBox: { xmin: 0, ymin: 0, xmax: 10, ymax: 10 } },
    ],
  },
  conflictResolutionPolicy: {
    mode: 'LastWriterWins',
    conflictResolutionPath: '/version',
    conflictResolutionProcedure: '',
  },
  geospatialConfig: { type: 'Geometry' },
};

test('a definition is echoed as it was given', async () => {
  const container = await newContainer(server.client(), structuredClone(kFullDefinition));
  const check = async (resource) => {
    for (const [name, value] of Object.entries(kFullDefinition)) assert.deepEqual(resource[name], value, name);
  };
  await check((await container.read()).resource);
  await check((await database().containers.readAll().fetchAll()).resources.find(({ id }) => id === container.id));
  await server.restart('SIGKILL');
  await check((await database().container(container.id).read()).resource);
});

// docs/compatibility.md says that they are not enforced yet.
test('unique keys are kept and given back', async () => {
  const definition = {
    id: uniqueName('unique'),
    partitionKey: kPartitionKey,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
  };
  assert.equal(await statusOf(database().containers.create({ ...definition })), 201);
  const container = database().container(definition.id);
  assert.deepEqual((await container.read()).resource.uniqueKeyPolicy, definition.uniqueKeyPolicy);
});

test('an empty unique key policy is fine', async () => {
  const container = await newContainer(server.client(), { uniqueKeyPolicy: { uniqueKeys: [] } });
  assert.equal((await container.read()).statusCode, 200);
});

test('a replace changes what may change', async () => {
  const container = await newContainer(server.client());
  const before = (await container.read()).resource;
  const paths = { includedPaths: [{ path: '/a/?' }], excludedPaths: [{ path: '/*' }, { path: '/"_etag"/?' }] };
  const indexingPolicy = { indexingMode: 'consistent', automatic: true, ...paths };
  const replaced = await container.replace({ ...before, defaultTtl: 5, indexingPolicy });
  assert.equal(replaced.statusCode, 200);
  assert.equal(replaced.resource.defaultTtl, 5);
  assert.deepEqual(replaced.resource.indexingPolicy, indexingPolicy);
  assert.notEqual(replaced.resource._etag, before._etag);
  assert.equal(replaced.resource._rid, before._rid);
  assert.deepEqual((await container.read()).resource, replaced.resource);
});

for (const [what, change] of Object.entries({
  'another name': { id: 'another' },
  'another partition key path': { partitionKey: { paths: ['/other'], kind: 'Hash', version: 2 } },
  'another partition key version': { partitionKey: { paths: ['/pk'], kind: 'Hash', version: 1 } },
})) {
  test(`a replace with ${what} is refused and changes nothing`, async () => {
    const container = await newContainer(server.client(), { partitionKey: kPartitionKey });
    const before = (await container.read()).resource;
    await failure(container.replace({ ...before, ...change, defaultTtl: 7 }), 400);
    assert.deepEqual((await container.read()).resource, before);
  });
}

test('replacing a missing container is 404', async () => {
  await failure(database().container('missing').replace({ id: 'missing', partitionKey: kPartitionKey }), 404);
});

test('etag conditions', async () => {
  const container = await newContainer(server.client());
  const before = (await container.read()).resource;
  const parts = ['dbs', 'db', 'colls', container.id];
  const ifMatch = (condition) => ({ accessCondition: { type: 'IfMatch', condition } });

  const same = await server.raw.request('GET', parts, { headers: { 'if-none-match': before._etag } });
  assert.equal(same.status, 304);
  await failure(container.replace({ ...before, defaultTtl: 5 }, ifMatch('"other"')), 412);
  assert.deepEqual((await container.read()).resource, before);
  const { resource: after } = await container.replace({ ...before, defaultTtl: 5 }, ifMatch(before._etag));
  await failure(container.replace({ ...before, defaultTtl: 6 }, ifMatch(before._etag)), 412);
  await failure(container.delete(ifMatch(before._etag)), 412);
  assert.equal((await container.delete(ifMatch(after._etag))).statusCode, 204);
});

test('the list has every container once, page by page', async () => {
  const { database: own } = await server.client().databases.create({ id: uniqueName('list') });
  const ids = Array.from({ length: 7 }, (_, number) => `c${number}`);
  for (const id of ids) await own.containers.create({ id, partitionKey: { paths: ['/pk'] } });
  const pages = own.containers.readAll({ maxItemCount: 2 });
  const seen = [];
  while (pages.hasMoreResults()) {
    const { resources } = await pages.fetchNext();
    assert.ok((resources ?? []).length <= 2);
    seen.push(...(resources ?? []).map(({ id }) => id));
  }
  assert.deepEqual(seen.sort(), ids);
});

test('a new container of the same name starts empty', async () => {
  const container = await newContainer(server.client());
  await container.items.create({ id: 'x', pk: 'p' });
  const rid = (await container.read()).resource._rid;
  await container.delete();
  const again = (await database().containers.create({ id: container.id, partitionKey: { paths: ['/pk'] } })).resource;
  assert.notEqual(again._rid, rid);
  const client = server.client({});
  const reborn = client.database('db').container(container.id);
  assert.equal((await reborn.item('x', 'p').read()).statusCode, 404);
  assert.deepEqual((await reborn.items.readAll().fetchAll()).resources, []);
});

const kOddNames = [
  'with space', 'größe', '日本', '😀', 'a+b', '100%', '%41', "it's", 'a"b', 'a&b=c', 'a:b', 'x'.repeat(255),
];
for (const id of kOddNames) {
  test(`the name ${JSON.stringify(id.length > 30 ? `${id.length} letters` : id)} works`, async () => {
    const { container, resource } = await database().containers.create({ id, partitionKey: { paths: ['/pk'] } });
    assert.equal(resource.id, id);
    await container.items.create({ id, pk: 'p' });
    assert.equal((await container.item(id, 'p').read()).resource.id, id);
    assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
    assert.equal((await container.delete()).statusCode, 204);
  });
}

const kBadDefinitions = {
  'no name': { partitionKey: kPartitionKey },
  'an empty name': { id: '', partitionKey: kPartitionKey },
  'a slash': { id: 'a/b', partitionKey: kPartitionKey },
  'a backslash': { id: 'a\\b', partitionKey: kPartitionKey },
  'a question mark': { id: 'a?b', partitionKey: kPartitionKey },
  'a hash': { id: 'a#b', partitionKey: kPartitionKey },
  'a long name': { id: 'x'.repeat(256), partitionKey: kPartitionKey },
  'a name that is a number': { id: 5, partitionKey: kPartitionKey },
  'a partition key that is a text': { id: 'bad', partitionKey: '/pk' },
  'no paths': { id: 'bad', partitionKey: { paths: [], kind: 'Hash', version: 2 } },
  'a path without a slash': { id: 'bad', partitionKey: { paths: ['pk'], kind: 'Hash', version: 2 } },
  'two paths of kind Hash': { id: 'bad', partitionKey: { paths: ['/a', '/b'], kind: 'Hash', version: 2 } },
  'four paths': { id: 'bad', partitionKey: { paths: ['/a', '/b', '/c', '/d'], kind: 'MultiHash', version: 2 } },
  'an unknown kind': { id: 'bad', partitionKey: { paths: ['/pk'], kind: 'Magic', version: 2 } },
  'an unknown version': { id: 'bad', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 3 } },
  'an indexing policy that is a text': { id: 'bad', partitionKey: kPartitionKey, indexingPolicy: 'consistent' },
  'an unknown indexing mode': { id: 'bad', partitionKey: kPartitionKey, indexingPolicy: { indexingMode: 'eager' } },
};
for (const [what, definition] of Object.entries(kBadDefinitions)) {
  test(`a definition with ${what} is refused`, async () => {
    assertError(await server.raw.request('POST', ['dbs', 'db', 'colls'], { body: definition }), 400);
    assertError(await server.raw.request('GET', ['dbs', 'db', 'colls', 'bad']), 404);
  });
}

async function ranges(container) {
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  return resources.sort((a, b) => (a.minInclusive < b.minInclusive ? -1 : 1));
}

for (const [throughput, count] of [[undefined, 1], [400, 1], [10_000, 1], [10_100, 2], [21_000, 4]]) {
  test(`throughput ${throughput} gives ${count} partition key ranges that tile everything`, async () => {
    const container = await newContainer(server.client(), throughput ? { throughput } : {});
    const all = await ranges(container);
    assert.equal(all.length, count);
    assert.equal(all[0].minInclusive, '');
    assert.equal(all.at(-1).maxExclusive, 'FF');
    for (let index = 1; index < count; ++index) assert.equal(all[index].minInclusive, all[index - 1].maxExclusive);
    assert.equal(new Set(all.map(({ id }) => id)).size, count);
    assert.equal((await container.getFeedRanges()).length, count);
    await server.restart();
    assert.deepEqual(await ranges(database().container(container.id)), all);
  });
}

for (const throughput of ['100', '-400', '0', 'x', '400.5']) {
  test(`throughput ${throughput} is refused`, async () => {
    const id = uniqueName('c');
    const answer = await server.raw.request('POST', ['dbs', 'db', 'colls'], {
      headers: { 'x-ms-offer-throughput': throughput },
      body: { id, partitionKey: kPartitionKey },
    });
    assertError(answer, 400);
    await failure(database().container(id).read(), 404);
  });
}
