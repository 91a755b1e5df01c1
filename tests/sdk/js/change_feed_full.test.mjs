// The change feed of all versions and deletes through the SDK's iterators: every create, replace, delete and expiry,
// with the images before and after, from now or from a continuation, for as long as the container keeps them.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeedMode, ChangeFeedPolicy, ChangeFeedRetentionTimeSpan, ChangeFeedStartFrom, StatusCodes }
  from '@azure/cosmos';
import { assertError, failure, forAll, newContainer, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const kThreePartitions = 18_000;
const kPagesMax = 1000;
// Expiries come into the feed, and old changes leave it, when the sweeper gets there.
const kSweepMaxMs = 20_000;
const kPauseMs = 20;

const keepFor = (minutes) => new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(minutes));
const kKeepADay = { changeFeedPolicy: keepFor(24 * 60) };

const docs = (container) => ['dbs', 'db', 'colls', container.id, 'docs'];
const latest = (container) => server.client().database('db').container(container.id);

const feedFrom = (container, changeFeedStartFrom, options = {}) =>
  container.items.getChangeFeedIterator({
    changeFeedStartFrom,
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    ...options,
  });

// An iterator that stands at this moment.
async function feedFromNow(container, options, scope) {
  const iterator = feedFrom(container, ChangeFeedStartFrom.Now(scope), options);
  assert.deepEqual((await drain(iterator)).records, []);
  return iterator;
}

const resume = (container, token, options) => feedFrom(container, ChangeFeedStartFrom.Continuation(token), options);

// What there is up to "not modified", and the continuation that stands there. Of several partitions, in the order of
// the container.
async function drain(iterator) {
  const records = [];
  for (let pages = 0; pages < kPagesMax; pages += 1) {
    const page = await iterator.readNext();
    assert.equal(page.count, page.result.length);
    assert.ok(page.continuationToken);
    if (page.statusCode === StatusCodes.NotModified) {
      return { records: inOrder(records), token: page.continuationToken };
    }
    assert.equal(page.statusCode, 200);
    records.push(...page.result);
  }
  assert.fail('the feed has no end');
}

// Of one item in the order of its changes: each partition counts its own LSNs.
const inOrder = (records) => {
  const keyOf = (record) => [record.metadata.crts, idOf(record), record.metadata.lsn];
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return records.sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)];
    return compare(x[0], y[0]) || compare(x[1], y[1]) || compare(x[2], y[2]);
  });
};
const placeOf = (record) => `${record.current._rid ?? record.previous._rid} ${record.metadata.lsn}`;

async function eventually(what, attempt) {
  const end = Date.now() + kSweepMaxMs;
  for (;;) {
    const outcome = await attempt();
    if (outcome) return outcome;
    assert.ok(Date.now() < end, `waited ${kSweepMaxMs} ms for ${what}`);
    await sleep(kPauseMs);
  }
}

// Exactly so many records, as soon as they are there.
async function take(iterator, count) {
  const records = [];
  await eventually(`${count} changes`, async () => {
    records.push(...(await drain(iterator)).records);
    return records.length >= count;
  });
  assert.equal(records.length, count, JSON.stringify(records.map(describe)));
  return inOrder(records);
}

const operationOf = ({ metadata }) => (metadata.timeToLiveExpired ? 'expiry' : metadata.operationType);
const idOf = ({ current, metadata }) => current.id ?? metadata.id;
const describe = (record) => `${operationOf(record)} ${idOf(record)}`;
const byId = (records) => new Map(records.map((record) => [idOf(record), record]));

async function create(container, item) {
  return (await container.items.create({ pk: item.id, ...item })).resource;
}

async function upsert(container, item) {
  return (await container.items.upsert({ pk: item.id, ...item })).resource;
}

async function setContainer(container, changes) {
  const { resource } = await container.read();
  await container.replace({ id: resource.id, partitionKey: resource.partitionKey, ...changes });
}

// The items that a consumer has after all these changes; each must fit what came before.
function replay(records, items = new Map()) {
  for (const { current, previous, metadata } of records) {
    const id = current.id ?? metadata.id;
    assert.deepEqual(previous, items.get(id), `what is there before ${metadata.lsn}`);
    if (metadata.operationType === 'delete') items.delete(id);
    else items.set(id, current);
  }
  return items;
}

async function liveItems(container) {
  const { resources } = await container.items.readAll().fetchAll();
  return new Map(resources.map((item) => [item.id, item]));
}

const inIdOrder = (items) => [...items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

for (const throughput of [undefined, kThreePartitions]) {
  const where = throughput ? 'three partitions' : 'one partition';
  const make = (definition = {}) => newContainer(server.client(), { throughput, ...kKeepADay, ...definition });

  test(`${where}: create, replace, upsert, delete, with their images`, async () => {
    const container = await make();
    const iterator = await feedFromNow(container);
    const start = await server.clock.now();
    const a1 = await create(container, { id: 'a', v: 1 });
    await server.clock.advance(5);
    const { resource: a2 } = await container.item('a', 'a').replace({ id: 'a', pk: 'a', v: 2 });
    const b1 = await upsert(container, { id: 'b', text: 'größe', list: [1, { x: null }] });
    const a3 = await upsert(container, { id: 'a', v: 3 });
    await server.clock.advance(5);
    await container.item('a', 'a').delete();
    const c1 = await create(container, { id: 'c' });

    const records = inOrder((await drain(iterator)).records);
    const lsn = records.map(({ metadata }) => metadata.lsn);
    assert.equal(new Set(records.map(placeOf)).size, 6);
    assert.deepEqual(records, [
      { current: a1, metadata: { lsn: lsn[0], crts: start, operationType: 'create' } },
      {
        current: a2,
        previous: a1,
        metadata: { lsn: lsn[1], crts: start + 5, operationType: 'replace', previousImageLSN: lsn[0] },
      },
      {
        current: a3,
        previous: a2,
        metadata: { lsn: lsn[2], crts: start + 5, operationType: 'replace', previousImageLSN: lsn[1] },
      },
      { current: b1, metadata: { lsn: lsn[3], crts: start + 5, operationType: 'create' } },
      {
        current: {},
        previous: a3,
        metadata: {
          lsn: lsn[4],
          crts: start + 10,
          operationType: 'delete',
          previousImageLSN: lsn[2],
          id: 'a',
          partitionKey: { pk: 'a' },
        },
      },
      { current: c1, metadata: { lsn: lsn[5], crts: start + 10, operationType: 'create' } },
    ]);
    assert.deepEqual((await drain(iterator)).records, []);
  });

  test(`${where}: an expiry by the default and by an own ttl, at the deadline`, async () => {
    const container = await make({ defaultTtl: 100 });
    const iterator = await feedFromNow(container);
    const start = await server.clock.now();
    const items = [
      await create(container, { id: 'inherits' }),
      await create(container, { id: 'own', ttl: 30 }),
      await create(container, { id: 'stays', ttl: -1 }),
    ];
    const created = byId(await take(iterator, 3));
    await server.clock.advance(1000);
    const expired = byId(await take(iterator, 2));
    for (const [item, crts] of [[items[0], start + 100], [items[1], start + 30]]) {
      const record = expired.get(item.id);
      assert.deepEqual(record, {
        current: {},
        previous: item,
        metadata: {
          lsn: record.metadata.lsn,
          crts,
          operationType: 'delete',
          timeToLiveExpired: true,
          previousImageLSN: created.get(item.id).metadata.lsn,
          id: item.id,
          partitionKey: { pk: item.pk },
        },
      });
    }
    assert.deepEqual((await drain(iterator)).records, []);
  });

  test(`${where}: an expiry by a change of the policy, at the time of the change`, async () => {
    const container = await make({ defaultTtl: -1 });
    const iterator = await feedFromNow(container);
    await create(container, { id: 'old' });
    const start = await server.clock.advance(1000);
    await create(container, { id: 'young' });
    await server.clock.advance(5);
    await setContainer(container, { defaultTtl: 10, ...kKeepADay });
    await server.clock.advance(50);
    await setContainer(container, { ...kKeepADay });
    const records = await take(iterator, 4);
    const expired = byId(records.filter((record) => operationOf(record) === 'expiry'));
    assert.equal(expired.get('old').metadata.crts, start + 5, 'when the default came');
    assert.equal(expired.get('young').metadata.crts, start + 10, 'at its deadline');
  });

  test(`${where}: what is written over a dead item comes after its expiry`, async () => {
    const container = await make({ defaultTtl: 10 });
    const iterator = await feedFromNow(container);
    const start = await server.clock.now();
    const ids = Array.from({ length: 12 }, (_, number) => `i${number}`);
    for (const id of ids) await create(container, { id, v: 1 });
    await server.clock.advance(60);
    for (const [number, id] of ids.entries()) {
      await (number % 2 ? create : upsert)(container, { id, v: 2, ttl: -1 });
    }
    const records = await take(iterator, ids.length * 3);
    for (const id of ids) {
      const own = records.filter((record) => idOf(record) === id);
      assert.deepEqual(own.map(operationOf), ['create', 'expiry', 'create']);
      assert.deepEqual(own.map(({ metadata }) => metadata.crts - start), [0, 10, 60]);
      assert.deepEqual(own[1].previous, own[0].current);
      assert.equal(own[2].current.v, 2);
    }
  });

  test(`${where}: a chain of pages goes on after restarts, without a gap or a repeat`, async () => {
    const container = await make({ defaultTtl: -1 });
    let { token } = await drain(await feedFromNow(container));
    const seen = [];
    const write = async (round) => {
      const to = latest(container);
      await forAll(Array.from({ length: 12 }, (_, number) => number), async (number) => {
        await upsert(to, { id: `i${number}`, round, ...(number % 3 ? {} : { ttl: 5 }) });
      });
      await to.item('i1', 'i1').delete();
      await server.clock.advance(10);
    };
    for (const [round, signal] of ['SIGTERM', 'SIGKILL', 'SIGKILL'].entries()) {
      await write(round);
      const iterator = resume(latest(container), token, { maxItemCount: 3 });
      for (let pages = 0; pages < 3; pages += 1) {
        const page = await iterator.readNext();
        seen.push(...page.result);
        token = page.continuationToken;
      }
      await server.restart(signal);
    }
    const iterator = resume(latest(container), token, { maxItemCount: 4 });
    const live = inIdOrder(await liveItems(latest(container)));
    await eventually('all expiries', async () => {
      seen.push(...(await drain(iterator)).records);
      return inIdOrder(replay(inOrder(seen))).length === live.length;
    });
    assert.equal(new Set(seen.map(placeOf)).size, seen.length, 'each change once');
    assert.deepEqual(inIdOrder(replay(inOrder(seen))), live);
    assert.equal(seen.filter((record) => describe(record) === 'delete i1').length, 3);
    assert.equal(seen.filter((record) => describe(record) === 'expiry i3').length, 3);
  });

  test(`${where}: of one partition key, and by feed ranges`, async () => {
    const container = await make({ defaultTtl: -1 });
    const ofKey = await feedFromNow(container, { maxItemCount: 3 }, 'k1');
    const ranges = await container.getFeedRanges();
    assert.equal(ranges.length, throughput ? 3 : 1);
    const ofRanges = [];
    for (const range of ranges) ofRanges.push(await feedFromNow(container, { maxItemCount: 5 }, range));
    for (let number = 0; number < 30; number += 1) {
      await create(container, { id: `i${number}`, pk: `k${number % 3}`, ...(number < 6 ? { ttl: 10 } : {}) });
    }
    await container.item('i10', 'k1').delete();
    await server.clock.advance(10);
    const own = await take(ofKey, 13);
    assert.ok(own.every((record) => (record.current.pk ?? record.metadata.partitionKey.pk) === 'k1'));
    assert.deepEqual(own.filter((record) => operationOf(record) !== 'create').map(describe).sort(),
      ['delete i10', 'expiry i1', 'expiry i4']);
    const all = [];
    await eventually('all changes', async () => {
      for (const iterator of ofRanges) all.push(...(await drain(iterator)).records);
      return all.length >= 37;
    });
    assert.equal(all.length, 37);
    assert.equal(new Set(all.map(placeOf)).size, 37);
  });

  test(`${where}: kept for as long as the policy says`, async () => {
    const container = await make({ changeFeedPolicy: keepFor(10) });
    const first = (await drain(await feedFromNow(container))).token;
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await create(container, { id });
    const { records, token } = await drain(resume(container, first));
    assert.equal(records.length, 6);
    await server.clock.advance('9m');
    assert.equal((await drain(resume(container, first))).records.length, 6);
    await server.clock.advance('1h');
    const error = await eventually('the log to be trimmed', async () => {
      try {
        await drain(resume(container, first));
        return null;
      } catch (refused) {
        return refused;
      }
    });
    assert.equal(error.code, 400);
    assert.match(error.message, /older than what the container's changeFeedPolicy keeps/);
    await create(container, { id: 'g' });
    assert.deepEqual((await drain(resume(container, token))).records.map(describe), ['create g']);
    const iterator = await feedFromNow(container);
    await container.item('a', 'a').delete();
    assert.deepEqual((await drain(iterator)).records.map(describe), ['delete a']);
  });

  test(`${where}: turned on and off with the container's policy`, async () => {
    const container = await make({ changeFeedPolicy: undefined });
    const items = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) items.push(await create(container, { id }));
    const none = /retentionDuration in its changeFeedPolicy/;
    await assert.rejects(feedFromNow(container), { code: 400, message: none });
    const latestVersions = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
    const before = (await latestVersions.readNext()).continuationToken;

    await setContainer(container, kKeepADay);
    assert.deepEqual((await container.read()).resource.changeFeedPolicy, { retentionDuration: 1440 });
    const begun = await drain(await feedFromNow(container));
    await server.restart('SIGKILL');
    for (const id of ['a', 'b', 'c', 'd', 'e']) await upsert(latest(container), { id, v: 2 });
    const { records: replaced, token } = await drain(resume(latest(container), begun.token));
    assert.deepEqual(replaced.map(({ previous }) => previous), items, 'nothing between the beginning and the writes');

    await setContainer(latest(container), {});
    assert.equal((await latest(container).read()).resource.changeFeedPolicy, undefined);
    await assert.rejects(drain(resume(latest(container), token)), { code: 400, message: none });
    await upsert(latest(container), { id: 'a', v: 3 });
    await setContainer(latest(container), kKeepADay);
    await assert.rejects(drain(resume(latest(container), before)), { code: 400, message: /older than/ });
    const again = await feedFromNow(latest(container));
    await upsert(latest(container), { id: 'a', v: 4 });
    const { records } = await drain(again);
    assert.deepEqual(records.map(describe), ['replace a']);
    assert.equal(records[0].previous.v, 3);
  });

  test(`${where}: a consumer that replays everything has exactly what is alive`, async () => {
    const container = await make({ defaultTtl: 20 });
    const iterator = await feedFromNow(container, { maxItemCount: 7 });
    const seen = [];
    let writing = true;
    const reader = (async () => {
      while (writing) seen.push(...(await iterator.readNext()).result);
    })();
    // The same every time, and not in any order that a server could rely on.
    const steps = Array.from({ length: 400 }, (_, step) => step);
    await forAll(steps, async (step) => {
      const [number, kind] = [(step * 7919) % 31, (step * 31) % 7];
      const [id, pk] = [`i${number}`, `k${number % 5}`];
      if (step % 20 === 0) await server.clock.advance(3);
      if (kind === 0) await container.item(id, pk).delete().catch((error) => assert.equal(error.code, 404));
      else await upsert(container, { id, pk, step, ...(kind < 3 ? { ttl: kind === 1 ? 5 : -1 } : {}) });
    }, 6);
    await setContainer(container, { defaultTtl: 8, ...kKeepADay });
    await server.clock.advance(4);
    writing = false;
    await reader;
    const live = inIdOrder(await liveItems(container));
    assert.ok(live.length > 0);
    await eventually('the backlog to drain', async () => {
      seen.push(...(await drain(iterator)).records);
      return replay(inOrder(seen)).size === live.length;
    });
    assert.equal(new Set(seen.map(placeOf)).size, seen.length, 'each change once');
    assert.deepEqual(inIdOrder(replay(inOrder(seen))), live);
    for (const kind of ['create', 'replace', 'delete', 'expiry']) {
      assert.ok(seen.some((record) => operationOf(record) === kind), kind);
    }
  });
}

test('the partition key of a deleted item, by its paths', async () => {
  const container = await newContainer(server.client(), {
    partitionKey: { paths: ['/tenant', '/user/id', '/session'], kind: 'MultiHash', version: 2 },
    defaultTtl: -1,
    ...kKeepADay,
  });
  const iterator = await feedFromNow(container);
  await container.items.create({ id: '1', tenant: 't', user: { id: 7 }, session: true });
  await container.items.create({ id: '2', tenant: 't', user: { id: null }, session: 's', ttl: 5 });
  await container.items.create({ id: '3', tenant: 't', user: {} });
  await container.item('1', ['t', 7, true]).delete();
  await server.clock.advance(5);
  const keys = new Map((await take(iterator, 5)).map((record) => [describe(record), record.metadata.partitionKey]));
  assert.deepEqual(keys.get('delete 1'), { tenant: 't', 'user/id': 7, session: true });
  assert.deepEqual(keys.get('expiry 2'), { tenant: 't', 'user/id': null, session: 's' });
  assert.equal(keys.get('create 3'), undefined);
});

test('from now or from a continuation, not from the beginning or from a time', async () => {
  const container = await newContainer(server.client(), kKeepADay);
  const text = /cannot start from the beginning or from a time/;
  for (const start of [ChangeFeedStartFrom.Beginning(), ChangeFeedStartFrom.Beginning('k'),
    ChangeFeedStartFrom.Time(new Date())]) {
    await assert.rejects(drain(feedFrom(container, start)), { code: 400, message: text });
  }
  const unsaid = container.items.getChangeFeedIterator({ changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes });
  assert.deepEqual((await drain(unsaid)).records, []);
});

test('malformed requests are refused', async () => {
  const container = await newContainer(server.client(), kKeepADay);
  await create(container, { id: 'a' });
  const changes = async (headers) =>
    server.raw.request('GET', docs(container), { headers: { 'a-im': 'Full-Fidelity Feed', ...headers } });
  for (const position of ['x', '"x"', '-1', '1.5', '"', '{}', '9'.repeat(30), '"2"', '1000000']) {
    assertError(await changes({ 'if-none-match': position }), 400);
  }
  assertError(await changes({}), 400);
  assertError(await changes({ 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() }), 400);
  assertError(await changes({ 'if-none-match': '*', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-16' }), 400);
  assertError(await changes({ 'if-none-match': '*', 'x-ms-documentdb-partitionkeyrangeid': '9' }), 410);
  const now = await changes({ 'if-none-match': '*', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' });
  assert.equal(now.status, 304);
  assert.equal(now.headers.etag, '"1"');
  await server.assertHealthy();
});

test('retentions that are none are refused, and nothing changes', async () => {
  const container = await newContainer(server.client(), { changeFeedPolicy: keepFor(10) });
  const iterator = await feedFromNow(container);
  for (const retentionDuration of [-1, 1.5, 43_201, 1e300, '10', true, [], {}]) {
    const changeFeedPolicy = { retentionDuration };
    const refused = await failure(setContainer(container, { defaultTtl: 5, changeFeedPolicy }), 400);
    assert.match(refused.message, /retentionDuration '.*' of changeFeedPolicy is invalid/);
    await failure(newContainer(server.client(), { changeFeedPolicy }), 400);
  }
  for (const changeFeedPolicy of [5, [], 'PT10M']) await failure(setContainer(container, { changeFeedPolicy }), 400);
  const { resource } = await container.read();
  assert.deepEqual(resource.changeFeedPolicy, { retentionDuration: 10 });
  assert.equal(resource.defaultTtl, undefined);
  await create(container, { id: 'a' });
  assert.deepEqual((await drain(iterator)).records.map(describe), ['create a']);
});

test('a retention of nothing keeps nothing', async () => {
  for (const changeFeedPolicy of [keepFor(0), {}, null]) {
    const container = await newContainer(server.client(), { changeFeedPolicy });
    await assert.rejects(feedFromNow(container), { code: 400 });
  }
});

test('the latest versions can be read beside it', async () => {
  const container = await newContainer(server.client(), kKeepADay);
  await upsert(container, { id: 'a', v: 1 });
  await upsert(container, { id: 'a', v: 2 });
  const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning() });
  const { result } = await iterator.readNext();
  assert.deepEqual(result.map(({ v }) => v), [2]);
});
