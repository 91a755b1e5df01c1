// The queries that the tests of every SDK ask, by JavaScript: shared/README.md says how they are compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { forAll, test } from './support/check.mjs';
import { Server } from './support/server.mjs';

const kShared = JSON.parse(readFileSync(new URL('../shared/queries.json', import.meta.url), 'utf8'));
const kSystemProperties = ['_rid', '_self', '_etag', '_attachments', '_ts'];

function withoutSystemProperties(result) {
  if (typeof result?._rid !== 'string') return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => !kSystemProperties.includes(name)));
}

// One text for equal values, whatever the order of members.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

function comparable(results, ordered) {
  const texts = results.map((result) => canonical(withoutSystemProperties(result)));
  return ordered ? texts : texts.sort();
}

describe('the shared queries over three partitions', () => {
  const server = new Server({ inMemory: true });
  const containers = new Map();

  before(async () => {
    await server.start();
    const { database } = await server.client().databases.create({ id: 'shared' });
    for (const [name, documents] of Object.entries(kShared.documents)) {
      const { container } = await database.containers.create({
        id: name,
        partitionKey: { paths: [kShared.partitionKey] },
        throughput: kShared.throughput,
      });
      await forAll(documents, (document) => container.items.create(document));
      containers.set(name, container);
    }
  });
  after(() => server.dispose());

  test('there are more than a hundred, each with a name of its own', () => {
    assert.ok(kShared.queries.length > 100);
    assert.equal(new Set(kShared.queries.map((one) => one.name)).size, kShared.queries.length);
  });

  for (const { name, documents, query, parameters, ordered, results } of kShared.queries) {
    test(`${name}: ${query}`, async () => {
      for (const options of [{ maxItemCount: 2 }, {}]) {
        const answer = await containers.get(documents).items.query({ query, parameters }, options).fetchAll();
        assert.deepEqual(comparable(answer.resources, ordered), comparable(results, ordered));
      }
    });
  }
});
