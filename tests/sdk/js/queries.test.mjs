// Queries as applications send them: all at once, page by page, by iterator, over one key, a prefix of one or all, gone
// on with by another client, and over an expiry.
import assert from 'node:assert/strict';
import { failure, forAll, newContainer, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

const kThreePartitions = 18_000;

const numbersUpTo = (count) => Array.from({ length: count }, (_, number) => number);
const ascending = (numbers) => [...numbers].sort((a, b) => a - b);

// Items 0 to count - 1 with ten partition keys.
async function filled(count, definition = {}, extra = () => ({})) {
  const container = await newContainer(server.client(), definition);
  await forAll(numbersUpTo(count), (n) =>
    container.items.create({ id: `i${n}`, pk: `p${n % 10}`, n, tags: [n, -n], ...extra(n) }),
  );
  return container;
}

async function pagesOf(iterator) {
  const pages = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    pages.push(resources ?? []);
  }
  return pages;
}

for (const throughput of [undefined, kThreePartitions]) {
  const where = throughput ? 'three partitions' : 'one partition';
  const make = (count, extra) => filled(count, throughput ? { throughput } : {}, extra);

  test(`fetchAll, fetchNext and the iterator agree, over ${where}`, async () => {
    const container = await make(50);
    for (const text of ['SELECT VALUE c.n FROM c', 'SELECT VALUE c.n FROM c ORDER BY c.n DESC']) {
      const { resources: all } = await container.items.query(text).fetchAll();
      assert.deepEqual(ascending(all), numbersUpTo(50));
      if (text.includes('DESC')) assert.deepEqual(all, numbersUpTo(50).reverse());
      const pages = await pagesOf(container.items.query(text, { maxItemCount: 7 }));
      assert.ok(pages.every((page) => page.length <= 7));
      assert.deepEqual(pages.flat(), all);
      const iterated = [];
      for await (const { resources } of container.items.query(text, { maxItemCount: 7 }).getAsyncIterator()) {
        iterated.push(...resources);
      }
      assert.deepEqual(iterated, all);
    }
  });

  test(`one partition key, over ${where}`, async () => {
    const container = await make(50);
    const scoped = (text) => container.items.query(text, { partitionKey: 'p3' }).fetchAll();
    assert.deepEqual((await scoped('SELECT VALUE c.n FROM c ORDER BY c.n')).resources, [3, 13, 23, 33, 43]);
    assert.deepEqual((await scoped('SELECT VALUE COUNT(1) FROM c')).resources, [5]);
    assert.deepEqual((await scoped('SELECT VALUE c.n FROM c WHERE c.pk = "p4"')).resources, []);
  });

  test(`another client goes on with a continuation, over ${where}`, async () => {
    const container = await make(30);
    for (const text of [
      'SELECT VALUE c.n FROM c',
      'SELECT VALUE c.n FROM c ORDER BY c.n',
      'SELECT VALUE t FROM c JOIN t IN c.tags WHERE t >= 0',
    ]) {
      const seen = [];
      let continuationToken;
      for (let pages = 0; pages < 100; pages += 1) {
        const latest = server.client().database('db').container(container.id);
        const page = await latest.items.query(text, { maxItemCount: 4, continuationToken }).fetchNext();
        seen.push(...(page.resources ?? []));
        continuationToken = page.continuationToken;
        if (!continuationToken) break;
      }
      // -0 is 0: item 0 has it twice among its tags.
      const expected = text.includes('JOIN') ? [0, ...numbersUpTo(30)] : numbersUpTo(30);
      assert.deepEqual(ascending(seen).map((n) => n + 0), expected, text);
    }
  });

  test(`a continuation over an expiry repeats nothing and shows no dead item, over ${where}`, async () => {
    for (const text of ['SELECT VALUE c.n FROM c', 'SELECT VALUE c.n FROM c ORDER BY c.n']) {
      const container = await filled(40, { defaultTtl: -1, ...(throughput ? { throughput } : {}) }, (n) =>
        n % 2 === 0 ? { ttl: 10 } : {},
      );
      const iterator = container.items.query(text, { maxItemCount: 6 });
      const before = (await iterator.fetchNext()).resources;
      assert.equal(before.length, 6);
      await server.clock.advance(10);
      const after = (await pagesOf(iterator)).flat();
      assert.ok(after.every((n) => n % 2 === 1), text);
      const odd = numbersUpTo(40).filter((n) => n % 2 === 1);
      assert.deepEqual(ascending([...before.filter((n) => n % 2 === 1), ...after]), odd);
      const { resources: count } = await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll();
      assert.deepEqual(count, [20]);
    }
  });
}

test('prefixes of a hierarchical key', async () => {
  const paths = ['/tenant', '/user', '/session'];
  const container = await newContainer(server.client(), {
    partitionKey: { paths, kind: 'MultiHash', version: 2 },
    throughput: kThreePartitions,
  });
  await forAll(numbersUpTo(27), (n) =>
    container.items.create({ id: `i${n}`, tenant: `t${n % 3}`, user: `u${Math.floor(n / 3) % 3}`, session: n, n }),
  );
  const numbers = async (partitionKey, options = {}) => {
    const text = 'SELECT VALUE c.n FROM c ORDER BY c.n';
    return (await container.items.query(text, { partitionKey, ...options }).fetchAll()).resources;
  };
  assert.deepEqual(await numbers(['t1']), numbersUpTo(27).filter((n) => n % 3 === 1));
  assert.deepEqual(await numbers(['t1', 'u2']), [7, 16, 25]);
  assert.deepEqual(await numbers(['t1', 'u2', 16]), [16]);
  assert.deepEqual(await numbers(['t9']), []);
  const { resources } = await container.items
    .query('SELECT VALUE c.n FROM c WHERE c.tenant = "t1" AND c.user = "u2"', { forceQueryPlan: true })
    .fetchAll();
  assert.deepEqual(ascending(resources), [7, 16, 25]);
});

test('parameters', async () => {
  const container = await filled(10);
  const ask = async (query, value) =>
    (await container.items.query({ query, parameters: [{ name: '@p', value }] }).fetchAll()).resources;
  assert.deepEqual(await ask('SELECT VALUE c.n FROM c WHERE c.n = @p', 3), [3]);
  assert.deepEqual(await ask('SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(@p, c.n) ORDER BY c.n', [2, 4]), [2, 4]);
  assert.equal((await ask('SELECT TOP @p * FROM c', 4)).length, 4);
  await failure(container.items.query('SELECT * FROM c WHERE c.n = @missing').fetchAll(), 400);
});

test('errors name place and reason', async () => {
  const container = await filled(1);
  const error = await failure(container.items.query('SELECT NO_SUCH(c.n) FROM c').fetchAll(), 400);
  assert.match(error.message, /"start":7,"end":14.*SC2005/);
});
