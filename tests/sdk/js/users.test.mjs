// Users, with the official SDK.
import assert from 'node:assert/strict';
import { assertError, failure, test, uniqueName } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

let database;
const server = serverForFile({
  async prepare(started) {
    ({ database } = await started.client().databases.create({ id: 'db' }));
  },
});

test('a user from creation to deletion', async () => {
  const { user, resource, statusCode } = await database.users.create({ id: 'a user' });
  assert.equal(statusCode, 201);
  assert.equal(resource.id, 'a user');
  assert.equal(Buffer.from(resource._rid.replace('-', '/'), 'base64').length, 8);
  assert.equal(resource._permissions, 'permissions/');
  assert.match(resource._self, /^dbs\/[^/]+\/users\/[^/]+\/$/);
  assert.deepEqual((await user.read()).resource, resource);
  await failure(database.users.create({ id: 'a user' }), 409);

  const replaced = await user.replace({ ...resource, id: 'another' });
  assert.equal(replaced.resource.id, 'another');
  assert.equal(replaced.resource._rid, resource._rid);
  assert.notEqual(replaced.resource._etag, resource._etag);
  await failure(user.read(), 404);
  assert.equal((await database.user('another').delete()).statusCode, 204);
  await failure(database.user('another').delete(), 404);
});

test('an upsert creates, then replaces', async () => {
  const id = uniqueName('upserted');
  assert.equal((await database.users.upsert({ id })).statusCode, 201);
  assert.equal((await database.users.upsert({ id })).statusCode, 200);
});

test('feeds and queries', async () => {
  const ids = ['q1', 'q2', 'q3'];
  for (const id of ids) await database.users.create({ id });
  const all = await database.users.readAll().fetchAll();
  for (const id of ids) assert.ok(all.resources.some((user) => user.id === id));
  const pages = database.users.readAll({ maxItemCount: 2 });
  assert.equal((await pages.fetchNext()).resources.length, 2);
  const query = { query: 'SELECT * FROM root r WHERE r.id=@id', parameters: [{ name: '@id', value: 'q2' }] };
  const found = await database.users.query(query).fetchAll();
  assert.deepEqual(found.resources.map((user) => user.id), ['q2']);
});

test('users are kept, and go with their database', async () => {
  const { database: second } = await server.client().databases.create({ id: 'second' });
  await second.users.create({ id: 'kept' });
  await server.restart();
  const again = server.client().database('second');
  const kept = (await again.user('kept').read()).resource;
  await again.delete();
  await server.client().databases.create({ id: 'second' });
  await failure(again.user('kept').read(), 404);
  const { resource } = await again.users.create({ id: 'kept' });
  assert.notEqual(resource._rid, kept._rid);
  database = server.client().database('db');
});

test('what is no user is refused', async () => {
  for (const body of [{ id: 7 }, {}, { id: '' }, { id: 'a/b' }, [], 'x', '{']) {
    assertError(await server.raw.request('POST', ['dbs', 'db', 'users'], { body }), 400);
  }
  await failure(database.users.create({ id: 'x'.repeat(256) }), 400);
  await failure(server.client().database('nowhere').users.create({ id: 'x' }), 404);
});
