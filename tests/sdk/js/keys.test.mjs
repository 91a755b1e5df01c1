// The account's four keys: from flags and files, replaced while the server runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { assertError, failure, test } from './support/check.mjs';
import { kMasterKey, kProgram, kReadOnlyKey, serverForFile } from './support/server.mjs';

const keyOf = (text) => Buffer.from(text).toString('base64');
const kFirst = keyOf('the first secondary key');
const kReader = keyOf('the second key of those who read');

const directory = mkdtempSync(path.join(tmpdir(), 'lapse-keys-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const secondaryFile = path.join(directory, 'secondary');
writeFileSync(secondaryFile, `${kFirst}\n`);

const server = serverForFile({
  args: ['--secondary-account-key-file', secondaryFile, '--secondary-read-only-key', kReader],
  prepare: (started) => started.client().databases.create({ id: 'db' }),
});

const statusWith = async (key, method = 'GET') =>
  (await server.raw.request(method, ['dbs'], { key, body: method === 'POST' ? { id: 'x' } : undefined })).status;

function lapse(...args) {
  return spawnSync(path.join(path.dirname(kProgram), 'lapse'), ['--endpoint', server.endpoint, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
}

test('each key is good for what it is for', async () => {
  for (const key of [kMasterKey, kFirst, kReadOnlyKey, kReader]) assert.equal(await statusWith(key), 200);
  for (const key of [kReadOnlyKey, kReader]) assert.equal(await statusWith(key, 'POST'), 401);
  const client = server.client({ key: kFirst });
  assert.equal((await client.databases.create({ id: 'by-the-secondary' })).statusCode, 201);
});

test('a key is replaced without a restart, and the others stay good', async () => {
  const held = server.client({ key: kMasterKey });
  assert.equal((await held.database('db').read()).statusCode, 200);
  const second = keyOf('the next secondary key');
  writeFileSync(secondaryFile, second);
  assert.equal(await statusWith(second), 401, 'not read yet');

  assert.equal(lapse('--key', kReadOnlyKey, 'keys', 'reload').status, 1, 'a read-only key reloads nothing');
  assert.equal(lapse('--key', second, 'keys', 'reload').status, 1, 'a key that is not good yet neither');
  const reloaded = lapse('--key', kMasterKey, 'keys', 'reload');
  assert.equal(reloaded.status, 0, reloaded.stderr);
  assert.deepEqual(JSON.parse(reloaded.stdout), { changed: ['secondary-account-key'] });

  assert.equal(await statusWith(second), 200);
  assert.equal(await statusWith(kFirst), 401);
  assert.equal((await held.database('db').read()).statusCode, 200);
  await failure(server.client({ key: kFirst }).databases.readAll().fetchAll(), 401);
  assert.deepEqual(JSON.parse(lapse('--key', second, 'keys', 'reload').stdout), { changed: [] });
  assert.ok(server.process.lines.some((line) => /key_replaced .*secondary-account-key/.test(line)));
  assert.ok(!server.process.lines.some((line) => line.includes(second)), 'no key is in the log');
});

test('a configuration that is wrong changes nothing', async () => {
  const good = keyOf('the next secondary key');
  for (const text of ['', '***', `${kMasterKey}\n`, 'two keys']) {
    writeFileSync(secondaryFile, text);
    const refused = lapse('keys', 'reload');
    assert.equal(refused.status, 1, text);
    assert.match(refused.stderr, /secondary-account-key/);
    assert.equal(await statusWith(good), 200);
  }
  rmSync(secondaryFile);
  assert.match(lapse('keys', 'reload').stderr, /cannot read the key file/);
  assert.equal(await statusWith(good), 200);
});

test('an Entra token is told what to use instead', async () => {
  const authorization = encodeURIComponent(`type=aad&ver=1.0&sig=${'a'.repeat(5000)}`);
  const answer = await server.raw.request('GET', ['dbs'], { headers: { authorization } });
  assertError(answer, 401);
  assert.match(answer.json.message, /account key.*resource token/);
});

test('an authorization that is too long is 400', async () => {
  for (const text of [`type=master&ver=1.0&sig=${'a'.repeat(2000)}`, `type=resource&ver=1.0&sig=${'a'.repeat(9000)}`]) {
    const headers = { authorization: encodeURIComponent(text) };
    assertError(await server.raw.request('GET', ['dbs'], { headers }), 400);
  }
});
