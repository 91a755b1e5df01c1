import { describe, expect, it } from 'vitest';
import { factsOf } from './query_facts';

const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? null });

describe('facts about a query', () => {
  it('reads counts and indexes', () => {
    const utilization = {
      UtilizedIndexes: {
        SingleIndexes: [{ IndexSpec: '/user/?' }],
        CompositeIndexes: [{ IndexSpecs: ['/a ASC', '/b DESC'] }],
      },
      PotentialIndexes: { SingleIndexes: [], CompositeIndexes: [] },
    };
    expect(
      factsOf(
        headers({
          'x-ms-documentdb-query-metrics': 'retrievedDocumentCount=12;outputDocumentCount=3',
          'x-ms-cosmos-index-utilization': encodeURIComponent(JSON.stringify(utilization)),
        }),
      ),
    ).toEqual({ lookedAt: 12, usedIndexes: ['/user/?', '/a ASC, /b DESC'], possibleIndexes: [] });
  });

  it('says nothing when the answer does not', () => {
    const nothing = { lookedAt: undefined, usedIndexes: [], possibleIndexes: [] };
    expect(factsOf(headers({}))).toEqual(nothing);
    expect(factsOf(headers({ 'x-ms-cosmos-index-utilization': '%' }))).toEqual(nothing);
  });
});
