// Databases, containers and items through the REST API.
import {
  type Json,
  type JsonObject,
  isObject,
  member,
  numberOf,
  parseJson,
  printJson,
  textOf,
} from '../json/lossless_json';
import type { Answer, Client } from './client';

export interface Page {
  values: Json[];
  continuation: string | null;
  answer: Answer;
}

export interface Throughput {
  kind: 'manual' | 'autoscale';
  ru: number;
}

export interface ContainerId {
  database: string;
  container: string;
}

export function containerParts({ database, container }: ContainerId): string[] {
  return ['dbs', database, 'colls', container];
}

function pageOf(answer: Answer, list: string): Page {
  const values = member(answer.body, list);
  return {
    values: Array.isArray(values) ? values : [],
    continuation: answer.headers.get('x-ms-continuation'),
    answer,
  };
}

// Every page of a short feed. The names of databases and containers are few enough to be shown at once.
async function allOf(client: Client, parts: string[], list: string, signal?: AbortSignal): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  let continuation: string | null = null;
  do {
    const headers: Record<string, string> = { 'x-ms-max-item-count': '1000' };
    if (continuation) headers['x-ms-continuation'] = continuation;
    const page: Page = pageOf(await client.rest('GET', parts, { headers, signal }), list);
    all.push(...page.values.filter(isObject));
    continuation = page.continuation;
  } while (continuation);
  return all;
}

export async function listDatabases(client: Client, signal?: AbortSignal): Promise<string[]> {
  return namesOf(await allOf(client, ['dbs'], 'Databases', signal));
}

export async function listContainers(client: Client, database: string, signal?: AbortSignal): Promise<string[]> {
  return namesOf(await allOf(client, ['dbs', database, 'colls'], 'DocumentCollections', signal));
}

function namesOf(resources: JsonObject[]): string[] {
  return resources.flatMap((resource) => textOf(resource.get('id')) ?? []).sort((a, b) => a.localeCompare(b));
}

function throughputHeaders(throughput: Throughput | null): Record<string, string> {
  if (!throughput) return {};
  return throughput.kind === 'manual'
    ? { 'x-ms-offer-throughput': String(throughput.ru) }
    : { 'x-ms-cosmos-offer-autopilot-settings': JSON.stringify({ maxThroughput: throughput.ru }) };
}

export async function createDatabase(client: Client, id: string, throughput: Throughput | null): Promise<void> {
  await client.rest('POST', ['dbs'], { body: JSON.stringify({ id }), headers: throughputHeaders(throughput) });
}

export async function deleteDatabase(client: Client, id: string): Promise<void> {
  await client.rest('DELETE', ['dbs', id]);
}

export async function createContainer(
  client: Client,
  database: string,
  definition: JsonObject,
  throughput: Throughput | null,
): Promise<void> {
  await client.rest('POST', ['dbs', database, 'colls'], {
    body: printJson(definition),
    headers: throughputHeaders(throughput),
  });
}

export async function readContainer(client: Client, id: ContainerId, signal?: AbortSignal): Promise<JsonObject> {
  const { body } = await client.rest('GET', containerParts(id), { signal });
  return isObject(body) ? body : new Map();
}

export async function replaceContainer(client: Client, id: ContainerId, definition: JsonObject): Promise<JsonObject> {
  const { body } = await client.rest('PUT', containerParts(id), { body: printJson(definition) });
  return isObject(body) ? body : new Map();
}

export async function deleteContainer(client: Client, id: ContainerId): Promise<void> {
  await client.rest('DELETE', containerParts(id));
}

// The default lifetime in a definition: absent and null are both off.
export function defaultTtlOf(definition: JsonObject): number | null {
  return numberOf(definition.get('defaultTtl')) ?? null;
}

// The definition with another default; everything else stays, also what the page knows nothing of.
export function withDefaultTtl(definition: JsonObject, defaultTtl: number | null): JsonObject {
  const changed: JsonObject = new Map(definition);
  if (defaultTtl === null) changed.delete('defaultTtl');
  else changed.set('defaultTtl', defaultTtl);
  return changed;
}

export async function readThroughput(
  client: Client,
  self: string,
): Promise<{ offer: JsonObject; throughput: Throughput } | null> {
  const body = JSON.stringify({
    query: 'SELECT * FROM root WHERE root.resource = @self',
    parameters: [{ name: '@self', value: self }],
  });
  const headers = { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'true' };
  const [offer] = pageOf(await client.rest('POST', ['offers'], { body, headers }), 'Offers').values;
  if (!isObject(offer)) return null;
  const content = offer.get('content');
  const most = numberOf(member(member(content, 'offerAutopilotSettings'), 'maxThroughput'));
  const fixed = numberOf(member(content, 'offerThroughput'));
  if (most !== undefined) return { offer, throughput: { kind: 'autoscale', ru: most } };
  return fixed === undefined ? null : { offer, throughput: { kind: 'manual', ru: fixed } };
}

export async function replaceThroughput(client: Client, offer: JsonObject, ru: number): Promise<void> {
  const content: JsonObject = new Map(isObject(offer.get('content')) ? (offer.get('content') as JsonObject) : []);
  if (content.has('offerAutopilotSettings')) {
    content.set('offerAutopilotSettings', parseJson(JSON.stringify({ maxThroughput: ru })));
    content.delete('offerThroughput');
  } else {
    content.set('offerThroughput', ru);
  }
  const changed: JsonObject = new Map(offer);
  changed.set('content', content);
  await client.rest('PUT', ['offers', textOf(offer.get('id')) ?? ''], { body: printJson(changed) });
}

export interface QueryOptions {
  continuation?: string | null;
  max?: number;
  // Counts of the query and what indexes did for it.
  metrics?: boolean;
  signal?: AbortSignal;
}

export async function queryItems(
  client: Client,
  id: ContainerId,
  sql: string,
  options: QueryOptions = {},
): Promise<Page> {
  const headers: Record<string, string> = {
    'content-type': 'application/query+json',
    'x-ms-documentdb-isquery': 'true',
    'x-ms-documentdb-query-enablecrosspartition': 'true',
    'x-ms-max-item-count': String(options.max ?? 100),
  };
  if (options.continuation) headers['x-ms-continuation'] = options.continuation;
  if (options.metrics) {
    headers['x-ms-documentdb-populatequerymetrics'] = 'true';
    headers['x-ms-cosmos-populateindexmetrics-V2'] = 'true';
  }
  const parts = [...containerParts(id), 'docs'];
  const body = JSON.stringify({ query: sql, parameters: [] });
  return pageOf(
    await client.rest('POST', parts, { body, headers, signal: options.signal, patient: true }),
    'Documents',
  );
}

// A page of all items, or of those for which a condition holds.
export async function listItems(
  client: Client,
  id: ContainerId,
  filter: string,
  options: QueryOptions = {},
): Promise<Page> {
  if (filter.trim() !== '') return queryItems(client, id, filterQuery(filter), options);
  const headers: Record<string, string> = { 'x-ms-max-item-count': String(options.max ?? 100) };
  if (options.continuation) headers['x-ms-continuation'] = options.continuation;
  return pageOf(
    await client.rest('GET', [...containerParts(id), 'docs'], { headers, signal: options.signal, patient: true }),
    'Documents',
  );
}

export const kFilterStart = 'SELECT * FROM c WHERE ';

// People may write the word WHERE as well.
export function filterQuery(filter: string): string {
  return kFilterStart + filter.trim().replace(/^where\s+/i, '');
}

// A query has so many numbers of items at the most.
const kRidsAtOnce = 1000;

// Those of them that live.
export async function itemsWithRids(client: Client, id: ContainerId, rids: readonly string[]): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let at = 0; at < rids.length; at += kRidsAtOnce) {
    const list = rids.slice(at, at + kRidsAtOnce).map((rid) => JSON.stringify(rid));
    const query = `SELECT * FROM c WHERE c._rid IN (${list.join(', ')})`;
    let continuation: string | null = null;
    do {
      const page: Page = await queryItems(client, id, query, { continuation, max: kRidsAtOnce });
      items.push(...page.values.filter(isObject));
      continuation = page.continuation;
    } while (continuation);
  }
  return items;
}

export interface ItemId extends ContainerId {
  item: string;
  // The value of the partition key header.
  key: string;
}

// Browsers take these names for steps in the path, however they are written.
function itemParts(id: ItemId): string[] {
  if (id.item === '.' || id.item === '..')
    throw new Error(`A browser cannot ask for an item whose id is ${id.item} alone. Use an SDK for it.`);
  return [...containerParts(id), 'docs', id.item];
}

export async function readItem(client: Client, id: ItemId, signal?: AbortSignal): Promise<JsonObject> {
  const headers = { 'x-ms-documentdb-partitionkey': id.key };
  const { body } = await client.rest('GET', itemParts(id), { headers, signal });
  return isObject(body) ? body : new Map();
}

export async function createItem(client: Client, id: ContainerId, item: string, key: string): Promise<JsonObject> {
  const { body } = await client.rest('POST', [...containerParts(id), 'docs'], {
    body: item,
    headers: { 'x-ms-documentdb-partitionkey': key },
  });
  return isObject(body) ? body : new Map();
}

// Only the very version that was read is replaced: 412 otherwise.
export async function replaceItem(client: Client, id: ItemId, item: string, etag: string): Promise<JsonObject> {
  const headers = { 'x-ms-documentdb-partitionkey': id.key, 'if-match': etag };
  const { body } = await client.rest('PUT', itemParts(id), { body: item, headers });
  return isObject(body) ? body : new Map();
}

export async function deleteItem(client: Client, id: ItemId, etag: string): Promise<void> {
  const headers = { 'x-ms-documentdb-partitionkey': id.key, 'if-match': etag };
  await client.rest('DELETE', itemParts(id), { headers });
}
