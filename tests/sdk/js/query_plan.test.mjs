// Queries that the SDK plans and merges itself, over three physical partitions: the same answers as those of the server
// alone.
import assert from 'node:assert/strict';
import { failure, forAll, newContainer, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

// Enough for three partitions.
const kThroughput = 18_000;
const kItems = 60;
const colours = ['red', 'green', 'blue'];

let container;

const server = serverForFile({ prepare });

async function prepare(started) {
  await started.clock.freeze();
  const compositeIndexes = [
    [
      { path: '/team', order: 'ascending' },
      { path: '/n', order: 'descending' },
    ],
  ];
  container = await newContainer(started.client(), { indexingPolicy: { compositeIndexes }, throughput: kThroughput });
  const numbers = Array.from({ length: kItems }, (_, number) => number);
  await forAll(numbers, (n) =>
    container.items.create({
      id: `i${n}`,
      pk: `p${n % 20}`,
      n,
      team: n % 4,
      colour: colours[n % 3],
      half: n / 2,
      tags: [`t${n % 2}`, `t${n % 5}`],
      ...(n % 6 === 0 ? {} : { some: n % 7 }),
    }),
  );
}

const query = (text, options = {}) => container.items.query(text, options).fetchAll();

// The same results, in whatever order, where the query does not say one.
const sorted = (results) => results.map((result) => JSON.stringify(result)).sort();

async function compare(text, { ordered = false, ...options } = {}) {
  const { resources: whole } = await query(text);
  for (const more of [{}, { enableQueryControl: true }, { maxItemCount: 7 }, { maxDegreeOfParallelism: 3 }]) {
    const { resources: planned } = await query(text, { forceQueryPlan: true, ...options, ...more });
    const label = `${JSON.stringify(text)} with ${JSON.stringify(more)}`;
    if (ordered) {
      assert.deepEqual(planned, whole, label);
    } else {
      assert.deepEqual(sorted(planned), sorted(whole), label);
    }
  }
  return whole;
}

test('three partitions', async () => {
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  assert.equal(resources.length, 3);
});

test('filters and projections', async () => {
  assert.equal((await compare('SELECT * FROM c')).length, kItems);
  assert.equal((await compare('SELECT c.id, c.n FROM c WHERE c.n >= 10 AND c.n < 20')).length, 10);
  assert.equal((await compare('SELECT VALUE c.some FROM c')).length, 50);
  assert.deepEqual(await compare('SELECT 1 AS one'), [{ one: 1 }]);
  await compare('SELECT c.id, t FROM c JOIN t IN c.tags WHERE t = "t1"');
  const parameters = [
    { name: '@a', value: 3 },
    { name: '@b', value: 4 },
  ];
  const text = { query: 'SELECT * FROM c WHERE c.n IN (@a, @b)', parameters };
  assert.equal((await compare(text)).length, 2);
});

test('keys in the filter', async () => {
  assert.equal((await compare('SELECT * FROM c WHERE c.pk = "p3"')).length, 3);
  assert.equal((await compare('SELECT * FROM c WHERE c.pk IN ("p3", "p4", "p5", "nobody")')).length, 9);
  assert.equal((await compare('SELECT * FROM c WHERE c.pk = "p3" AND c.pk = "p4"')).length, 0);
  assert.deepEqual(await compare('SELECT VALUE COUNT(1) FROM c WHERE c.pk = "p3"'), [3]);
  await compare('SELECT VALUE c.n FROM c WHERE c.pk = "p3" ORDER BY c.n DESC OFFSET 1 LIMIT 1', { ordered: true });
});

test('ORDER BY', async () => {
  for (const text of [
    'SELECT * FROM c ORDER BY c.n',
    'SELECT c.id FROM c ORDER BY c.n DESC',
    'SELECT VALUE c.n FROM c WHERE c.n > 20 ORDER BY c.n',
    'SELECT VALUE c.half FROM c ORDER BY c.half',
    'SELECT c.n, c.team FROM c ORDER BY c.team, c.n DESC',
    'SELECT c.n, t FROM c JOIN t IN c.tags WHERE t != "t0" ORDER BY c.n',
    'SELECT TOP 7 c.n FROM c ORDER BY c.n',
    'SELECT c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 11',
    'SELECT c.n FROM c ORDER BY c.n OFFSET 55 LIMIT 11',
    // Of a text: the SDK leaves 0 out of distinct results.
    'SELECT DISTINCT VALUE c.colour FROM c ORDER BY c.colour',
  ]) {
    assert.ok((await compare(text, { ordered: true })).length > 0, text);
  }
  // Equal keys have no order among each other.
  assert.equal((await compare('SELECT c.id, c.colour FROM c ORDER BY c.colour')).length, kItems);
  assert.equal((await compare('SELECT VALUE c.some FROM c ORDER BY c.some')).length, 50);
});

test('TOP and OFFSET LIMIT', async () => {
  for (const [text, count] of [
    ['SELECT TOP 7 * FROM c', 7],
    ['SELECT TOP 0 * FROM c', 0],
    ['SELECT * FROM c OFFSET 50 LIMIT 20', 10],
    ['SELECT * FROM c OFFSET 5 LIMIT 20', 20],
    ['SELECT DISTINCT TOP 2 VALUE c.colour FROM c', 2],
  ]) {
    for (const forceQueryPlan of [false, true]) {
      const { resources } = await query(text, { forceQueryPlan });
      assert.equal(resources.length, count, text);
    }
  }
});

test('DISTINCT', async () => {
  assert.equal((await compare('SELECT DISTINCT VALUE c.colour FROM c')).length, 3);
  assert.equal((await compare('SELECT DISTINCT c.colour, c.team FROM c')).length, 12);
  assert.equal((await compare('SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags')).length, 5);
});

test('aggregates', async () => {
  assert.deepEqual(await compare('SELECT VALUE COUNT(1) FROM c'), [kItems]);
  assert.deepEqual(await compare('SELECT VALUE SUM(c.n) FROM c'), [1770]);
  assert.deepEqual(await compare('SELECT VALUE AVG(c.n) FROM c'), [29.5]);
  assert.deepEqual(await compare('SELECT VALUE MIN(c.n) FROM c WHERE c.n > 7'), [8]);
  assert.deepEqual(await compare('SELECT VALUE MAX(c.colour) FROM c'), ['red']);
  assert.deepEqual(await compare('SELECT VALUE COUNT(c.some) FROM c'), [50]);
  assert.deepEqual(await compare('SELECT VALUE COUNT(1) FROM c WHERE c.n < 0'), [0]);
  assert.deepEqual(await compare('SELECT COUNT(1) AS n, MAX(c.n) AS most, AVG(c.half) AS half FROM c'), [
    { n: kItems, most: 59, half: 14.75 },
  ]);
  assert.deepEqual(await compare('SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags WHERE t = "t1"'), [42]);
});

test('GROUP BY', async () => {
  assert.equal((await compare('SELECT c.colour, COUNT(1) AS n FROM c GROUP BY c.colour')).length, 3);
  const several = 'SELECT c.colour, c.team, MIN(c.n) AS a, MAX(c.n) AS b FROM c GROUP BY c.colour, c.team';
  assert.equal((await compare(several)).length, 12);
  assert.equal((await compare('SELECT VALUE c.team FROM c GROUP BY c.team')).length, 4);
  assert.equal((await compare('SELECT VALUE AVG(c.n) FROM c GROUP BY c.team')).length, 4);
  const upper = 'SELECT UPPER(c.colour) AS colour, AVG(c.n) AS n FROM c GROUP BY UPPER(c.colour)';
  assert.equal((await compare(upper)).length, 3);
  assert.equal((await compare('SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t')).length, 5);
  const sliced = await query('SELECT c.team FROM c GROUP BY c.team OFFSET 1 LIMIT 2', { forceQueryPlan: true });
  assert.equal(sliced.resources.length, 2);
});

test('a query is resumed by a token of the SDK', async () => {
  for (const text of ['SELECT VALUE c.n FROM c ORDER BY c.n', 'SELECT VALUE c.n FROM c']) {
    const options = { forceQueryPlan: true, enableQueryControl: true, maxItemCount: 8 };
    const seen = [];
    let continuationToken;
    for (let pages = 0; pages < 100; pages += 1) {
      const page = await container.items.query(text, { ...options, continuationToken }).fetchNext();
      seen.push(...(page.resources ?? []));
      continuationToken = page.continuationToken;
      if (!continuationToken) break;
    }
    if (text.includes('ORDER')) assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
    assert.deepEqual([...seen].sort((a, b) => a - b), Array.from({ length: kItems }, (_, n) => n), text);
  }
});

test('what cannot be merged is refused', async () => {
  const error = await failure(query('SELECT VALUE MIN(c.n) / 2 FROM c', { forceQueryPlan: true }), 400);
  assert.match(error.message, /Compositions of aggregates/);
  const unknown = await failure(query('SELECT NO_SUCH(c.n) FROM c', { forceQueryPlan: true }), 400);
  assert.match(unknown.message, /Gateway Failed to Retrieve Query Plan: .*SC2005/);
});
