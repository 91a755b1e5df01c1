// Permissions and clients with resource tokens: each may do exactly what its permission says.
import assert from 'node:assert/strict';
import { ChangeFeedStartFrom, PermissionMode } from '@azure/cosmos';
import { assertError, failure, newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { kReadOnlyKey, serverForFile } from './support/server.mjs';

let container;
let other;
let user;
const server = serverForFile({
  async prepare(started) {
    container = await newContainer(started.client());
    other = await newContainer(started.client());
    for (const target of [container, other]) {
      for (const pk of ['p', 'q']) await target.items.create({ id: 'x', pk });
      await target.items.create({ id: 'y', pk: 'p' });
    }
    ({ user } = await container.database.users.create({ id: 'u' }));
  },
});

const linkOf = (target, item) => `dbs/db/colls/${target.id}${item ? `/docs/${item}` : ''}`;

// A permission of a user of its own, since a user has one for a resource.
async function permit(mode, resource, more = {}, options = {}) {
  const { user: holder } = await container.database.users.create({ id: uniqueName('holder') });
  const body = { id: uniqueName('permission'), permissionMode: mode, resource, ...more };
  const { permission, resource: made } = await holder.permissions.create(body, options);
  return { holder, permission, made };
}

// The same container as somebody sees it who has this token and no key.
function withToken(token, target = container, keyOfToken = linkOf(target)) {
  const client = server.client({ key: undefined, resourceTokens: { [keyOfToken]: token } });
  return client.database('db').container(target.id);
}

test('a permission from creation to deletion', async () => {
  const body = { id: 'a permission', permissionMode: PermissionMode.Read, resource: container.url };
  const { permission, resource, statusCode } = await user.permissions.create(body);
  assert.equal(statusCode, 201);
  assert.deepEqual({ id: resource.id, mode: resource.permissionMode }, { id: 'a permission', mode: 'read' });
  assert.equal(resource.resource, container.url);
  assert.equal(Buffer.from(resource._rid.replaceAll('-', '/'), 'base64').length, 16);
  assert.match(resource._token, /^type=resource&ver=1\.0&sig=[\w-]+$/);
  assert.equal((await permission.read()).resource._rid, resource._rid);
  await failure(user.permissions.create({ ...body, id: 'the same again' }), 409);
  await failure(user.permissions.create({ ...body, resource: other.url }), 409);
  const { _self } = (await container.read()).resource;
  await failure(user.permissions.create({ ...body, id: 'the same by its rid', resource: _self }), 409);

  const replaced = await permission.replace({ ...body, id: 'renamed', permissionMode: PermissionMode.All });
  assert.equal(replaced.resource.permissionMode, 'all');
  const upserted = await user.permissions.upsert({ ...body, id: 'renamed' });
  assert.equal(upserted.statusCode, 200);
  const listed = (await user.permissions.readAll().fetchAll()).resources;
  assert.deepEqual(listed.map((one) => one.id), ['renamed']);
  const query = { query: 'SELECT * FROM root r WHERE r.id=@id', parameters: [{ name: '@id', value: 'renamed' }] };
  assert.equal((await user.permissions.query(query).fetchAll()).resources.length, 1);
  assert.equal((await user.permission('renamed').delete()).statusCode, 204);
  await failure(user.permission('renamed').read(), 404);
});

test('what is no permission is refused', async () => {
  const body = { id: 'p', permissionMode: 'Read', resource: container.url };
  for (const wrong of [{ permissionMode: 'Write' }, { permissionMode: undefined }, { resource: undefined }]) {
    await failure(user.permissions.create({ ...body, ...wrong }), 400);
  }
  const error = await failure(user.permissions.create({ ...body, resourcePartitionKey: 'p' }), 400);
  assert.match(error.message, /Partition key supplied is not valid/);
  for (const seconds of [599, 86_401]) {
    await failure(user.permissions.create(body, { resourceTokenExpirySeconds: seconds }), 400);
  }
  await failure(container.database.user('nobody').permissions.create(body), 404);
});

test('a read token reads one container', async () => {
  const { made } = await permit('Read', container.url);
  const reader = withToken(made._token);
  assert.equal((await reader.read()).statusCode, 200);
  assert.equal((await reader.item('x', 'p').read()).resource.id, 'x');
  assert.equal((await reader.items.readAll().fetchAll()).resources.length, 3);
  assert.equal((await reader.items.query('SELECT * FROM c').fetchAll()).resources.length, 3);
  assert.equal((await reader.readPartitionKeyRanges().fetchAll()).resources.length, 1);
  const changes = reader.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning() });
  assert.equal((await changes.readNext()).result.length, 3);

  const refused = await failure(reader.items.create({ id: 'new', pk: 'p' }), 403);
  assert.match(refused.message, /permission mode/);
  await failure(reader.items.upsert({ id: 'x', pk: 'p', n: 1 }), 403);
  await failure(reader.item('x', 'p').replace({ id: 'x', pk: 'p', n: 1 }), 403);
  await failure(reader.item('x', 'p').delete(), 403);
  await failure(reader.delete(), 403);
  await failure(withToken(made._token, other).item('x', 'p').read(), 403);
  await failure(reader.database.client.offers.readAll().fetchAll(), 401);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 3);
});

test('an all token writes items and nothing else', async () => {
  const { made } = await permit('All', container.url);
  const writer = withToken(made._token);
  assert.equal((await writer.items.create({ id: 'w', pk: 'p' })).statusCode, 201);
  assert.equal((await writer.items.upsert({ id: 'w', pk: 'p', n: 1 })).statusCode, 200);
  assert.equal((await writer.item('w', 'p').replace({ id: 'w', pk: 'p', n: 2 })).statusCode, 200);
  assert.equal((await writer.item('w', 'p').delete()).statusCode, 204);
  const definition = (await writer.read()).resource;
  await failure(writer.replace({ ...definition, defaultTtl: 5 }), 403);
  await failure(writer.delete(), 403);
  await failure(newContainerWith(made._token), 403);
});

async function newContainerWith(token) {
  const client = server.client({ key: undefined, resourceTokens: { db: token, 'dbs/db': token } });
  return client.database('db').containers.create({ id: 'no', partitionKey: { paths: ['/pk'] } });
}

test('a token for a key stays within it', async () => {
  const { made } = await permit('All', container.url, { resourcePartitionKey: ['p'] });
  const tenant = withToken(made._token);
  assert.equal((await tenant.item('x', 'p').read()).resource.pk, 'p');
  await failure(tenant.item('x', 'q').read(), 403);
  const mine = await tenant.items.readAll({ partitionKey: 'p' }).fetchAll();
  assert.deepEqual(mine.resources.map((item) => item.pk), ['p', 'p']);
  await failure(tenant.items.readAll({ partitionKey: 'q' }).fetchAll(), 403);
  await failure(tenant.items.readAll().fetchAll(), 403);
  await failure(tenant.items.create({ id: 'n', pk: 'q' }), 403);
  assert.equal((await tenant.items.create({ id: 'n', pk: 'p' })).statusCode, 201);
  assert.equal((await tenant.item('n', 'p').delete()).statusCode, 204);
  const docs = ['dbs', 'db', 'colls', container.id, 'docs'];
  for (const headers of [{ 'x-ms-documentdb-partitionkeyrangeid': '0' }, { 'x-ms-end-epk': 'FF' }]) {
    const proof = { authorization: encodeURIComponent(made._token), 'x-ms-documentdb-partitionkey': '["p"]' };
    assertError(await server.raw.request('GET', docs, { headers: { ...proof, ...headers } }), 400);
  }
});

test('a token for an item', async () => {
  const { made } = await permit('All', linkOf(container, 'x'), { resourcePartitionKey: ['p'] });
  const one = withToken(made._token, container, linkOf(container, 'x'));
  const headers = { authorization: encodeURIComponent(made._token), 'x-ms-documentdb-partitionkey': '["p"]' };
  const item = (id) => ['dbs', 'db', 'colls', container.id, 'docs', id];
  assert.equal((await server.raw.request('GET', item('x'), { headers })).status, 200);
  assertError(await server.raw.request('GET', item('y'), { headers }), 403);
  assertError(await server.raw.request('GET', item('x').slice(0, -1), { headers }), 403);
  assert.equal(await statusOf(one.item('x', 'p').read()), 200);
});

test('a client with a permission feed', async () => {
  const { holder } = await permit('Read', container.url);
  await holder.permissions.create({ id: 'second', permissionMode: 'All', resource: other.url });
  const permissionFeed = (await holder.permissions.readAll().fetchAll()).resources;
  const client = server.client({ key: undefined, permissionFeed });
  const [readable, writable] = [container, other].map((target) => client.database('db').container(target.id));
  assert.equal((await readable.item('x', 'p').read()).resource.id, 'x');
  await failure(readable.items.create({ id: 'new', pk: 'p' }), 403);
  assert.equal((await writable.items.create({ id: 'fed', pk: 'p' })).statusCode, 201);
});

test('a client without a fitting token is 401', async () => {
  const client = server.client({ key: undefined, resourceTokens: { 'dbs/db/colls/elsewhere': 'x' } });
  await failure(client.database('db').container(container.id).item('x', 'p').read(), 401);
});

test('every changed letter of a token is 401', async () => {
  const { made } = await permit('Read', container.url);
  const docs = ['dbs', 'db', 'colls', container.id, 'docs'];
  const status = async (token) => {
    const headers = { authorization: encodeURIComponent(token), 'x-ms-date': undefined };
    return (await server.raw.request('GET', docs, { headers })).status;
  };
  assert.equal(await status(made._token), 200, 'a token needs no date');
  for (let at = made._token.indexOf('sig=') + 4; at < made._token.length; at += 7) {
    const changed = made._token.slice(0, at) + (made._token[at] === 'A' ? 'B' : 'A') + made._token.slice(at + 1);
    assert.equal(await status(changed), 401, `at ${at}`);
  }
});

test('a token ends with its permission, its user and its container', async () => {
  const target = await newContainer(server.client());
  await target.items.create({ id: 'x', pk: 'p' });
  const first = await permit('Read', target.url);
  const second = await permit('Read', target.url);
  const third = await permit('Read', target.url);
  const reads = ({ made }) => statusOf(withToken(made._token, target).item('x', 'p').read());
  for (const one of [first, second, third]) assert.equal(await reads(one), 200);
  await first.permission.delete();
  await second.holder.delete();
  assert.equal(await reads(first), 403);
  assert.equal(await reads(second), 403);
  assert.equal(await reads(third), 200);
  await target.delete();
  await target.database.containers.create({ id: target.id, partitionKey: { paths: ['/pk'] } });
  await target.items.create({ id: 'x', pk: 'p' });
  assert.equal(await reads(third), 403);
});

test('tokens outlive a restart and the test clock', async () => {
  const { made } = await permit('Read', container.url);
  await server.clock.advance('30d');
  await server.restart();
  container = server.client().database('db').container(container.id);
  assert.equal((await withToken(made._token).item('x', 'p').read()).statusCode, 200);
});

test('who may only read gets no tokens', async () => {
  const reader = server.client({ key: kReadOnlyKey }).database('db').user('u');
  assert.equal((await reader.read()).statusCode, 200);
  await failure(reader.permissions.readAll().fetchAll(), 401);
});
