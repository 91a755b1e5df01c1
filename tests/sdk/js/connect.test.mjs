// How a client connects, and what its user sees when it cannot. TLS is in readme.test.mjs and docs_javascript.test.mjs.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { CosmosClient } from '@azure/cosmos';
import { failure, forAll, newContainer, test } from './support/check.mjs';
import { kMasterKey, serverForFile } from './support/server.mjs';

const server = serverForFile();

const kQuiet = { enableBackgroundEndpointRefreshing: false };

async function databasesOf(t, options) {
  const client = new CosmosClient(options);
  t.after(() => client.dispose());
  return (await client.databases.readAll().fetchAll()).resources;
}

test('a connection string', async (t) => {
  await newContainer(server.client());
  const found = await databasesOf(t, `AccountEndpoint=${server.endpoint};AccountKey=${kMasterKey};`);
  assert.deepEqual(found.map(({ id }) => id), ['db']);
});

test('a wrong key is said', async (t) => {
  const key = Buffer.from('not the key of this server, but of another').toString('base64');
  const error = await failure(databasesOf(t, { endpoint: server.endpoint, key, connectionPolicy: kQuiet }), 401);
  assert.match(error.message, /key/);
});

test('a port where nobody listens is said', async (t) => {
  const listener = createServer();
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  const endpoint = `http://127.0.0.1:${port}/`;
  await assert.rejects(databasesOf(t, { endpoint, key: kMasterKey, connectionPolicy: kQuiet }), /ECONNREFUSED/);
});

test('query metrics and index metrics', async () => {
  const container = await newContainer(server.client());
  await forAll([1, 2, 3], (n) => container.items.create({ id: `i${n}`, pk: 'p', n }));
  const options = { partitionKey: 'p', populateQueryMetrics: true, populateIndexMetrics: true };
  const answer = await container.items.query('SELECT * FROM c WHERE c.n > 1', options).fetchNext();
  assert.equal(answer.resources.length, 2);
  const [metrics] = Object.values(answer.headers['x-ms-documentdb-query-metrics']);
  assert.equal(metrics.retrievedDocumentCount, 2, 'the index knows which two');
  assert.ok(answer.indexMetrics.length > 0);
});

test('a container made again under its name is found', async () => {
  const container = await newContainer(server.client());
  await container.items.create({ id: 'x', pk: 'old' });
  await container.delete();
  await container.database.containers.create({ id: container.id, partitionKey: '/key' });
  await container.items.create({ id: 'x', key: 'new' });
  assert.equal((await container.item('x', 'new').read()).resource.key, 'new');
});
