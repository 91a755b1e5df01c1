// What the Data Explorer stands on: its files, the requests that a page of the same origin can make, and the answers of
// /_lapse that it shows. The page itself has tests of its own in web/.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { describe } from 'node:test';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { assertError, newContainer, test, uniqueName } from './support/check.mjs';
import { authorization } from './support/raw.mjs';
import { kMasterKey, kProgram, kReadOnlyKey, serverForFile } from './support/server.mjs';

const kFirstLoadBytesMax = 1_000_000;
const kAnswerMaxMs = 15_000;
const kOwnKey = Buffer.from('a key of their own, which no web page can know').toString('base64');

const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

// {status, headers, bytes}, the bytes as they came.
function fetchBytes(server, target, { method = 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: server.port, method, path: target, headers, agent: false, timeout: kAnswerMaxMs },
      async (response) => {
        const chunks = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${target}`)));
    request.on('error', reject);
    request.end();
  });
}

function assertKeptIn({ headers }) {
  assert.equal(headers['content-security-policy'], kPolicy);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['set-cookie'], undefined);
  assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith('access-control')), []);
}

function decoded({ headers, bytes }) {
  if (headers['content-encoding'] === 'br') return zlib.brotliDecompressSync(bytes);
  if (headers['content-encoding'] === 'gzip') return zlib.gunzipSync(bytes);
  return bytes;
}

// What a browser adds by itself to a request of a page of this server. It does not let the page set Date.
function browserHeaders(server) {
  return {
    origin: `http://127.0.0.1:${server.port}`,
    referer: `http://127.0.0.1:${server.port}/_explorer/`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0',
  };
}

// As the page signs requests to /_lapse.
function adminHeaders(key, method, target) {
  const date = new Date().toUTCString();
  const link = target.split('?')[0].slice(1);
  return { 'x-ms-date': date, authorization: authorization(key, method, '_lapse', link, date) };
}

const json = { 'content-type': 'application/json' };

describe('the files', () => {
  const server = serverForFile();
  const isBuiltIn = async () => (await fetchBytes(server, '/_explorer/')).status === 200;

  test('whoever asks for the page gets it, or hears that it is not there', async () => {
    const page = await fetchBytes(server, '/_explorer/');
    assertKeptIn(page);
    if (page.status === 404) {
      assert.match(page.headers['content-type'], /^text\/plain/);
      assert.match(page.bytes.toString(), /built without the Data Explorer/);
      return;
    }
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['cache-control'], 'no-cache');
    const byName = await fetchBytes(server, '/_explorer/index.html?x=1');
    assert.deepEqual(byName.bytes, page.bytes);
    const bare = await fetchBytes(server, '/_explorer');
    assert.equal(bare.status, 308);
    assert.equal(new URL(bare.headers.location, `${server.endpoint}_explorer`).pathname, '/_explorer/');
  });

  test('the page is public under any name, and its data is not', async () => {
    const host = `rebound.example:${server.port}`;
    const page = await fetchBytes(server, '/_explorer/', { headers: { host } });
    assert.equal(page.status, (await isBuiltIn()) ? 200 : 404);
    assertError(await server.raw.request('GET', ['dbs'], { headers: { host } }), 403);
    assertError(await server.raw.plain('GET', '/_lapse/stats', { headers: { host } }), 401, 403);
  });

  test('every file that the page names is there, in each encoding, and small', async (context) => {
    if (!(await isBuiltIn())) return context.skip('built without the page');
    const html = (await fetchBytes(server, '/_explorer/')).bytes.toString();
    const names = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
    assert.ok(names.length > 0, html);
    assert.doesNotMatch(html, /<script(?![^>]* src=)/, 'no script stands in the page itself');
    let firstLoadBytes = 0;
    for (const name of ['', ...names]) {
      const url = new URL(name, `${server.endpoint}_explorer/`);
      assert.equal(url.origin, new URL(server.endpoint).origin, 'nothing comes from elsewhere');
      const plain = await fetchBytes(server, url.pathname);
      assert.equal(plain.status, 200, url.pathname);
      assert.equal(plain.headers['content-encoding'], undefined);
      assertKeptIn(plain);
      for (const coding of ['br', 'gzip']) {
        const coded = await fetchBytes(server, url.pathname, { headers: { 'accept-encoding': coding } });
        assert.equal(coded.headers.vary, 'Accept-Encoding');
        if (coded.headers['content-encoding'] === undefined) continue;
        assert.equal(coded.headers['content-encoding'], coding);
        assert.deepEqual(decoded(coded), plain.bytes);
      }
      const loaded = await fetchBytes(server, url.pathname, { headers: browserHeaders(server) });
      firstLoadBytes += loaded.bytes.length;
      if (name.includes('assets/')) {
        assert.equal(loaded.headers['cache-control'], 'public, max-age=31536000, immutable');
      }
    }
    assert.ok(firstLoadBytes < kFirstLoadBytesMax, `${firstLoadBytes} bytes`);
  });

  test('a file that has not changed is not sent again', async (context) => {
    if (!(await isBuiltIn())) return context.skip('built without the page');
    const { headers } = await fetchBytes(server, '/_explorer/', { headers: { 'accept-encoding': 'gzip' } });
    const again = await fetchBytes(server, '/_explorer/', { headers: { 'if-none-match': headers.etag } });
    assert.equal(again.status, 304);
    assert.equal(again.bytes.length, 0);
    assertKeptIn(again);
    const other = await fetchBytes(server, '/_explorer/', { headers: { 'if-none-match': '"another"' } });
    assert.equal(other.status, 200);
  });

  test('HEAD says what GET would', async () => {
    const get = await fetchBytes(server, '/_explorer/');
    const head = await fetchBytes(server, '/_explorer/', { method: 'HEAD' });
    assert.equal(head.status, get.status);
    assert.equal(head.bytes.length, 0);
    assert.equal(Number(head.headers['content-length']), get.bytes.length);
    assert.equal(head.headers.etag, get.headers.etag);
  });

  test('what is not there is 404, what is not read is 405', async () => {
    for (const name of ['none.js', 'assets/', '../etc/passwd', '%2e%2e/', 'index.html/']) {
      const target = `/_explorer/${name}`;
      assert.equal((await fetchBytes(server, target)).status, 404, target);
    }
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const answer = await fetchBytes(server, '/_explorer/', { method });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.allow, 'GET, HEAD');
    }
  });
});

describe('a page of the same origin', () => {
  const server = serverForFile({ prepare: (started) => started.clock.freeze() });

  test('reads and writes with x-ms-date alone', async () => {
    const headers = { ...browserHeaders(server), ...json };
    const created = await server.raw.request('POST', ['dbs'], { headers, body: { id: 'from-a-page' } });
    assert.equal(created.status, 201, created.text);
    const read = await server.raw.request('GET', ['dbs', 'from-a-page'], { headers: browserHeaders(server) });
    assert.equal(read.status, 200);
    assert.equal(read.json.id, 'from-a-page');
    const options = { headers: browserHeaders(server) };
    assert.equal((await server.raw.request('DELETE', ['dbs', 'from-a-page'], options)).status, 204);
  });

  test('moves the test clock', async () => {
    const before = await server.clock.now();
    const headers = { ...browserHeaders(server), ...json };
    const moved = await server.raw.plain('POST', '/_lapse/clock', { headers, body: '{"advance": "1h"}' });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(moved.json.now, before + 3600);
    assert.equal(Math.floor(moved.json.now_ms / 1000), moved.json.now);
    assert.equal(moved.json.frozen, true);
  });

  test('is not helped by the server when it comes from elsewhere', async () => {
    const headers = {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-ms-date',
    };
    for (const target of ['/_lapse/clock', '/_lapse/stats', '/dbs', '/_explorer/']) {
      const { headers: answered } = await fetchBytes(server, target, { method: 'OPTIONS', headers });
      const granted = Object.keys(answered).filter((name) => name.startsWith('access-control'));
      assert.deepEqual(granted, [], target);
    }
  });
});

describe('keys', () => {
  const server = serverForFile({ args: ['--account-key', kOwnKey] });
  // Under a name that is not loopback's, as from another machine, a key is needed.
  const host = 'db.example';
  const get = (target, headers = {}) => server.raw.plain('GET', target, { headers: { host, ...headers } });

  test('either kind of key reads, by signature or as it is', async () => {
    for (const target of ['/_lapse/health', '/_lapse/overview', '/_lapse/stats?max=1', '/_lapse/clock']) {
      assertError(await get(target), 401);
      for (const key of [kOwnKey, kReadOnlyKey]) {
        assert.equal((await get(target, adminHeaders(key, 'GET', target))).status, 200, target);
        assert.equal((await get(target, { authorization: `Bearer ${key}` })).status, 200, target);
      }
      assertError(await get(target, adminHeaders(kMasterKey, 'GET', target)), 401);
    }
  });

  test('a signature is good for its own request alone', async () => {
    assertError(await get('/_lapse/stats', adminHeaders(kOwnKey, 'GET', '/_lapse/health')), 401);
    assertError(await get('/_lapse/stats', adminHeaders(kOwnKey, 'POST', '/_lapse/stats')), 401);
    const old = new Date(Date.now() - 3_600_000).toUTCString();
    const signature = authorization(kOwnKey, 'GET', '_lapse', '_lapse/stats', old);
    assertError(await get('/_lapse/stats', { 'x-ms-date': old, authorization: signature }), 403);
  });

  test('a signature is over the path as it is sent', async () => {
    await server.client({ key: kOwnKey }).databases.create({ id: 'a b' });
    await server.client({ key: kOwnKey }).database('a b').containers.create({ id: 'ä', partitionKey: '/pk' });
    const target = '/_lapse/ttl/a%20b/%C3%A4';
    const answer = await get(`${target}?forecast=hour`, adminHeaders(kReadOnlyKey, 'GET', target));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.container, 'ä');
  });

  test('a read-only key changes nothing', async () => {
    const post = (target, key) =>
      server.raw.plain('POST', target, { headers: { ...json, ...adminHeaders(key, 'POST', target) }, body: '{}' });
    for (const target of ['/_lapse/clock/accept', '/_lapse/keys/reload']) {
      assertError(await post(target, kReadOnlyKey), 403);
      assert.equal((await post(target, kOwnKey)).status, 200, target);
    }
  });

  test('the page can ask which key it has', async () => {
    const shown = async (headers, under = {}) =>
      (await server.raw.plain('GET', '/_lapse/access', { headers: { ...under, ...headers } })).json;
    const target = '/_lapse/access';
    assert.deepEqual(await shown({}), {
      key: 'none', key_needed: false, well_known_key: false, test_clock: true, version: (await shown({})).version,
    });
    assert.equal((await shown(adminHeaders(kOwnKey, 'GET', target))).key, 'read-write');
    assert.equal((await shown(adminHeaders(kReadOnlyKey, 'GET', target))).key, 'read-only');
    assert.equal((await shown(adminHeaders(kMasterKey, 'GET', target))).key, 'wrong');
    const elsewhere = await shown(adminHeaders(kReadOnlyKey, 'GET', target), { host });
    assert.equal(elsewhere.key, 'read-only');
    assert.equal(elsewhere.key_needed, true);
  });
});

describe('the well-known key', () => {
  const server = serverForFile();

  test('is offered', async () => {
    assert.equal((await server.raw.plain('GET', '/_lapse/access')).json.well_known_key, true);
  });

  test('does not open /_lapse to a page whose name was rebound', async () => {
    const signed = adminHeaders(kMasterKey, 'GET', '/_lapse/stats');
    for (const headers of [signed, { authorization: `Bearer ${kMasterKey}` }]) {
      const rebound = { headers: { ...headers, host: 'rebound.example' } };
      const answer = assertError(await server.raw.plain('GET', '/_lapse/stats', rebound), 403);
      assert.match(answer.json.message, /--host-name rebound\.example/);
      const byAddress = { headers: { ...headers, host: '10.1.2.3' } };
      assert.equal((await server.raw.plain('GET', '/_lapse/stats', byAddress)).status, 200);
    }
  });
});

describe('what the page shows', () => {
  const server = serverForFile({ prepare: (started) => started.clock.freeze() });
  const get = async (target) => {
    const answer = await server.raw.plain('GET', target);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };

  test('the preview says what then happens', async () => {
    const container = await newContainer(server.client(), { defaultTtl: 1000 });
    const create = async (count, ttl) => {
      for (let i = 0; i < count; ++i) {
        await container.items.create({ id: uniqueName('i'), pk: 'p', ...(ttl === undefined ? {} : { ttl }) });
      }
    };
    await create(3);
    await server.clock.advance(100);
    await create(4);
    await create(2, 500);
    await create(1, -1);
    const target = `/_lapse/ttl/db/${container.id}`;
    const asked = await get(`${target}?defaultTtl=50&forecast=hour`);
    assert.equal(asked.would_expire.items, 3);
    assert.equal(asked.would_change.items, 4);
    assert.equal(asked.next_expiry, asked.now + 500);
    assert.equal(asked.series.items.reduce((sum, items) => sum + items), asked.forecast.hour.items);

    const { resource } = await container.read();
    await container.replace({ ...resource, defaultTtl: 50 });
    const then = await get(`${target}?forecast=hour`);
    assert.equal(then.live.items, asked.live.items - 3);
    assert.deepEqual(then.series, asked.series_after);
    assert.equal(then.series.items[0], 4);
    await server.clock.advance(50);
    assert.equal((await get(target)).live.items, 3);
  });

  test('the overview counts requests, request units and their time', async () => {
    const before = await get('/_lapse/overview');
    const container = await newContainer(server.client(), {}, { offerThroughput: 1000 });
    await container.items.create({ id: 'one', pk: 'p' });
    for (let i = 0; i < 10; ++i) await container.item('one', 'p').read();
    const after = await get('/_lapse/overview');
    assert.ok(after.uptime_ms > before.uptime_ms, 'although the test clock stands still');
    assert.ok(after.requests.answered >= before.requests.answered + 12);
    assert.equal(after.containers, before.containers + 1);
    assert.equal(after.request_units.provisioned, (before.request_units.provisioned ?? 0) + 1000);
    assert.equal(after.request_units.limited, true);
    assert.ok(after.request_units.spent > before.request_units.spent + 10);
    const times = (report, name) => report.latency.operations.find(({ operation }) => operation === name);
    assert.equal(times(after, 'read').count, times(before, 'read').count + 10);
    assert.equal(times(after, 'create').count, times(before, 'create').count + 1);
    const { count, up_to: upTo, p50_ms: median, p999_ms: slowest } = times(after, 'read');
    assert.equal(upTo.length, after.latency.steps_ms.length);
    assert.ok(upTo.every((number, i) => number <= count && number >= (upTo[i - 1] ?? 0)));
    assert.ok(median > 0 && median <= slowest);
    assert.ok(after.storage.disk_bytes > 0 && after.storage.memory_bytes > 0);
    assert.ok(after.memory.resident_bytes > 0 && after.memory.request_bytes_max > 0);
    assert.ok(after.connections > 0);
    assert.equal(after.clock.frozen, true);

    const { containers } = await get('/_lapse/stats');
    const of = containers.find((one) => one.container === container.id).request_units;
    assert.equal(of.provisioned, 1000);
    assert.equal(of.kind, 'manual');
    assert.ok(of.spent > 10);
    assert.ok(of.left <= 1000);
  });

  test('containers come page by page', async () => {
    for (let i = 0; i < 5; ++i) await newContainer(server.client());
    const whole = await get('/_lapse/stats');
    const names = [];
    let after = '';
    do {
      const page = await get(`/_lapse/stats?max=2${after}`);
      names.push(...page.containers.map(({ container }) => container));
      assert.equal(page.existing, whole.existing);
      after = page.next === null ? null : `&after=${encodeURIComponent(page.next)}`;
    } while (after !== null);
    assert.deepEqual(names, whole.containers.map(({ container }) => container));
  });

  test('a parameter that means nothing is refused', async () => {
    const container = await newContainer(server.client());
    for (const target of [
      '/_lapse/stats?max=0', '/_lapse/stats?max=501', '/_lapse/stats?after=x', '/_lapse/stats?page=2',
      '/_lapse/overview?x=1', '/_lapse/access?x=1', `/_lapse/ttl/db/${container.id}?forecast=year`,
      `/_lapse/ttl/db/${container.id}?forecast=hour&forecast=day`, `/_lapse/ttl/db/${container.id}?defaultTtl=0`,
    ]) {
      assertError(await server.raw.plain('GET', target), 400);
    }
    assertError(await server.raw.plain('GET', '/_lapse/stats?database=none'), 404);
  });

  test('the client shows the same', async () => {
    const run = async (...args) => {
      const program = process.env.LAPSE || path.join(path.dirname(kProgram), 'lapse');
      return (await promisify(execFile)(program, ['--endpoint', server.endpoint, ...args])).stdout;
    };
    const container = await newContainer(server.client(), { defaultTtl: 60 });
    await container.items.create({ id: 'one', pk: 'p' });
    assert.match(await run('ttl', 'db', container.id, '--forecast', 'hour', '--what-if', '2h'),
      /would have another deadline[^]*expire in steps of 1m\nuntil [^ ]+ +1 items/);
    assert.match(await run('stats', '--all'), new RegExp(`db/${container.id} `));
    assert.match(await run('overview'), /^serving, version [^]*OPERATION[^]*create/);
    assert.equal(JSON.parse(await run('overview', '--json')).status, 'serving');
    assert.equal(JSON.parse(await run('clock', 'show')).frozen, true);
  });
});
