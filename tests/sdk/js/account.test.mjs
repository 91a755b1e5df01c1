// The account: the first thing every SDK reads, and what it needs to find there.
import assert from 'node:assert/strict';
import { CosmosClient } from '@azure/cosmos';
import { assertError, test } from './support/check.mjs';
import { kMasterKey, serverForFile } from './support/server.mjs';

const server = serverForFile();

test('the SDK reads the account', async () => {
  const { resource } = await server.client().getDatabaseAccount();
  assert.equal(resource.consistencyPolicy.defaultConsistencyLevel ?? resource.consistencyPolicy, 'Session');
  assert.equal(resource.writableLocations.length, 1);
  assert.ok(resource.readableLocations.length >= 1);
});

test('all calls go back to where the client came from', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const account = await server.raw.request('GET', [], { path: '/', headers: { host: `${host}:${server.port}` } });
    assert.equal(account.status, 200, account.text);
    for (const location of [...account.json.writableLocations, ...account.json.readableLocations]) {
      assert.equal(location.databaseAccountEndpoint, `http://${host}:${server.port}/`);
      assert.ok(location.name.length > 0);
    }
  }
});

test('the account has what SDKs look for', async () => {
  const { json } = await server.raw.request('GET', [], { path: '/' });
  assert.ok(json.id.length > 0);
  assert.notEqual(json.id, 'localhost', 'the SDK would read the account again before every call');
  assert.equal(json.enableMultipleWriteLocations, false);
  assert.ok(['Strong', 'BoundedStaleness', 'Session', 'ConsistentPrefix', 'Eventual'].includes(
    json.userConsistencyPolicy.defaultConsistencyLevel));
  assert.ok(!json.enablePerPartitionFailoverBehavior);
  assert.equal(typeof JSON.parse(json.queryEngineConfiguration), 'object');
});

test('the connection string of the ready line is enough', async () => {
  const client = new CosmosClient(server.connectionString);
  try {
    const { resources } = await client.databases.readAll().fetchAll();
    assert.deepEqual(resources, []);
  } finally {
    client.dispose();
  }
  assert.ok(server.connectionString.includes(`AccountKey=${kMasterKey}`));
});

test('a client with every consistency level it may ask for works', async () => {
  for (const consistencyLevel of ['Session', 'ConsistentPrefix', 'Eventual']) {
    const client = server.client({ consistencyLevel });
    const { statusCode } = await client.databases.createIfNotExists({ id: 'consistency' });
    assert.ok(statusCode === 200 || statusCode === 201);
  }
});

test('a stronger consistency than the account has is refused', async () => {
  await server.client().databases.createIfNotExists({ id: 'consistency' });
  const headers = { 'x-ms-consistency-level': 'Strong' };
  assertError(await server.raw.request('GET', ['dbs', 'consistency'], { headers }), 400);
});
