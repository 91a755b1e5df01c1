// The programs of docs/sdks/javascript.md, as they stand there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from './support/check.mjs';
import { kProgram, Server } from './support/server.mjs';

const kHere = path.dirname(fileURLToPath(import.meta.url));
const kPage = readFileSync(path.join(kHere, '../../../docs/sdks/javascript.md'), 'utf8');
const kEndpoint = 'http://127.0.0.1:8081/';
const kRunMaxMs = 50_000;

// The block of code after the words `name` at the end of a paragraph.
function program(name) {
  const block = new RegExp(`\`${name.replaceAll('.', '\\.')}\`[^\`]*:\n\n\`\`\`js\n(.*?)^\`\`\`$`, 'ms').exec(kPage);
  assert.ok(block, name);
  return block[1];
}

// In a Node of its own, in this folder, where it finds the SDK. Answers {code, out, err}.
function run(source, env = {}) {
  return new Promise((resolve, reject) => {
    // Tests within a test would report to the outer one.
    const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: kHere,
      env: { ...outer, LAPSED: kProgram, ...env },
      timeout: kRunMaxMs,
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (bytes) => (out += bytes));
    child.stderr.on('data', (bytes) => (err += bytes));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
    child.stdin.end(source);
  });
}

for (const args of [[], ['--tls', 'auto']]) {
  test(`the first program runs twice, ${args.length ? 'over TLS' : 'over HTTP'}`, async (t) => {
    const server = await new Server({ args }).start();
    t.after(() => server.dispose());
    const source = program('first.mjs');
    assert.ok(source.includes(kEndpoint));
    const env = args.length ? { NODE_EXTRA_CA_CERTS: path.join(server.dataDirectory, 'tls-cert.pem') } : {};
    for (let round = 0; round < 2; round += 1) {
      const { code, out, err } = await run(source.replace(kEndpoint, server.endpoint), env);
      assert.equal(code, 0, err);
      assert.equal(out, "s1\n[ 's1', 's2' ]\n");
    }
  });
}

test('the helper for node --test, and its test', async () => {
  const { code, out, err } = await run(program('sessions.test.mjs'));
  assert.equal(code, 0, out + err);
  assert.match(out, /pass 1/);
});
