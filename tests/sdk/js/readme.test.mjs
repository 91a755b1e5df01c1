// The first session of README.md, as it stands there: it works, says something, and works again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { test } from './support/check.mjs';
import { kMasterKey, Server } from './support/server.mjs';

const kHere = path.dirname(fileURLToPath(import.meta.url));
const kReadme = readFileSync(path.join(kHere, '../../../README.md'), 'utf8');
const kEndpoint = 'http://127.0.0.1:8081/';
const kRunMaxMs = 60_000;

// The one block of JavaScript, for a server that listens elsewhere.
function firstSession(endpoint) {
  const blocks = [...kReadme.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
  assert.equal(blocks.length, 1);
  assert.ok(blocks[0].includes(kEndpoint) && blocks[0].includes(kMasterKey));
  return blocks[0].replace(kEndpoint, endpoint);
}

// In a Node of its own, in this folder, where it finds the SDK. Answers {code, out, err}.
function runNode(script, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: kHere,
      env: { ...process.env, ...env },
      timeout: kRunMaxMs,
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (bytes) => (out += bytes));
    child.stderr.on('data', (bytes) => (err += bytes));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
    child.stdin.end(script);
  });
}

function assertShown({ code, out, err }) {
  assert.equal(code, 0, err);
  assert.match(out, /id: 's1'/);
  assert.match(out, /ttl: 60/);
}

describe('the first session of README.md', () => {
  test('runs twice in a row and shows what it read', async (t) => {
    const server = await new Server({ testClock: false }).start();
    t.after(() => server.dispose());
    for (let run = 0; run < 2; ++run) assertShown(await runNode(firstSession(server.endpoint)));
  });

  test('runs over TLS when Node trusts the certificate that the server has made', async (t) => {
    const server = await new Server({ testClock: false, args: ['--tls', 'auto'] }).start();
    t.after(() => server.dispose());
    assert.match(server.endpoint, /^https:/);
    const script = firstSession(server.endpoint);
    const refused = await runNode(script, { NODE_EXTRA_CA_CERTS: '' });
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /self-signed certificate|SELF_SIGNED/i);
    const certificate = path.join(server.dataDirectory, 'tls-cert.pem');
    assertShown(await runNode(script, { NODE_EXTRA_CA_CERTS: certificate }));
  });
});
