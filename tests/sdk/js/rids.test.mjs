// Every resource by its `_rid`, as the SDKs of other languages address it: .NET and Java ranges and containers, Python
// items. The JS SDK has no such calls, so requests are signed here by the rule for rids.
import assert from 'node:assert/strict';
import { assertError, newContainer, statusOf, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const kKeyDefinition = {
  id: 'key',
  encryptionAlgorithm: 'AEAD_AES_256_CBC_HMAC_SHA256',
  wrappedDataEncryptionKey: 'AAAA',
  keyWrapMetadata: { type: 't', name: 'n', value: 'v', algorithm: 'RSA-OAEP' },
};

let container;
const server = serverForFile({
  async prepare(started) {
    container = await newContainer(started.client());
    for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: 'p', text: `the item ${id}` });
    await container.database.users.create({ id: 'u' });
    await container.database.user('u').permissions.create({
      id: 'perm', permissionMode: 'Read', resource: container.url,
    });
    await started.raw.request('POST', ['dbs', 'db', 'clientencryptionkeys'], { body: kKeyDefinition });
  },
});

const inKey = { 'x-ms-documentdb-partitionkey': '["p"]' };
const named = (...more) => ['dbs', 'db', 'colls', container.id, ...more];
const partsOf = (self) => self.replace(/\/$/, '').split('/');

async function selfOf(parts, headers) {
  const { status, json, text } = await server.raw.request('GET', parts, { headers });
  assert.equal(status, 200, text);
  return partsOf(json._self);
}

// What differs with each request, and with each connection.
function comparable({ status, headers, text }) {
  const { date, 'x-ms-activity-id': activity, connection, 'keep-alive': keep, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/"_token":"[^"]*"/g, '"_token":"..."') };
}

async function compare(byName, byRid, headers) {
  const [name, rid] = [
    await server.raw.request('GET', byName, { headers }),
    await server.raw.request('GET', byRid, { headers, path: `/${byRid.map(encodeURIComponent).join('/')}/` }),
  ];
  assert.equal(name.status, 200, name.text);
  assert.deepEqual(comparable(rid), comparable(name), byRid.join('/'));
}

test('every resource is the same by name and by rid', async () => {
  const database = await selfOf(['dbs', 'db']);
  const coll = await selfOf(named());
  await compare(['dbs', 'db'], database);
  await compare(['dbs', 'db', 'colls'], [...database, 'colls']);
  await compare(named(), coll);
  await compare(named('docs'), [...coll, 'docs']);
  await compare(named('docs'), [...coll, 'docs'], { 'a-im': 'Incremental Feed' });
  await compare(named('docs', 'a'), await selfOf(named('docs', 'a'), inKey), inKey);
  await compare(named('conflicts'), [...coll, 'conflicts']);
  await compare(named('pkranges'), [...coll, 'pkranges']);
  await compare(named('pkranges', '0'), await selfOf(named('pkranges', '0')));
  for (const parts of [
    ['dbs', 'db', 'users', 'u'],
    ['dbs', 'db', 'users', 'u', 'permissions', 'perm'],
    ['dbs', 'db', 'clientencryptionkeys', 'key'],
  ]) {
    const self = await selfOf(parts);
    await compare(parts, self);
    await compare(parts.slice(0, -1), self.slice(0, -1));
  }
});

test('ranges are read as .NET and Java do: by rid, until nothing is new', async () => {
  const coll = await selfOf(named());
  const headers = { 'a-im': 'Incremental Feed', 'x-ms-max-item-count': '-1' };
  const first = await server.raw.request('GET', [...coll, 'pkranges'], { headers });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.json.PartitionKeyRanges.length, 1);
  headers['if-none-match'] = first.headers.etag;
  assert.equal((await server.raw.request('GET', [...coll, 'pkranges'], { headers })).status, 304);
});

test('an item is written as Python does: at its _self', async () => {
  const { resource } = await container.items.create({ id: 'written', pk: 'p', n: 1 });
  const self = partsOf(resource._self);
  const write = (method, body, headers = inKey) => server.raw.request(method, self, { headers, body });
  const replaced = await write('PUT', { ...resource, n: 2 });
  assert.equal(replaced.status, 200, replaced.text);
  assert.equal(replaced.json._rid, resource._rid);
  assert.equal((await container.item('written', 'p').read()).resource.n, 2);
  const patched = await write('PATCH', [{ op: 'incr', path: '/n', value: 3 }]);
  assert.equal(patched.json.n, 5, patched.text);
  assertError(await write('PUT', { ...resource, n: 9 }, { ...inKey, 'if-match': resource._etag }), 412);
  assertError(await write('PUT', { id: 'other', pk: 'p' }), 400);
  assertError(await write('DELETE', undefined, {}), 400);
  assert.equal((await write('DELETE')).status, 204);
  assert.equal(await statusOf(container.item('written', 'p').read()), 404);
  assertError(await write('DELETE'), 404);
});

test('a rid is of one item for ever, also after a restart', async () => {
  const { resource: first } = await container.items.create({ id: 'again', pk: 'p', v: 1 });
  await container.item('again', 'p').delete();
  const { resource: second } = await container.items.create({ id: 'again', pk: 'p', v: 2 });
  for (const restart of [false, true]) {
    if (restart) await server.restart();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { id: 'again', pk: 'p', v: 3 } : undefined;
      assertError(await server.raw.request(method, partsOf(first._self), { headers: inKey, body }), 404);
    }
    const { json } = await server.raw.request('GET', partsOf(second._self), { headers: inKey });
    assert.deepEqual(json, second);
  }
  container = server.client().database('db').container(container.id);
});

test('an item by rid ends in the second of its expiry', async () => {
  await server.clock.freeze();
  const short = await newContainer(server.client(), { defaultTtl: 10 });
  const { resource } = await short.items.create({ id: 't', pk: 'p' });
  const read = () => server.raw.request('GET', partsOf(resource._self), { headers: inKey });
  await server.clock.advance(9);
  assert.equal((await read()).status, 200);
  await server.clock.advance(1);
  assertError(await read(), 404);
});

test('a signature over anything but the last rid in lower case is refused', async () => {
  const self = await selfOf(named('docs', 'a'), inKey);
  const path = `/${self.join('/')}`;
  const good = server.raw.headersFor('GET', self, { headers: inKey });
  assert.equal((await server.raw.plain('GET', path, { headers: good })).status, 200);
  for (const signed of [named('docs', 'a'), await selfOf(named('docs', 'b'), inKey)]) {
    const headers = server.raw.headersFor('GET', signed, { headers: inKey });
    assertError(await server.raw.plain('GET', path, { headers }), 401);
  }
});

test('another container under the same name is not the one that is meant', async () => {
  const first = await newContainer(server.client());
  const { resource } = await first.read();
  const headers = { ...inKey, 'x-ms-cosmos-intended-collection-rid': resource._rid };
  const parts = ['dbs', 'db', 'colls', first.id, 'docs'];
  assert.equal((await server.raw.request('POST', parts, { headers, body: { id: '1', pk: 'p' } })).status, 201);
  await first.delete();
  await server.client().database('db').containers.create({ id: first.id, partitionKey: { paths: ['/pk'] } });
  const refused = assertError(await server.raw.request('POST', parts, { headers, body: { id: '1', pk: 'p' } }), 400);
  assert.equal(refused.headers['x-ms-substatus'], '1024');
  assert.equal((await first.items.readAll().fetchAll()).resources.length, 0);
});

test('a client that asks for direct mode is told what to choose', async () => {
  const path = '/addresses?$resolveFor=dbs%2fAAAAAQ==%2fcolls%2fAAAAAYAAAAE=%2fdocs&$filter=protocol%20eq%20rntbd';
  const refused = assertError(await server.raw.plain('GET', path), 400);
  assert.match(refused.json.message, /gateway mode/);
  assert.equal(refused.headers['x-ms-substatus'], undefined);
});
