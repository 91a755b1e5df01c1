// What an answer says about its query beside the results: counts and the use of indexes.
import { type Json, member, parseJson, textOf } from '../json/lossless_json';

export interface QueryFacts {
  // Items that the server looked at for this page.
  lookedAt: number | undefined;
  usedIndexes: string[];
  possibleIndexes: string[];
}

export function factsOf(headers: Pick<Headers, 'get'>): QueryFacts {
  const metrics = new Map(
    (headers.get('x-ms-documentdb-query-metrics') ?? '').split(';').map((pair) => pair.split('=') as [string, string]),
  );
  const counted = Number(metrics.get('retrievedDocumentCount'));
  const indexes = readIndexes(headers.get('x-ms-cosmos-index-utilization'));
  return {
    lookedAt: Number.isFinite(counted) && metrics.has('retrievedDocumentCount') ? counted : undefined,
    usedIndexes: specs(member(indexes, 'UtilizedIndexes')),
    possibleIndexes: specs(member(indexes, 'PotentialIndexes')),
  };
}

function readIndexes(header: string | null): Json {
  if (!header) return null;
  try {
    return parseJson(decodeURIComponent(header));
  } catch {
    return null;
  }
}

function specs(group: Json | undefined): string[] {
  const list = (name: string) => {
    const indexes = member(group, name);
    return Array.isArray(indexes) ? indexes : [];
  };
  const single = list('SingleIndexes').flatMap((index) => textOf(member(index, 'IndexSpec')) ?? []);
  const composite = list('CompositeIndexes').flatMap((index) => {
    const paths = member(index, 'IndexSpecs');
    return Array.isArray(paths) ? [paths.filter((path) => typeof path === 'string').join(', ')] : [];
  });
  return [...single, ...composite];
}
