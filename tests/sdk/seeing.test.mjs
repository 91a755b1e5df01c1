// What those who run a server see of expiry: the report about a container, its metrics, the quota header and the
// command-line client, which must all say the same, and in the very second.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { assertError, newContainer, test, uniqueName } from './support/check.mjs';
import { kProgram, serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const kDay = 86_400;
const kDrainMaxMs = 20_000;

async function report(container, query = '') {
  const answer = await server.raw.plain('GET', `/_lapse/ttl/db/${encodeURIComponent(container.id)}${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function create(container, count, ttl) {
  for (let number = 0; number < count; ++number) {
    const item = { id: uniqueName('i'), pk: `${number}` };
    await container.items.create(ttl === undefined ? item : { ...item, ttl });
  }
}

// The samples of one container by the name of the metric.
async function metricsOf(container) {
  const { status, text } = await server.raw.plain('GET', '/_lapse/metrics');
  assert.equal(status, 200);
  const labels = `{database="db",container="${container.id}"} `;
  const lines = text.split('\n').filter((line) => line.includes(labels));
  return Object.fromEntries(lines.map((line) => line.split(labels)).map(([name, value]) => [name, Number(value)]));
}

async function usage(container) {
  const { headers } = await container.read({ populateQuotaInfo: true });
  const fields = headers['x-ms-resource-usage'].split(';').filter((field) => field !== '');
  return Object.fromEntries(fields.map((field) => field.split('=')).map(([name, value]) => [name, Number(value)]));
}

// The sweeper works in real time: asks until it has purged all that has expired.
async function drained(container) {
  const giveUp = Date.now() + kDrainMaxMs;
  for (;;) {
    const now = await report(container);
    if (now.backlog.items === 0) return now;
    assert.ok(Date.now() < giveUp, `the backlog stays: ${JSON.stringify(now.backlog)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const plus = (one, other) => ({ items: one.items + other.items, bytes: one.bytes + other.bytes });
const amount = ({ items, bytes }) => ({ items, bytes });

test('an item leaves live and enters the backlog in the second it expires', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 100 });
  await create(container, 3);
  await create(container, 2, 200);
  await create(container, 1, -1);
  const full = await report(container);
  assert.equal(full.now, await server.clock.now());
  assert.equal(full.clock_held, false);
  assert.deepEqual(full.policy, { defaultTtl: 100 });
  assert.equal(full.live.items, 6);
  assert.ok(full.live.bytes > 6 * 10);
  assert.deepEqual(full.backlog, { items: 0, bytes: 0, oldest_s: 0 });
  assert.deepEqual(full.purged, { items: 0, bytes: 0, ru: 0 });
  assert.deepEqual(full.floors, { dead: [], purged: [] });

  const steps = [{ pass: 99, live: 6 }, { pass: 1, live: 3 }, { pass: 99, live: 3 }, { pass: 1, live: 1 }];
  for (const { pass, live } of steps) {
    await server.clock.advance(pass);
    const now = await report(container);
    assert.equal(now.live.items, live);
    assert.equal((await usage(container)).documentsCount, live);
    // What has left live is in the backlog until the sweeper comes, and never in neither or both.
    const gone = plus(now.backlog, now.purged);
    assert.deepEqual(plus(now.live, gone), amount(full.live));
  }

  const end = await drained(container);
  assert.equal(end.live.items, 1);
  assert.equal(end.purged.items, 5);
  assert.ok(end.purged.ru > 0);
  assert.equal(end.backlog.oldest_s, 0);
  assert.ok(end.floors.purged.some(({ rule }) => rule === 'inherit'));
  assert.ok(end.floors.purged.some(({ rule }) => rule === 'own'));
});

test('document count and size of the quota leave out what has expired, in the very second', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 50 });
  const text = 'x'.repeat(10_000);
  for (let number = 0; number < 10; ++number) await container.items.create({ id: `${number}`, pk: 'p', text });
  await container.items.create({ id: 'kept', pk: 'p', ttl: -1 });
  const before = await usage(container);
  assert.equal(before.documentsCount, 11);
  assert.ok(before.documentsSize >= 97, `${before.documentsSize} KB`);
  await server.clock.advance(49);
  assert.deepEqual(await usage(container), before);
  await server.clock.advance(1);
  const after = await usage(container);
  assert.equal(after.documentsCount, 1);
  assert.equal(after.documentsSize, 1);
  await drained(container);
  assert.deepEqual(await usage(container), after);
});

test('the forecast counts up to each horizon', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 3600 });
  await create(container, 1, 60);
  await create(container, 1, 61);
  await create(container, 2);
  await create(container, 1, kDay);
  await create(container, 1, 7 * kDay);
  await create(container, 1, 30 * kDay);
  await create(container, 1, 30 * kDay + 1);
  await create(container, 1, -1);
  const items = async () =>
    Object.fromEntries(Object.entries((await report(container)).forecast).map(([name, { items }]) => [name, items]));
  assert.deepEqual(await items(), { minute: 1, hour: 4, day: 5, week: 6, month: 7 });
  await server.clock.advance(1);
  assert.deepEqual(await items(), { minute: 2, hour: 4, day: 5, week: 6, month: 8 });
  await server.clock.advance(59);
  assert.deepEqual(await items(), { minute: 1, hour: 3, day: 4, week: 5, month: 7 });
  assert.ok((await report(container)).forecast.month.bytes > 0);
});

test('the what-if is what then happens, and asking changes nothing', async () => {
  const container = await newContainer(server.client());
  await create(container, 3);
  await create(container, 2, 40);
  await server.clock.advance(50);
  await create(container, 4);
  const before = (await container.read()).resource;
  const wouldExpire = async (value) => (await report(container, `?defaultTtl=${value}`)).would_expire;
  assert.equal((await wouldExpire(50)).items, 5);
  assert.equal((await wouldExpire(51)).items, 2);
  assert.equal((await wouldExpire(-1)).items, 2);
  assert.deepEqual(await wouldExpire('off'), { defaultTtl: null, items: 0, bytes: 0 });
  assert.deepEqual(await wouldExpire('null'), { defaultTtl: null, items: 0, bytes: 0 });
  assert.deepEqual((await container.read()).resource, before);

  const promised = await wouldExpire(50);
  const { live } = await report(container);
  await container.replace({ ...before, defaultTtl: 50 });
  const after = await report(container);
  assert.deepEqual(plus(after.live, promised), amount(live));
  assert.deepEqual(plus(after.backlog, after.purged), amount(promised));
});

test('bad questions are refused', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  const ask = (target) => server.raw.plain('GET', `/_lapse/ttl/${target}`);
  for (const value of ['0', '-2', '1.5', '60s', '2147483648', '', '1&defaultTtl=2', '%', 'on']) {
    assertError(await ask(`db/${container.id}?defaultTtl=${value}`), 400);
  }
  assertError(await ask(`db/${container.id}?ttl=5`), 400);
  assertError(await ask('db/%zz'), 400);
  assertError(await ask('db/no-such-container'), 404);
  assertError(await ask(`no-such-database/${container.id}`), 404);
  assertError(await ask('db'), 404);
  assertError(await server.raw.plain('POST', `/_lapse/ttl/db/${container.id}`), 405);
  assert.deepEqual((await report(container)).policy, { defaultTtl: 10 });
});

test('names may be anything a name may be', async () => {
  const container = await newContainer(server.client(), { id: 'a "b" % & ä+', defaultTtl: 10 });
  assert.equal((await report(container)).container, 'a "b" % & ä+');
  const { text } = await server.raw.plain('GET', '/_lapse/metrics');
  assert.ok(text.includes('lapse_items_live{database="db",container="a \\"b\\" % & ä+"} 0\n'));
});

test('metrics and statistics show the numbers of the report', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 30 });
  await create(container, 4);
  await create(container, 2, -1);
  await server.clock.advance(30);
  const now = await drained(container);
  const { lapse_request_units_total: spent, lapse_throttled_requests_total: throttled, ...metrics } =
    await metricsOf(container);
  assert.ok(spent > 0);
  assert.equal(throttled, 0);
  assert.deepEqual(metrics, {
    lapse_items_live: 2,
    lapse_bytes_live: now.live.bytes,
    lapse_expired_items: 0,
    lapse_expired_bytes: 0,
    lapse_expired_oldest_seconds: 0,
    lapse_deleted_items: 0,
    lapse_deleted_bytes: 0,
    lapse_purged_items_total: 4,
    lapse_purged_bytes_total: now.purged.bytes,
    lapse_purge_request_units_total: now.purged.ru,
  });
  const { json } = await server.raw.plain('GET', '/_lapse/stats');
  assert.equal(json.now, now.now);
  assert.equal(json.left_out, 0);
  const { live, backlog, deleted, purged } = now;
  assert.deepEqual(
    json.containers.find((one) => one.container === container.id),
    { database: 'db', container: container.id, defaultTtl: 30, live, backlog, deleted, purged },
  );
});

test('the numbers survive a restart', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 30 });
  await create(container, 3);
  await create(container, 1, -1);
  await server.clock.advance(30);
  const before = await drained(container);
  await server.restart();
  assert.deepEqual(await report(container), before);
});

test('the client shows the same', async (t) => {
  const program = path.join(path.dirname(kProgram), 'lapse');
  if (!existsSync(program)) return t.skip('there is no lapse beside lapsed');
  const lapse = async (...args) =>
    (await promisify(execFile)(program, ['--endpoint', `http://127.0.0.1:${server.port}`, ...args])).stdout;
  const container = await newContainer(server.client(), { defaultTtl: 3600 });
  await create(container, 5);

  const shown = await lapse('ttl', 'db', container.id, '--what-if', '1h');
  assert.match(shown, /TTL is on, default 1h\n/);
  assert.match(shown, /^live +5 items/m);
  assert.match(shown, /^with the default 1h +0 items/m);
  assert.deepEqual(JSON.parse(await lapse('ttl', 'db', container.id, '--json')), await report(container));

  await lapse('clock', 'advance', '1h');
  await drained(container);
  assert.match(await lapse('ttl', 'db', container.id), /^purged +5 items/m);
  assert.match(await lapse('stats'), new RegExp(`^db/${container.id} +1h +0 `, 'm'));
  assert.ok(JSON.parse(await lapse('stats', '--json')).containers.length > 0);
  const lines = await lapse('watch', 'db', container.id, '--count', '2', '--interval', '100ms');
  assert.equal(lines.trim().split('\n').length, 2);
  assert.match(lines, /^\S+Z db\/c\d+ live=0 live_bytes=0 expired=0 .* purged=5 purged_now=0$/m);
  await assert.rejects(lapse('ttl', 'db', 'no-such-container'), { code: 1 });
  await assert.rejects(lapse('ttl', 'db'), { code: 2 });
});
