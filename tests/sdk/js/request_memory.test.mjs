// Bodies: who is refused is told before the body has come, and all requests together stay within --request-memory.
import assert from 'node:assert/strict';
import { assertError, newContainer, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const kBodyBytes = 4_000_000;
const kPartBytes = 3_900_000;
const kAnotherKey = Buffer.from('not the key of this account').toString('base64');

let container;
const server = serverForFile({
  args: ['--request-memory', '16M'],
  async prepare(started) {
    container = await newContainer(started.client());
  },
});

const docs = () => ['dbs', 'db', 'colls', container.id, 'docs'];

// The head of a create whose body is announced and not there.
function head(options = {}) {
  const headers = {
    'content-type': 'application/json',
    'x-ms-documentdb-partitionkey': '["p"]',
    'content-length': kBodyBytes,
    ...options.headers,
  };
  return server.raw.text('POST', docs(), { ...options, headers });
}

test('a request that is not signed is refused before its body has come', async () => {
  for (const options of [{ key: kAnotherKey }, { headers: { authorization: undefined } }]) {
    const connection = await server.raw.connect();
    await connection.write(head(options));
    assert.deepEqual(await connection.answers(1), [401]);
    assert.match(connection.received, /"code":"Unauthorized"/);
    assert.match(connection.received, /\r\nconnection: close\r\n/i);
    connection.destroy();
  }
});

test('a client that asks before it sends is refused instead of asked', async () => {
  const connection = await server.raw.connect();
  await connection.write(head({ key: kAnotherKey, headers: { expect: '100-continue' } }));
  assert.deepEqual(await connection.answers(1), [401]);
  connection.destroy();
  const welcome = await server.raw.connect();
  await welcome.write(head({ headers: { expect: '100-continue' } }));
  assert.deepEqual(await welcome.answers(1), [100]);
  welcome.destroy();
});

test('bodies beyond the memory for requests are 503, and small requests go on', async () => {
  const connections = [];
  try {
    // Each fits alone; all of them do not.
    for (let i = 0; i < 6; i += 1) {
      const connection = await server.raw.connect();
      connections.push(connection);
      await connection.write(head());
      connection.socket.write('x'.repeat(kPartBytes));
    }
    const answered = async (one) => ((await one.answers(1)).length > 0 ? one : never());
    const refused = await Promise.race(connections.map(answered));
    assert.deepEqual(refused.statuses(), [503]);
    assert.match(refused.received, /"code":"ServiceUnavailable"/);
    assert.match(refused.received, /\r\nx-ms-retry-after-ms: \d+\r\n/i);
    const { statusCode } = await container.items.create({ id: 'small', pk: 'p' });
    assert.equal(statusCode, 201);
  } finally {
    for (const connection of connections) connection.destroy();
  }
  const item = { id: 'large', pk: 'p', text: 'x'.repeat(1_500_000) };
  // The server may not have seen yet that the others have gone.
  const create = () =>
    server.raw.request('POST', docs(), { headers: { 'x-ms-documentdb-partitionkey': '["p"]' }, body: item });
  let created = await create();
  while (created.status === 503) created = await create();
  assert.equal(created.status, 201, created.text);
  assertError(await server.raw.request('GET', [], { path: '/', key: kAnotherKey }), 401);
});

function never() {
  return new Promise(() => {});
}
