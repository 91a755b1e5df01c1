// Databases: create, read, list, delete, and the names they may have.
import assert from 'node:assert/strict';
import { assertError, failure, statusOf, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile();
const databases = () => server.client().databases;

test('create, read and delete', async () => {
  const id = uniqueName('d');
  const created = await databases().create({ id });
  assert.equal(created.statusCode, 201);
  assert.equal(created.resource.id, id);
  assert.ok(created.requestCharge > 0);
  assert.ok(created.activityId.length > 0);
  for (const name of ['_rid', '_self', '_etag', '_ts']) assert.ok(created.resource[name], name);
  assert.equal(created.headers.etag, created.resource._etag);
  assert.equal(created.resource._self, `dbs/${created.resource._rid}/`);

  const read = await created.database.read();
  assert.equal(read.statusCode, 200);
  assert.deepEqual(read.resource, created.resource);

  assert.equal((await created.database.delete()).statusCode, 204);
  await failure(created.database.read(), 404);
  await failure(created.database.delete(), 404);
});

test('a name is taken once', async () => {
  const id = uniqueName('d');
  await databases().create({ id });
  const error = await failure(databases().create({ id }), 409);
  assert.equal(error.body.code, 'Conflict');
});

test('names keep their case', async () => {
  await databases().create({ id: 'CaseMatters' });
  assert.equal(await statusOf(databases().create({ id: 'casematters' })), 201);
  await failure(server.client().database('CASEMATTERS').read(), 404);
});

test('createIfNotExists', async () => {
  const id = uniqueName('d');
  assert.equal((await databases().createIfNotExists({ id })).statusCode, 201);
  assert.equal((await databases().createIfNotExists({ id })).statusCode, 200);
});

test('a name is free again after delete, and the new database is empty', async () => {
  const id = uniqueName('d');
  const first = await databases().create({ id });
  await first.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  await first.database.container('c').items.create({ id: 'x', pk: 'p' });
  await first.database.delete();
  const second = await databases().create({ id });
  assert.notEqual(second.resource._rid, first.resource._rid);
  assert.deepEqual((await second.database.containers.readAll().fetchAll()).resources, []);
  await failure(second.database.container('c').read(), 404);
});

test('the list has every database once, page by page', async () => {
  const ids = Array.from({ length: 7 }, () => uniqueName('page'));
  for (const id of ids) await databases().create({ id });
  const pages = databases().readAll({ maxItemCount: 3 });
  const seen = [];
  while (pages.hasMoreResults()) {
    const { resources } = await pages.fetchNext();
    assert.ok((resources ?? []).length <= 3);
    seen.push(...(resources ?? []).map((database) => database.id));
  }
  assert.equal(new Set(seen).size, seen.length);
  for (const id of ids) assert.ok(seen.includes(id), id);
});

test('the feed is in the form SDKs expect', async () => {
  await databases().createIfNotExists({ id: 'feed' });
  const feed = await server.raw.request('GET', ['dbs']);
  assert.equal(feed.status, 200);
  assert.equal(feed.json._count, feed.json.Databases.length);
  assert.equal(typeof feed.json._rid, 'string');
  assert.equal(Number(feed.headers['x-ms-item-count']), feed.json._count);
});

const kOddNames = [
  'with space', 'größe', '日本', '😀', 'a+b', '100%', '%41', "it's", 'a"b', 'a&b=c', 'a:b', 'a;b,c', '.', '..', '~', '{}',
  '[x]', '<b>', '$x', '@', '!', 'x'.repeat(255),
];
for (const id of kOddNames) {
  test(`the name ${JSON.stringify(id.length > 30 ? `${id.length} letters` : id)} works`, async () => {
    if (id === '.' || id === '..') {
      // Clients resolve such paths themselves, so only the creation and the list can be told apart.
      assert.equal((await databases().create({ id })).resource.id, id);
      assert.ok((await databases().readAll().fetchAll()).resources.some((database) => database.id === id));
      return;
    }
    const { database, resource } = await databases().create({ id });
    assert.equal(resource.id, id);
    assert.deepEqual((await database.read()).resource, resource);
    const raw = await server.raw.request('GET', ['dbs', id]);
    assert.equal(raw.json.id, id, raw.text);
    assert.equal((await database.delete()).statusCode, 204);
  });
}

const kBadNames = {
  'an empty name': '',
  'a slash': 'a/b',
  'a backslash': 'a\\b',
  'a question mark': 'a?b',
  'a hash': 'a#b',
  'a NUL': 'a\0b',
  'a long name': 'x'.repeat(256),
  'a number': 5,
  'null': null,
  'an object': {},
};
for (const [what, id] of Object.entries(kBadNames)) {
  test(`${what} is refused`, async () => {
    assertError(await server.raw.request('POST', ['dbs'], { body: { id } }), 400);
  });
}

test('the character that a name may not have is named', async () => {
  const answer = assertError(await server.raw.request('POST', ['dbs'], { body: { id: 'a#b' } }), 400);
  assert.ok(answer.json.message.includes("contains invalid character '#'."), answer.json.message);
});

test('a body without a name is refused', async () => {
  assertError(await server.raw.request('POST', ['dbs'], { body: {} }), 400);
});

test('a conditional read', async () => {
  const { resource } = await databases().create({ id: uniqueName('d') });
  const parts = ['dbs', resource.id];
  const same = await server.raw.request('GET', parts, { headers: { 'if-none-match': resource._etag } });
  assert.equal(same.status, 304);
  assert.equal(same.text, '');
  const other = await server.raw.request('GET', parts, { headers: { 'if-none-match': '"other"' } });
  assert.equal(other.status, 200);
});

test('databases survive a restart', async () => {
  const { resource } = await databases().create({ id: uniqueName('d') });
  await server.restart();
  assert.deepEqual((await server.client().database(resource.id).read()).resource, resource);
});
