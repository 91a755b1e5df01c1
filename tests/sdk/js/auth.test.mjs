// Who may do what: signatures, the read-only key, the date of a request, and TLS beside plain text on one port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { assertError, failure, newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { authorization, signature } from './support/raw.mjs';
import { kMasterKey, kReadOnlyKey, serverForFile } from './support/server.mjs';

const kAnotherKey = Buffer.from('not the key of this account').toString('base64');
const kMinute = 60_000;

describe('keys and signatures', () => {
  let container;
  const server = serverForFile({
    async prepare(started) {
      container = await newContainer(started.client());
      await container.items.create({ id: 'x', pk: 'p' });
    },
  });

  const docs = (...id) => ['dbs', 'db', 'colls', container.id, 'docs', ...id];
  const key = { 'x-ms-documentdb-partitionkey': '["p"]' };
  const read = (options = {}) =>
    server.raw.request('GET', docs('x'), { ...options, headers: { ...key, ...options.headers } });

  test('the signature of the contract', async () => {
    const date = 'Fri, 02 Jan 2026 03:04:05 GMT';
    const link = 'dbs/MyDb/colls/MyColl/docs/Ab 1';
    const text = `get\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
    assert.equal(signature(kMasterKey, text), 'dSLMkWFIHCit4QGySKmxhkjJ9a+bdAS2yblq6xQXGBg=');
    // The signature is right and the date long past: the server must see the latter.
    const answer = await server.raw.request('GET', link.split('/'), { date, headers: key });
    assertError(answer, 403);
  });

  test('a wrong key is 401', async () => {
    const stranger = server.client({ key: kAnotherKey });
    const error = await failure(stranger.databases.readAll().fetchAll(), 401);
    assert.equal(error.body.code, 'Unauthorized');
    await failure(stranger.database('db').container(container.id).items.create({ id: 'y', pk: 'p' }), 401);
    assertError(await read({ key: kAnotherKey }), 401);
  });

  test('the account itself needs a signature', async () => {
    assertError(await server.raw.request('GET', [], { path: '/', key: kAnotherKey }), 401);
    assertError(await server.raw.plain('GET', '/'), 401);
  });

  test('every changed byte of a signature is 401', async () => {
    const date = new Date().toUTCString();
    const good = decodeURIComponent(authorization(kMasterKey, 'GET', 'docs', docs('x').join('/'), date));
    assert.equal((await read({ date, headers: { authorization: encodeURIComponent(good) } })).status, 200);
    const signatureAt = good.indexOf('sig=') + 4;
    // The last letter before the padding carries bits that do not count.
    for (let at = signatureAt; at < good.length - 2; at += 5) {
      const changed = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
      assertError(await read({ date, headers: { authorization: encodeURIComponent(changed) } }), 401);
    }
  });

  test('a signature is good for its own request only', async () => {
    const date = new Date().toUTCString();
    const link = docs('x').join('/');
    for (const [verb, type, resource] of [
      ['POST', 'docs', link],
      ['GET', 'colls', link],
      ['GET', 'docs', docs().slice(0, -1).join('/')],
      ['GET', 'docs', link.toUpperCase()],
      ['GET', 'docs', `/${link}`],
      ['GET', '', ''],
    ]) {
      const header = authorization(kMasterKey, verb, type, resource, date);
      assertError(await read({ date, headers: { authorization: header } }), 401);
    }
    const another = authorization(kMasterKey, 'GET', 'docs', link, new Date(Date.now() - kMinute).toUTCString());
    assertError(await read({ date, headers: { authorization: another } }), 401);
  });

  test('two slashes at the begin of a path are one', async () => {
    const path = `//${docs('x').join('/')}`;
    assert.equal((await read({ path })).status, 200);
    assert.equal((await server.raw.request('GET', ['dbs'], { path: '//dbs' })).status, 200);
    assertError(await read({ path, key: kAnotherKey }), 401);
    assertError(await read({ path: `/${path}` }), 404);
  });

  const kBadAuthorizations = [
    '',
    'x',
    'type=master',
    'type=master&ver=1.0&sig=',
    'type%3Dmaster%26ver%3D1.0%26sig%3D',
    'type%3Dmaster%26ver%3D1.0%26sig%3D%',
    'type%3Dmaster%26ver%3D1.0%26sig%3D%ZZ',
    'type%3Dmaster%26ver%3D2.0%26sig%3Dabc',
    'type%3Daad%26ver%3D1.0%26sig%3Dabc',
    'type%3Dresource%26ver%3D1.0%26sig%3Dabc',
    'A'.repeat(10_000),
    'null',
    'Bearer x',
  ];
  for (const header of kBadAuthorizations) {
    test(`the authorization ${JSON.stringify(header.slice(0, 50))} is 401`, async () => {
      assertError(await read({ headers: { authorization: header } }), 401);
    });
  }

  test('missing headers are 401', async () => {
    assertError(await read({ headers: { authorization: undefined } }), 401);
    assertError(await read({ headers: { 'x-ms-date': undefined } }), 401);
    assertError(await server.raw.plain('GET', '/dbs'), 401);
  });

  test('a date that is none is refused', async () => {
    for (const date of ['yesterday', '2026-01-02T03:04:05Z', '0', 'Fri, 32 Jan 2026 03:04:05 GMT']) {
      assertError(await read({ date }), 401, 403);
    }
  });

  for (const [minutes, status] of [[-16, 403], [16, 403], [-14, 200], [14, 200]]) {
    test(`a clock that is ${minutes} minutes off is ${status}`, async () => {
      const answer = await read({ date: new Date(Date.now() + minutes * kMinute).toUTCString() });
      assert.equal(answer.status, status, answer.text);
      if (status === 403) assertError(answer, 403);
    });
  }

  test('the date of a request is real time, whatever the test clock says', async () => {
    await server.clock.advance('30d');
    assert.equal((await read()).status, 200);
  });

  test('the read-only key reads', async () => {
    const reader = server.client({ key: kReadOnlyKey });
    const same = reader.database('db').container(container.id);
    assert.equal((await reader.getDatabaseAccount()).statusCode, 200);
    assert.ok((await reader.databases.readAll().fetchAll()).resources.length >= 1);
    assert.equal((await same.read()).statusCode, 200);
    assert.equal((await same.item('x', 'p').read()).statusCode, 200);
    assert.ok((await same.items.readAll().fetchAll()).resources.length >= 1, 'a query is a read');
    assert.equal((await same.readPartitionKeyRanges().fetchAll()).resources.length, 1);
  });

  test('the read-only key writes nothing', async () => {
    const reader = server.client({ key: kReadOnlyKey });
    const same = reader.database('db').container(container.id);
    const definition = (await container.read()).resource;
    const error = await failure(same.items.create({ id: 'new', pk: 'p' }), 401);
    assert.equal(error.body.code, 'Unauthorized');
    await failure(same.items.upsert({ id: 'x', pk: 'p', n: 1 }), 401);
    await failure(same.item('x', 'p').replace({ id: 'x', pk: 'p', n: 1 }), 401);
    await failure(same.item('x', 'p').delete(), 401);
    await failure(same.replace({ ...definition, defaultTtl: 5 }), 401);
    await failure(same.delete(), 401);
    await failure(newContainer(reader), 401);
    await failure(reader.databases.create({ id: uniqueName('no') }), 401);
    await failure(reader.database('db').delete(), 401);
    assert.deepEqual((await container.read()).resource, definition);
    assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
  });
});

describe('names', () => {
  const server = serverForFile({ args: ['--host-name', 'lapse,db.test'] });

  for (const [host, status] of [
    ['localhost', 200],
    ['127.0.0.1', 200],
    ['192.0.2.1:8081', 200],
    ['[::1]:8081', 200],
    ['lapse:8081', 200],
    ['DB.test', 200],
    ['rebound.example:8081', 403],
    ['localhost.rebound.example', 403],
  ]) {
    test(`with the well-known key, ${host} is ${status}`, async () => {
      const answer = await server.raw.request('GET', ['dbs'], { headers: { host } });
      assert.equal(answer.status, status, answer.text);
      if (status === 200) return;
      assertError(answer, 403);
      assert.equal(answer.json.code, 'Forbidden');
      assert.match(answer.json.message, /--host-name .*rebound\.example/);
    });
  }

  test('what changes something for all takes the key, on loopback too', async () => {
    const accept = (headers) =>
      server.raw.plain('POST', '/_lapse/clock/accept', {
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    assertError(await accept({}), 401);
    assertError(await accept({ authorization: `Bearer ${kReadOnlyKey}` }), 403);
    assert.equal((await accept({ authorization: `Bearer ${kMasterKey}` })).status, 200);
  });
});

for (const [what, args] of Object.entries({
  'a key of its own': ['--account-key', Buffer.from('a key that nobody else knows').toString('base64')],
  'the well-known key allowed': ['--allow-well-known-key'],
})) {
  describe(`with ${what}`, () => {
    const server = serverForFile({ args });
    test('a server has any name', async () => {
      const key = args[1] ?? kMasterKey;
      const answer = await server.raw.request('GET', ['dbs'], { key, headers: { host: 'db.example' } });
      assert.equal(answer.status, 200, answer.text);
    });
  });
}

describe('TLS', () => {
  let pem;
  let secureEndpoint;
  const server = serverForFile({
    args: ['--tls', 'auto'],
    async prepare(started) {
      const answer = await started.raw.plain('GET', '/_explorer/emulator.pem');
      assert.equal(answer.status, 200, answer.text);
      pem = answer.text;
      secureEndpoint = `https://localhost:${started.port}/`;
    },
  });

  test('the certificate is there to be trusted', () => {
    assert.match(pem, /^-----BEGIN CERTIFICATE-----/);
    assert.ok(!pem.includes('PRIVATE KEY'));
  });

  test('the SDK works over TLS with the certificate', async () => {
    const agent = new https.Agent({ ca: pem, keepAlive: true });
    const client = server.client({ endpoint: secureEndpoint, agent });
    try {
      const { database } = await client.databases.create({ id: 'secure' });
      const { container } = await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
      assert.equal(await statusOf(container.items.create({ id: 'x', pk: 'p', text: 'x'.repeat(500_000) })), 201);
      assert.equal((await container.item('x', 'p').read()).resource.text.length, 500_000);
      assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
      assert.equal(await client.getWriteEndpoint(), secureEndpoint.replace(/\/$/, '') + '/');
    } finally {
      agent.destroy();
    }
  });

  test('plain text on the same port', async () => {
    const client = server.client({ endpoint: `http://127.0.0.1:${server.port}/` });
    assert.equal((await client.databases.createIfNotExists({ id: 'plain' })).statusCode, 201);
  });

  // The status of a request over TLS, or the code of what went wrong.
  function secureStatus(options) {
    return new Promise((resolve) => {
      const target = { port: server.port, path: '/_lapse/health', agent: false, timeout: 10_000 };
      const request = https.get({ ...target, ...options });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('timeout', () => request.destroy(new Error('no answer over TLS')));
      request.on('error', (error) => resolve(error.code ?? error.message));
    });
  }

  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    test(`${version} by name and by address`, async () => {
      for (const host of ['localhost', '127.0.0.1']) {
        assert.equal(await secureStatus({ host, ca: pem, minVersion: version, maxVersion: version }), 200);
      }
    });
  }

  test('an old version of TLS is refused', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' };
    assert.notEqual(await secureStatus({ host: 'localhost', ca: pem, ...old }), 200);
  });

  test('a client that does not trust it is not served', async () => {
    assert.match(String(await secureStatus({ host: 'localhost' })), /CERT|SELF_SIGNED|ISSUER/);
    await server.assertHealthy();
  });

  test('a handshake that is none harms nobody', async () => {
    const kHeader = [0x16, 0x03, 0x01];
    for (const bytes of [kHeader, [...kHeader, 0x00, 0x05, 1, 2, 3, 4, 5], Array(2000).fill(0x16)]) {
      const connection = await server.raw.connect();
      await connection.write(Buffer.from(bytes));
      connection.destroy();
    }
    await server.assertHealthy();
  });

  test('a program that is told of the certificate by the environment', async () => {
    const file = path.join(server.dataDirectory, 'trusted.pem');
    writeFileSync(file, pem);
    const program = `
      import { CosmosClient } from '@azure/cosmos';
      const client = new CosmosClient({ endpoint: process.env.ENDPOINT, key: process.env.KEY });
      const { statusCode } = await client.databases.createIfNotExists({ id: 'environment' });
      client.dispose();
      process.exit(statusCode === 201 ? 0 : 1);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: path.dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file, ENDPOINT: secureEndpoint, KEY: kMasterKey },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 30_000,
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, errors);
  });

  test('the certificate stays the same over a restart', async () => {
    await server.restart();
    assert.equal((await server.raw.plain('GET', '/_explorer/emulator.pem')).text, pem);
  });

  test('the connection string of the ready line leads here', async () => {
    const agent = new https.Agent({ ca: pem });
    const secure = server.connectionString.startsWith('AccountEndpoint=https:');
    const client = new CosmosClient({ connectionString: server.connectionString, ...(secure ? { agent } : {}) });
    try {
      assert.ok((await client.databases.readAll().fetchAll()).resources.length >= 1);
    } finally {
      client.dispose();
      agent.destroy();
    }
  });
});
