// Feeds: all items of a container, page by page, each once, never an expired one, and resumed from a token. The SDK
// has no read-many call in this version; it reads everything with the query `SELECT * from c`, and plain read feeds are
// sent by hand.
import assert from 'node:assert/strict';
import { assertError, failure, forAll, newContainer, statusOf, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const idsUpTo = (count) => Array.from({ length: count }, (_, number) => `i${String(number).padStart(3, '0')}`);
const docs = (container) => ['dbs', 'db', 'colls', container.id, 'docs'];
const latest = (container) => server.client().database('db').container(container.id);

async function fill(container, count, extra = {}) {
  const ids = idsUpTo(count);
  await forAll(ids, (id) => container.items.create({ id, pk: id, ...extra }));
  return ids;
}

// The ids page by page.
async function pagesOf(iterator) {
  const pages = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    pages.push((resources ?? []).map(({ id }) => id));
  }
  return pages;
}

// The same, by plain read feeds.
async function rawPages(container, headers = {}) {
  const pages = [];
  let continuation;
  do {
    const answer = await server.raw.request('GET', docs(container), {
      headers: { ...headers, 'x-ms-continuation': continuation },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json._count, answer.json.Documents.length);
    assert.equal(Number(answer.headers['x-ms-item-count']), answer.json._count);
    pages.push(answer.json.Documents.map(({ id }) => id));
    continuation = answer.headers['x-ms-continuation'];
  } while (continuation && pages.length < 1000);
  return pages;
}

for (const count of [0, 1, 250]) {
  test(`${count} items, in pages of every size`, async () => {
    const container = await newContainer(server.client());
    const ids = await fill(container, count);
    for (const maxItemCount of [undefined, -1, 1000, 249, 100, 7]) {
      const pages = await pagesOf(container.items.readAll(maxItemCount ? { maxItemCount } : {}));
      assert.deepEqual(pages.flat().sort(), ids);
      if (maxItemCount > 0) assert.ok(pages.every((page) => page.length <= maxItemCount));
      const raw = await rawPages(container, { 'x-ms-max-item-count': maxItemCount });
      assert.deepEqual(raw.flat().sort(), ids);
      if (maxItemCount > 0) assert.ok(raw.every((page) => page.length <= maxItemCount));
    }
  });
}

test('pages of one', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 12);
  const pages = await pagesOf(container.items.readAll({ maxItemCount: 1 }));
  assert.ok(pages.every((page) => page.length <= 1));
  assert.deepEqual(pages.flat().sort(), ids);
});

test('the iterators of the SDK agree', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 25);
  const all = (await container.items.readAll({ maxItemCount: 10 }).fetchAll()).resources;
  assert.deepEqual(all.map(({ id }) => id).sort(), ids);
  const iterated = [];
  const iterator = container.items.readAll({ maxItemCount: 10 }).getAsyncIterator();
  for await (const page of iterator) iterated.push(...page.resources);
  assert.deepEqual(iterated, all);
});

test('an item is in the feed as it is read', async () => {
  const container = await newContainer(server.client());
  await fill(container, 3, { text: 'größe', list: [1, { a: null }] });
  for (const item of (await container.items.readAll().fetchAll()).resources) {
    assert.deepEqual((await container.item(item.id, item.pk).read()).resource, item);
  }
});

test('large items are split over pages of bounded size', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 8, { text: 'x'.repeat(1024 * 1024) });
  const pages = await rawPages(container, { 'x-ms-max-item-count': '1000' });
  assert.ok(pages.length >= 2, `${pages.length} pages`);
  assert.deepEqual(pages.flat().sort(), ids);
});

test('a token resumes after a restart', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 50);
  const first = await container.items.readAll({ maxItemCount: 20 }).fetchNext();
  assert.equal(first.resources.length, 20);
  assert.ok(first.continuationToken);
  await server.restart('SIGKILL');
  const rest = await latest(container)
    .items.readAll({ maxItemCount: 20, continuationToken: first.continuationToken })
    .fetchAll();
  assert.deepEqual([...first.resources, ...rest.resources].map(({ id }) => id).sort(), ids);
});

test('a token resumes twice at the same place', async () => {
  const container = await newContainer(server.client());
  await fill(container, 30);
  const { continuationToken } = await container.items.readAll({ maxItemCount: 10 }).fetchNext();
  const nextPage = () => container.items.readAll({ maxItemCount: 10, continuationToken }).fetchNext();
  assert.deepEqual((await nextPage()).resources, (await nextPage()).resources);
});

test('items that come and go between pages disturb nothing else', async () => {
  const container = await newContainer(server.client());
  const ids = await fill(container, 40);
  const iterator = container.items.readAll({ maxItemCount: 10 });
  const seen = (await iterator.fetchNext()).resources.map(({ id }) => id);
  const gone = ids.filter((id) => !seen.includes(id)).slice(0, 10);
  for (const id of gone) await container.item(id, id).delete();
  for (const id of seen.slice(0, 5)) await container.item(id, id).delete();
  seen.push(...(await pagesOf(iterator)).flat());
  assert.deepEqual(seen.sort(), ids.filter((id) => !gone.includes(id)));
});

test('a damaged token is refused', async () => {
  const container = await newContainer(server.client());
  await fill(container, 20);
  const { continuationToken } = await container.items.readAll({ maxItemCount: 5 }).fetchNext();
  const middle = Math.floor(continuationToken.length / 2);
  const flipped = continuationToken[middle] === 'A' ? 'B' : 'A';
  const damaged = [
    continuationToken.slice(0, -1),
    continuationToken.slice(1),
    `${continuationToken}x`,
    continuationToken.slice(0, middle) + flipped + continuationToken.slice(middle + 1),
    'garbage',
    '{}',
    '"',
    'A'.repeat(4000),
  ];
  for (const token of damaged) {
    await failure(container.items.readAll({ continuationToken: token }).fetchNext(), 400);
    const feed = await server.raw.request('GET', docs(container), { headers: { 'x-ms-continuation': token } });
    assertError(feed, 400);
  }
});

test('a token of another container is refused', async () => {
  const [one, two] = [await newContainer(server.client()), await newContainer(server.client())];
  await fill(one, 20);
  await fill(two, 20);
  const { continuationToken } = await one.items.readAll({ maxItemCount: 5 }).fetchNext();
  await failure(two.items.readAll({ continuationToken }).fetchNext(), 400);
});

test('expired items are on no later page', async () => {
  const container = await newContainer(server.client(), { defaultTtl: -1 });
  await forAll(idsUpTo(60), (id) => container.items.create({ id, pk: id, ttl: Number(id.slice(1)) % 2 ? 10 : -1 }));
  const iterator = container.items.readAll({ maxItemCount: 10 });
  const first = (await iterator.fetchNext()).resources;
  await server.clock.advance(9);
  const second = (await iterator.fetchNext()).resources;
  assert.equal(first.length + second.length, 20);
  await server.clock.advance(1);
  const late = (await pagesOf(iterator)).flat();
  assert.ok(late.every((id) => Number(id.slice(1)) % 2 === 0), late.join(' '));
  const seen = [...first, ...second].map(({ id }) => id).concat(late);
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    seen.filter((id) => Number(id.slice(1)) % 2 === 0).sort(),
    idsUpTo(60).filter((id) => Number(id.slice(1)) % 2 === 0));
});

test('a container whose items have all expired is empty', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  await fill(container, 100);
  await server.clock.advance(10);
  assert.deepEqual((await pagesOf(container.items.readAll({ maxItemCount: 10 }))).flat(), []);
  assert.deepEqual((await rawPages(container, { 'x-ms-max-item-count': '10' })).flat(), []);
});

test('three partitions give each item once', async () => {
  const container = await newContainer(server.client(), { throughput: 18_000 });
  const ids = await fill(container, 100);
  for (const maxItemCount of [7, 1000]) {
    const pages = await pagesOf(container.items.readAll({ maxItemCount }));
    assert.deepEqual(pages.flat().sort(), ids);
    assert.deepEqual((await rawPages(container, { 'x-ms-max-item-count': maxItemCount })).flat().sort(), ids);
  }
  for (const id of ids.slice(0, 10)) assert.equal((await container.item(id, id).read()).statusCode, 200);

  const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
  const byRange = [];
  for (const { id } of ranges) {
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': id, 'x-ms-max-item-count': '9' };
    const own = (await rawPages(container, headers)).flat();
    assert.ok(own.length > 0, `range ${id} has items`);
    byRange.push(...own);
  }
  assert.deepEqual(byRange.sort(), ids);
});

test('an unknown partition key range is an error', async () => {
  const container = await newContainer(server.client());
  for (const range of ['7', 'x', '-1']) {
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': range };
    assertError(await server.raw.request('GET', docs(container), { headers }), 400, 404, 410);
  }
});

const kReadAll = [
  'SELECT * FROM c', 'select * from c', 'SELECT * FROM root r', 'SELECT * FROM root', '  SELECT  *\n FROM\tc  ',
];
for (const query of kReadAll) {
  test(`the query ${JSON.stringify(query)} reads all`, async () => {
    const container = await newContainer(server.client());
    const ids = await fill(container, 15);
    const pages = await pagesOf(container.items.query(query, { maxItemCount: 10 }));
    assert.deepEqual(pages.flat().sort(), ids);
    const { resources } = await container.items.query({ query, parameters: [] }, { partitionKey: ids[3] }).fetchAll();
    assert.deepEqual(resources.map(({ id }) => id), [ids[3]]);
  });
}

const kOtherQueries = [
  'SELECT VALUE COUNT(1) FROM c', "SELECT * FROM c WHERE c.id = 'x'", 'SELECT c.id FROM c',
  'SELECT * FROM c ORDER BY c.id', 'SELECT TOP 1 * FROM c',
];
for (const query of kOtherQueries) {
  test(`the query ${JSON.stringify(query)} is answered, or refused with a reason`, async () => {
    const container = await newContainer(server.client());
    await fill(container, 3);
    const status = await statusOf(container.items.query(query).fetchAll().then(() => ({ statusCode: 200 })));
    if (status === 200) return;
    const error = await failure(container.items.query(query).fetchAll(), 400);
    assert.match(error.body.message, /supported/i);
  });
}

const kBadQueryBodies = [
  '{"query":"SELEC * FRM"}', '{"query":""}', '{"query":5}', '{"query":null}', '{}', '[]', 'SELECT * FROM c', '',
  '{"query":"SELECT * FROM c","parameters":5}', '{"query":"SELECT * FROM c; DROP"}',
];
for (const body of kBadQueryBodies) {
  test(`the query body ${JSON.stringify(body)} is refused`, async () => {
    const container = await newContainer(server.client());
    const answer = await server.raw.request('POST', docs(container), {
      headers: { 'x-ms-documentdb-isquery': 'true', 'content-type': 'application/query+json' },
      body,
    });
    assertError(answer, 400);
  });
}
