// The change feed of latest versions through the SDK's iterators: every change in order, none left out, none twice,
// nothing that has expired; from the beginning, from now, from a time and from a continuation.
import assert from 'node:assert/strict';
import { ChangeFeedStartFrom, StatusCodes } from '@azure/cosmos';
import { assertError, forAll, newContainer, statusOf, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const kThreePartitions = 18_000;
const kChangesMax = 1000;

const docs = (container) => ['dbs', 'db', 'colls', container.id, 'docs'];
const latest = (container) => server.client().database('db').container(container.id);
const idsUpTo = (count) => Array.from({ length: count }, (_, number) => `i${String(number).padStart(3, '0')}`);
const idsOf = (items) => items.map(({ id }) => id);
const dateOf = (unixSeconds) => new Date(unixSeconds * 1000);

// An item in a partition key of its own unless the properties say otherwise.
const put = (container, id, properties = {}) => container.items.upsert({ id, pk: id, ...properties });

async function fill(container, count, properties = {}) {
  const ids = idsUpTo(count);
  for (const id of ids) await put(container, id, properties);
  return ids;
}

const feedOf = (container, changeFeedStartFrom, options = {}) =>
  container.items.getChangeFeedIterator({ changeFeedStartFrom, ...options });

// What there is up to "not modified", and the continuation that stands there.
async function drain(iterator) {
  const items = [];
  for (let pages = 0; pages < kChangesMax; pages += 1) {
    assert.equal(iterator.hasMoreResults, true);
    const page = await iterator.readNext();
    assert.equal(page.count, page.result.length);
    assert.ok(page.continuationToken);
    if (page.statusCode === StatusCodes.NotModified) {
      assert.equal(page.count, 0);
      return { items, token: page.continuationToken };
    }
    assert.equal(page.statusCode, 200);
    items.push(...page.result);
  }
  assert.fail('the feed has no end');
}

const drainFrom = async (container, start, options) => drain(feedOf(container, start, options));

async function rawChanges(container, headers = {}) {
  return server.raw.request('GET', docs(container), { headers: { 'a-im': 'Incremental Feed', ...headers } });
}

for (const throughput of [undefined, kThreePartitions]) {
  const where = throughput ? 'three partitions' : 'one partition';
  const make = (definition = {}) => newContainer(server.client(), { throughput, ...definition });

  test(`${where}: from the beginning, in pages of every size`, async () => {
    const container = await make();
    const ids = await fill(container, 60);
    for (const maxItemCount of [undefined, 1, 7, 1000]) {
      const { items } = await drainFrom(container, ChangeFeedStartFrom.Beginning(), { maxItemCount });
      assert.deepEqual(idsOf(items).sort(), ids);
      if (!throughput) assert.deepEqual(idsOf(items), ids, 'in the order of the writes');
    }
  });

  test(`${where}: an empty container has nothing new, and then something`, async () => {
    const container = await make();
    const iterator = feedOf(container, ChangeFeedStartFrom.Beginning());
    assert.deepEqual((await drain(iterator)).items, []);
    await fill(container, 10);
    assert.deepEqual(idsOf((await drain(iterator)).items).sort(), idsUpTo(10));
    assert.deepEqual((await drain(iterator)).items, []);
  });

  test(`${where}: from now`, async () => {
    const container = await make();
    await fill(container, 20);
    for (const options of [{ changeFeedStartFrom: ChangeFeedStartFrom.Now() }, {}]) {
      const iterator = container.items.getChangeFeedIterator(options);
      assert.deepEqual((await drain(iterator)).items, []);
      await put(container, 'i003', { v: 2 });
      await put(container, 'later');
      assert.deepEqual(idsOf((await drain(iterator)).items).sort(), ['i003', 'later']);
    }
  });

  test(`${where}: from a time, to the second`, async () => {
    const container = await make();
    const start = await server.clock.now();
    for (const id of idsUpTo(6)) {
      await put(container, id);
      await server.clock.advance(10);
    }
    const since = async (seconds) => {
      const from = ChangeFeedStartFrom.Time(dateOf(start + seconds));
      return idsOf((await drainFrom(container, from, { maxItemCount: 1 })).items).sort();
    };
    assert.deepEqual(await since(-1000), idsUpTo(6));
    assert.deepEqual(await since(0), idsUpTo(6));
    assert.deepEqual(await since(1), idsUpTo(6).slice(1));
    assert.deepEqual(await since(30), idsUpTo(6).slice(3));
    assert.deepEqual(await since(51), []);
    assert.deepEqual(await since(100_000), []);
  });

  test(`${where}: a continuation goes on, after a restart too`, async () => {
    const container = await make();
    const ids = await fill(container, 30);
    const iterator = feedOf(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 4 });
    const pages = [await iterator.readNext(), await iterator.readNext(), await iterator.readNext()];
    const seen = pages.flatMap(({ result }) => idsOf(result));
    const token = pages.at(-1).continuationToken;
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      await server.restart(signal);
      const from = ChangeFeedStartFrom.Continuation(token);
      const { items } = await drainFrom(latest(container), from, { maxItemCount: 4 });
      assert.deepEqual([...seen, ...idsOf(items)].sort(), ids);
    }
    const end = await drainFrom(latest(container), ChangeFeedStartFrom.Beginning());
    await put(latest(container), 'i005', { v: 2 });
    await server.restart('SIGKILL');
    await put(latest(container), 'after');
    const { items } = await drainFrom(latest(container), ChangeFeedStartFrom.Continuation(end.token));
    assert.deepEqual(idsOf(items).sort(), ['after', 'i005']);
  });

  test(`${where}: of one partition key`, async () => {
    const container = await make();
    for (const [number, id] of idsUpTo(30).entries()) await put(container, id, { pk: `k${number % 3}` });
    const start = ChangeFeedStartFrom.Beginning('k1');
    const iterator = feedOf(container, start, { maxItemCount: 4 });
    const expected = idsUpTo(30).filter((_, number) => number % 3 === 1);
    const { items, token } = await drain(iterator);
    assert.deepEqual(idsOf(items), expected);
    const now = feedOf(container, ChangeFeedStartFrom.Now('k1'));
    assert.deepEqual((await drain(now)).items, []);

    await put(container, 'other', { pk: 'k2' });
    await put(container, 'own', { pk: 'k1' });
    assert.deepEqual(idsOf((await drain(iterator)).items), ['own']);
    assert.deepEqual(idsOf((await drain(now)).items), ['own']);
    const resumed = await drainFrom(container, ChangeFeedStartFrom.Continuation(token));
    assert.deepEqual(idsOf(resumed.items), ['own']);
    assert.deepEqual((await drainFrom(container, ChangeFeedStartFrom.Beginning('nobody'))).items, []);
  });

  test(`${where}: by feed ranges, whole and cut in two`, async () => {
    const container = await make();
    const ids = await fill(container, 40);
    const ranges = await container.getFeedRanges();
    assert.equal(ranges.length, throughput ? 3 : 1);
    const whole = [];
    const tokens = [];
    for (const range of ranges) {
      const { items, token } = await drainFrom(container, ChangeFeedStartFrom.Beginning(range), { maxItemCount: 3 });
      whole.push(...idsOf(items));
      tokens.push(token);
    }
    assert.deepEqual(whole.sort(), ids);

    const cut = '1A';
    const halves = [{ minInclusive: '', maxExclusive: cut }, { minInclusive: cut, maxExclusive: 'FF' }];
    const byHalves = [];
    for (const half of halves) {
      const range = Object.assign(Object.create(Object.getPrototypeOf(ranges[0])), half);
      const { items, token } = await drainFrom(container, ChangeFeedStartFrom.Beginning(range), { maxItemCount: 3 });
      byHalves.push(...idsOf(items));
      tokens.push(token);
    }
    assert.deepEqual(byHalves.sort(), ids);

    await put(container, 'later');
    const changed = [];
    for (const token of tokens) {
      changed.push(...idsOf((await drainFrom(container, ChangeFeedStartFrom.Continuation(token))).items));
    }
    assert.deepEqual(changed, ['later', 'later'], 'once by the ranges, once by the halves');
  });

  test(`${where}: nothing is left out or comes twice while writers run`, async () => {
    const container = await make();
    const iterator = feedOf(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 5 });
    const shown = [];
    let writing = true;
    const reader = (async () => {
      while (writing) shown.push(...(await iterator.readNext()).result);
      shown.push(...(await drain(iterator)).items);
    })();
    const versions = Array.from({ length: 600 }, (_, v) => ({ id: `i${v % 40}`, pk: `k${v % 40}`, v }));
    await forAll(versions, (item) => container.items.upsert(item), 8);
    const deleted = 'i7';
    await container.item(deleted, 'k7').delete();
    writing = false;
    await reader;

    assert.equal(new Set(shown.map(({ _etag }) => _etag)).size, shown.length, 'a version is shown once');
    const replayed = new Map(shown.map((item) => [item.id, item]));
    const places = new Map();
    for (const item of shown) {
      assert.ok(item._lsn > (places.get(item.pk) ?? 0), 'in the order of the writes');
      places.set(item.pk, item._lsn);
    }
    for (const item of (await container.items.readAll().fetchAll()).resources) {
      const { _lsn, ...last } = replayed.get(item.id);
      assert.deepEqual(last, item);
    }
  });

  test(`${where}: an expired item is left out from that second on`, async () => {
    const container = await make({ defaultTtl: 100 });
    await put(container, 'inherits');
    await put(container, 'short', { ttl: 10 });
    await put(container, 'long', { ttl: 1000 });
    await put(container, 'stays', { ttl: -1 });
    const shown = async () => idsOf((await drainFrom(container, ChangeFeedStartFrom.Beginning())).items).sort();
    await server.clock.advance(9);
    assert.deepEqual(await shown(), ['inherits', 'long', 'short', 'stays']);
    await server.clock.advance(1);
    assert.deepEqual(await shown(), ['inherits', 'long', 'stays']);
    await server.clock.advance(89);
    assert.deepEqual(await shown(), ['inherits', 'long', 'stays']);
    await server.clock.advance(1);
    assert.deepEqual(await shown(), ['long', 'stays']);
    await server.clock.advance(10_000);
    assert.deepEqual(await shown(), ['stays']);
    await server.restart('SIGKILL');
    const items = await drainFrom(latest(container), ChangeFeedStartFrom.Beginning());
    assert.deepEqual(idsOf(items.items), ['stays']);
  });
}

test('a page shows an item as it is read, and its place', async () => {
  const container = await newContainer(server.client());
  await fill(container, 3, { text: 'größe', list: [1, { a: null }] });
  const { items } = await drainFrom(container, ChangeFeedStartFrom.Beginning());
  for (const { _lsn, ...item } of items) {
    assert.equal(typeof _lsn, 'number');
    assert.deepEqual((await container.item(item.id, item.pk).read()).resource, item);
  }
});

test('only the latest version, at its new place', async () => {
  const container = await newContainer(server.client());
  await fill(container, 5);
  await put(container, 'i001', { v: 2 });
  await put(container, 'i001', { v: 3 });
  await container.item('i003', 'i003').delete();
  const { items } = await drainFrom(container, ChangeFeedStartFrom.Beginning());
  assert.deepEqual(idsOf(items), ['i000', 'i002', 'i004', 'i001']);
  assert.equal(items.at(-1).v, 3);
});

test('items that expire or are written anew between pages', async () => {
  const container = await newContainer(server.client(), { defaultTtl: -1 });
  for (const [number, id] of idsUpTo(40).entries()) await put(container, id, number % 2 ? { ttl: 10 } : {});
  const iterator = feedOf(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 10 });
  const first = await iterator.readNext();
  assert.deepEqual(idsOf(first.result), idsUpTo(40).slice(0, 10));
  await put(container, 'i011', { ttl: -1 });
  await server.clock.advance(10);
  const { items } = await drain(iterator);
  const even = idsUpTo(40).slice(10).filter((_, number) => number % 2 === 0);
  assert.deepEqual(idsOf(items), [...even, 'i011']);
});

test('what has expired does not come back when the policy changes', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  await put(container, 'old');
  const { token } = await drainFrom(container, ChangeFeedStartFrom.Now());
  await put(container, 'old too');
  await server.clock.advance(10);
  await put(container, 'new');
  const { resource: definition } = await container.read();
  for (const defaultTtl of [1_000_000, -1, undefined, 1_000_000]) {
    await container.replace({ id: definition.id, partitionKey: definition.partitionKey, defaultTtl });
    const all = await drainFrom(container, ChangeFeedStartFrom.Beginning());
    assert.deepEqual(idsOf(all.items), ['new']);
    const later = await drainFrom(container, ChangeFeedStartFrom.Continuation(token));
    assert.deepEqual(idsOf(later.items), ['new']);
  }
  await container.replace({ id: definition.id, partitionKey: definition.partitionKey, defaultTtl: 5 });
  await server.clock.advance(5);
  assert.deepEqual((await drainFrom(container, ChangeFeedStartFrom.Beginning())).items, []);
});

test('hierarchical keys: whole and by prefix', async () => {
  const container = await newContainer(server.client(), {
    partitionKey: { paths: ['/t', '/u', '/s'], kind: 'MultiHash', version: 2 },
    throughput: kThreePartitions,
  });
  let number = 0;
  for (const t of ['x', 'y']) {
    for (const u of [1, 2]) {
      for (const s of ['a', 'b']) await container.items.create({ id: `${(number += 1)}`, t, u, s });
    }
  }
  const shown = async (key) =>
    idsOf((await drainFrom(container, ChangeFeedStartFrom.Beginning(key), { maxItemCount: 1 })).items);
  assert.deepEqual(await shown(['x', 1, 'b']), ['2']);
  assert.deepEqual(await shown(['y', 2]), ['7', '8']);
  assert.deepEqual(await shown(['x']), ['1', '2', '3', '4']);
  assert.deepEqual((await shown()).sort(), ['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('the asynchronous iterator', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 25);
  const seen = [];
  const pages = feedOf(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 10 }).getAsyncIterator();
  for await (const page of pages) {
    if (page.statusCode === StatusCodes.NotModified) break;
    seen.push(...idsOf(page.result));
  }
  assert.deepEqual(seen, ids);
});

test('the older iterator', async () => {
  const container = await newContainer(server.client(), { throughput: kThreePartitions });
  const start = await server.clock.now();
  for (const id of idsUpTo(10)) await put(container, id, { pk: 'p' });
  await put(container, 'other', { pk: 'q' });
  const read = async (options) => {
    const items = [];
    const iterator = container.items.changeFeed('p', { maxItemCount: 3, ...options });
    for await (const page of iterator.getAsyncIterator()) items.push(...page.result);
    assert.equal(iterator.hasMoreResults, false);
    return idsOf(items);
  };
  assert.deepEqual(await read({ startFromBeginning: true }), idsUpTo(10));
  assert.deepEqual(await read({ startTime: dateOf(start) }), idsUpTo(10));
  assert.deepEqual(await read({ startTime: dateOf(start + 1) }), []);
  assert.deepEqual(await read({}), []);

  const now = container.items.changeFeed('p');
  const nothing = await now.fetchNext();
  assert.equal(nothing.statusCode, 304);
  await put(container, 'later', { pk: 'p' });
  assert.deepEqual(idsOf((await now.fetchNext()).result), ['later']);
  assert.deepEqual(await read({ continuation: nothing.continuation }), ['later']);
});

test('the charge is the same for the same page', async () => {
  const container = await newContainer(server.client());
  await fill(container, 10);
  const charges = new Set();
  for (let i = 0; i < 3; i += 1) charges.add((await rawChanges(container)).headers['x-ms-request-charge']);
  assert.equal(charges.size, 1);
  assert.ok(Number([...charges][0]) >= 1);
});

test('large items are split over pages of bounded size', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 8, { text: 'x'.repeat(1024 * 1024) });
  const iterator = feedOf(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 1000 });
  const first = await iterator.readNext();
  assert.ok(first.count < 8, `${first.count} items`);
  assert.deepEqual([...idsOf(first.result), ...idsOf((await drain(iterator)).items)], ids);
});

test('a token of another container is refused', async () => {
  const [one, two] = [await newContainer(server.client()), await newContainer(server.client())];
  await fill(one, 3);
  const { token } = await drainFrom(one, ChangeFeedStartFrom.Beginning());
  await assert.rejects(drainFrom(two, ChangeFeedStartFrom.Continuation(token)), /continuation token/i);
  const forged = JSON.stringify({ ...JSON.parse(token), rid: (await two.read()).resource._rid });
  await assert.rejects(drainFrom(two, ChangeFeedStartFrom.Continuation(forged)), { code: 400 });
});

test('malformed positions are refused', async () => {
  const container = await newContainer(server.client());
  await fill(container, 3);
  for (const position of ['x', '"x"', '-1', '"-1"', '1.5', '"', '{}', '9'.repeat(30), '"4"', '1000000']) {
    assertError(await rawChanges(container, { 'if-none-match': position }), 400);
  }
  for (const date of ['x', '0', '2030-01-01T00:00:00Z', 'Mon, 01 Jan 2030 00:00:00 GMT']) {
    assertError(await rawChanges(container, { 'if-modified-since': date }), 400);
  }
  for (const mode of ['x', 'Incremental', 'Full']) assertError(await rawChanges(container, { 'a-im': mode }), 400);
  await server.assertHealthy();
});

test('a scope over several partitions is refused', async () => {
  const container = await newContainer(server.client(), { throughput: kThreePartitions });
  assertError(await rawChanges(container), 400);
  assertError(await rawChanges(container, { 'x-ms-start-epk': '00', 'x-ms-end-epk': 'FF' }), 410);
  assertError(await rawChanges(container, { 'x-ms-documentdb-partitionkeyrangeid': '9' }), 410);
});

test('a container that is dropped and made anew', async () => {
  const container = await newContainer(server.client());
  await fill(container, 3);
  const iterator = feedOf(container, ChangeFeedStartFrom.Beginning());
  await drain(iterator);
  const { token } = await drain(iterator);
  const { resource: definition } = await container.read();
  await container.delete();
  assert.equal(await statusOf(iterator.readNext()), 404);
  await server.client().database('db').containers.create({ id: definition.id, partitionKey: definition.partitionKey });
  await assert.rejects(drainFrom(container, ChangeFeedStartFrom.Continuation(token)), /continuation token/i);
  assertError(await rawChanges(container, { 'if-none-match': '"3"' }), 400);
  assert.deepEqual((await drainFrom(container, ChangeFeedStartFrom.Beginning())).items, []);
});
