// Which values of `ttl` and `defaultTtl` are taken, and that a refused one changes nothing.
import assert from 'node:assert/strict';
import { assertError, failure, newContainer, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const kRule =
  "Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire.";
const kTtlMax = 2_147_483_647;

const kBadNumbers = [0, -10, -2, 1.5, -0.5, 2_147_483_648, 1e10, -2_147_483_649];
const kBadOthers = [null, '60', '', true, false, [], [60], {}, { seconds: 60 }];
const kBadDefaults = [0, -10, -2, 1.5, '60', true, [], {}, 2_147_483_648, 1e10];

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

// Numbers are named as they were sent; how other values are shown is left open.
function assertText(message, property, value) {
  const named = typeof value === 'number' ? `'${value}'` : '';
  assert.ok(message.includes(`The input ${property} ${named}`), message);
  assert.ok(message.includes(` is invalid. ${kRule}`), message);
}

for (const value of [...kBadNumbers, ...kBadOthers]) {
  for (const [state, definition] of Object.entries({ on: { defaultTtl: 100 }, off: {} })) {
    test(`ttl ${JSON.stringify(value)} is refused while TTL is ${state}`, async () => {
      const container = await newContainer(server.client(), definition);
      const created = (await container.items.create({ id: 'there', pk: 'p', ttl: 50 })).resource;
      await server.clock.advance(1);

      const calls = [
        container.items.create({ id: 'new', pk: 'p', ttl: value }),
        container.items.upsert({ id: 'new', pk: 'p', ttl: value }),
        container.items.upsert({ id: 'there', pk: 'p', ttl: value }),
        container.item('there', 'p').replace({ id: 'there', pk: 'p', ttl: value }),
      ];
      for (const call of await Promise.allSettled(calls)) {
        const error = await failure(settled(call), 400);
        assertText(error.body.message, 'ttl', value);
      }
      assert.deepEqual((await container.items.readAll().fetchAll()).resources, [created]);
      assert.equal((await container.item('new', 'p').read()).statusCode, 404);
    });
  }
}

function settled(outcome) {
  return outcome.status === 'fulfilled' ? Promise.resolve(outcome.value) : Promise.reject(outcome.reason);
}

for (const [text, seconds] of [['5', 5], ['5.0', 5], ['5e0', 5], ['0.5e1', 5]]) {
  test(`ttl ${text} means ${seconds} seconds`, async () => {
    const container = await newContainer(server.client(), { defaultTtl: 100 });
    const answer = await server.raw.request('POST', ['dbs', 'db', 'colls', container.id, 'docs'], {
      headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
      body: `{"id":"x","pk":"p","ttl":${text}}`,
    });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.ttl, seconds);
    await server.clock.advance(seconds - 1);
    assert.equal((await container.item('x', 'p').read()).resource.ttl, seconds);
    await server.clock.advance(1);
    assert.equal((await container.item('x', 'p').read()).statusCode, 404);
  });
}

test('ttl -1.0 keeps for ever', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 100 });
  const answer = await server.raw.request('POST', ['dbs', 'db', 'colls', container.id, 'docs'], {
    headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
    body: '{"id":"x","pk":"p","ttl":-1.0}',
  });
  assert.equal(answer.status, 201, answer.text);
  await server.clock.advance('1000d');
  assert.equal((await container.item('x', 'p').read()).statusCode, 200);
});

test('a nested ttl is data like any other', async () => {
  const container = await newContainer(server.client(), { defaultTtl: -1 });
  const nested = { ttl: 'whenever', deeper: [{ ttl: 0 }] };
  await container.items.create({ id: 'x', pk: 'p', nested, TTL: 0, Ttl: 'x' });
  await server.clock.advance('30d');
  assert.deepEqual((await container.item('x', 'p').read()).resource.nested, nested);
});

test('the largest values do not wrap', async () => {
  const byDefault = await newContainer(server.client(), { defaultTtl: kTtlMax });
  const byItem = await newContainer(server.client(), { defaultTtl: 1 });
  await byDefault.items.create({ id: 'x', pk: 'p' });
  await byItem.items.create({ id: 'x', pk: 'p', ttl: kTtlMax });
  for (const [advance, status] of [[1, 200], [kTtlMax - 2, 200], [1, 404]]) {
    await server.clock.advance(advance);
    assert.equal((await byDefault.item('x', 'p').read()).statusCode, status);
    assert.equal((await byItem.item('x', 'p').read()).statusCode, status);
  }
});

for (const value of kBadDefaults) {
  test(`defaultTtl ${JSON.stringify(value)} is refused`, async () => {
    const container = await newContainer(server.client(), { defaultTtl: 100 });
    const before = (await container.read()).resource;
    const id = uniqueName('refused');
    const create = container.database.containers.create({ id, partitionKey: { paths: ['/pk'] }, defaultTtl: value });
    assertText((await failure(create, 400)).body.message, 'defaultTtl', value);
    await failure(container.database.container(id).read(), 404);

    const replace = container.replace({ ...before, defaultTtl: value });
    assertText((await failure(replace, 400)).body.message, 'defaultTtl', value);
    assert.deepEqual((await container.read()).resource, before);
  });
}

for (const value of [1, -1, kTtlMax]) {
  test(`defaultTtl ${value} is taken and echoed`, async () => {
    const container = await newContainer(server.client(), { defaultTtl: value });
    assert.equal((await container.read()).resource.defaultTtl, value);
  });
}

test('defaultTtl 60.0 means 60', async () => {
  const id = uniqueName('whole');
  await newContainer(server.client());
  const answer = await server.raw.request('POST', ['dbs', 'db', 'colls'], {
    body: `{"id":"${id}","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":60.0}`,
  });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.json.defaultTtl, 60);
});

test('a null or absent defaultTtl is off', async () => {
  for (const definition of [{}, { defaultTtl: null }]) {
    const container = await newContainer(server.client(), definition);
    assert.equal((await container.read()).resource.defaultTtl ?? null, null);
    await container.items.create({ id: 'x', pk: 'p', ttl: 1 });
    await server.clock.advance('30d');
    assert.equal((await container.item('x', 'p').read()).resource.ttl, 1);
  }
});

const kNoIndex = { indexingMode: 'none', automatic: false };
const kNoIndexText = "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection";

test('indexing mode none with a defaultTtl cannot be created', async () => {
  const { database } = await server.client().databases.createIfNotExists({ id: 'db' });
  for (const defaultTtl of [-1, 60]) {
    const id = uniqueName('none');
    const definition = { id, partitionKey: { paths: ['/pk'] }, indexingPolicy: kNoIndex, defaultTtl };
    const error = await failure(database.containers.create(definition), 400);
    assert.ok(error.body.message.includes(kNoIndexText), error.body.message);
    await failure(database.container(id).read(), 404);
  }
});

test('neither side can be changed into indexing mode none with a defaultTtl', async () => {
  const withTtl = await newContainer(server.client(), { defaultTtl: 60 });
  const withoutDefault = await newContainer(server.client(), { defaultTtl: -1 });
  const withoutIndex = await newContainer(server.client(), { indexingPolicy: kNoIndex });
  for (const [container, change] of [
    [withTtl, { indexingPolicy: kNoIndex }],
    [withoutDefault, { indexingPolicy: kNoIndex }],
    [withoutDefault, { indexingPolicy: kNoIndex, defaultTtl: 60 }],
    [withoutIndex, { defaultTtl: 60 }],
    [withoutIndex, { defaultTtl: -1 }],
  ]) {
    const before = (await container.read()).resource;
    const error = await failure(container.replace({ ...before, ...change }), 400);
    assert.ok(error.body.message.includes(kNoIndexText), error.body.message);
    assert.deepEqual((await container.read()).resource, before);
  }
});

test('indexing can be turned off once TTL is, and TTL on once indexing is', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 60 });
  const { defaultTtl, indexingPolicy, ...rest } = (await container.read()).resource;
  const withoutTtl = (await container.replace({ ...rest, indexingPolicy: kNoIndex })).resource;
  assert.equal(withoutTtl.indexingPolicy.indexingMode, 'none');
  assert.equal(withoutTtl.defaultTtl, undefined);
  const changed = { ...rest, indexingPolicy: { ...indexingPolicy, indexingMode: 'lazy' }, defaultTtl };
  const again = (await container.replace(changed)).resource;
  assert.equal(again.indexingPolicy.indexingMode, 'lazy');
  assert.equal(again.defaultTtl, 60);
});

test('other indexing modes go with a defaultTtl', async () => {
  const everythingExcluded = { indexingMode: 'consistent', includedPaths: [], excludedPaths: [{ path: '/*' }] };
  for (const indexingPolicy of [{ indexingMode: 'consistent' }, { indexingMode: 'lazy' }, everythingExcluded]) {
    const container = await newContainer(server.client(), { defaultTtl: 60, indexingPolicy });
    assert.equal((await container.read()).resource.indexingPolicy.indexingMode, indexingPolicy.indexingMode);
  }
});

test('a refused number is named as it was written', async () => {
  const container = await newContainer(server.client());
  const headers = { 'x-ms-documentdb-partitionkey': '["p"]' };
  for (const text of ['1.50', '0.0', '-1e1', '2147483648.00', '"60 "']) {
    const items = ['dbs', 'db', 'colls', container.id, 'docs'];
    const item = await server.raw.request('POST', items, { headers, body: `{"id":"x","pk":"p","ttl": ${text} }` });
    assertError(item, 400);
    assert.ok(item.json.message.startsWith(`The input ttl '${text}' is invalid. ${kRule}`), item.json.message);
    const body = `{"id":"refused","partitionKey":{"paths":["/pk"]},"defaultTtl":${text}}`;
    const created = await server.raw.request('POST', ['dbs', 'db', 'colls'], { body });
    assertError(created, 400);
    assert.ok(created.json.message.startsWith(`The input defaultTtl '${text}' is invalid. ${kRule}`), created.text);
  }
  const long = 'x'.repeat(100_000);
  const answer = await server.raw.request('POST', ['dbs', 'db', 'colls', container.id, 'docs'], {
    headers, body: { id: 'x', pk: 'p', ttl: long },
  });
  assertError(answer, 400);
  assert.ok(answer.text.length < 500, `${answer.text.length}`);
});

test('analyticalStorageTtl may be off, which its error says', async () => {
  for (const analyticalStorageTtl of [0, -1, 60]) {
    const container = await newContainer(server.client(), { analyticalStorageTtl });
    assert.equal((await container.read()).resource.analyticalStorageTtl, analyticalStorageTtl);
  }
  const error = await failure(newContainer(server.client(), { analyticalStorageTtl: -5 }), 400);
  assert.match(error.body.message, /^The input analyticalStorageTtl '-5' is invalid\./);
  assert.match(error.body.message, /'0' which means off/);
  assert.doesNotMatch(error.body.message, /nonzero/);
});

test('a refused ttl answers an error that SDKs can read', async () => {
  const container = await newContainer(server.client());
  const answer = await server.raw.request('POST', ['dbs', 'db', 'colls', container.id, 'docs'], {
    headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
    body: '{"id":"x","pk":"p","ttl":0}',
  });
  assertError(answer, 400);
  assert.equal(answer.json.code, 'BadRequest');
  assertText(answer.json.message, 'ttl', 0);
});
