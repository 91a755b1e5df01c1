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
import type { Answer, Client, RequestOptions } from './client';
import { ApiError } from './errors';
import { isStep, ridParts } from './rids';

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
  // Of the very container that is meant, where it is known: another one under the same names is then not taken for it.
  rid?: string;
}

// A request of a database, or of what is in it: `more` are the parts of the path behind it.
async function askDatabase(
  client: Client,
  method: string,
  database: string,
  more: readonly string[] = [],
  options: RequestOptions = {},
): Promise<Answer> {
  if (!isStep(database)) return client.rest(method, ['dbs', database, ...more], options);
  const rid = await databaseRid(client, database, options.signal);
  return client.rest(method, [...ridParts(rid), ...more], { ...options, byRid: true });
}

// The same of a container.
async function askContainer(
  client: Client,
  method: string,
  id: ContainerId,
  more: readonly string[] = [],
  options: RequestOptions = {},
): Promise<Answer> {
  if (!needsRids(id)) {
    const parts = ['dbs', id.database, 'colls', id.container, ...more];
    return client.rest(method, parts, { ...options, headers: { ...meant(id), ...options.headers } });
  }
  const rid = id.rid ?? (await containerRid(client, id, options.signal));
  return client.rest(method, [...ridParts(rid), ...more], { ...options, byRid: true });
}

function needsRids({ database, container }: ContainerId): boolean {
  return isStep(database) || isStep(container);
}

function meant({ rid }: ContainerId): Record<string, string> {
  return rid ? { 'x-ms-cosmos-intended-collection-rid': rid } : {};
}

async function databaseRid(client: Client, database: string, signal?: AbortSignal): Promise<string> {
  return ridOf(await allOf((options) => client.rest('GET', ['dbs'], options), 'Databases', signal), database);
}

async function containerRid(client: Client, id: ContainerId, signal?: AbortSignal): Promise<string> {
  return ridOf(await containersOf(client, id.database, signal), id.container);
}

function ridOf(resources: readonly JsonObject[], name: string): string {
  const rid = textOf(resources.find((resource) => resource.get('id') === name)?.get('_rid'));
  if (rid === undefined) throw new ApiError(`There is no ${name}.`, 404, 'NotFound', 0, 0, []);
  return rid;
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
async function allOf(
  ask: (options: RequestOptions) => Promise<Answer>,
  list: string,
  signal?: AbortSignal,
): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  let continuation: string | null = null;
  do {
    const headers: Record<string, string> = { 'x-ms-max-item-count': '1000' };
    if (continuation) headers['x-ms-continuation'] = continuation;
    const page: Page = pageOf(await ask({ headers, signal }), list);
    all.push(...page.values.filter(isObject));
    continuation = page.continuation;
  } while (continuation);
  return all;
}

export async function listDatabases(client: Client, signal?: AbortSignal): Promise<string[]> {
  return namesOf(await allOf((options) => client.rest('GET', ['dbs'], options), 'Databases', signal));
}

export async function listContainers(client: Client, database: string, signal?: AbortSignal): Promise<string[]> {
  return namesOf(await containersOf(client, database, signal));
}

async function containersOf(client: Client, database: string, signal?: AbortSignal): Promise<JsonObject[]> {
  return allOf((options) => askDatabase(client, 'GET', database, ['colls'], options), 'DocumentCollections', signal);
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
  await askDatabase(client, 'DELETE', id);
}

export async function createContainer(
  client: Client,
  database: string,
  definition: JsonObject,
  throughput: Throughput | null,
): Promise<void> {
  await askDatabase(client, 'POST', database, ['colls'], {
    body: printJson(definition),
    headers: throughputHeaders(throughput),
  });
}

export async function readContainer(client: Client, id: ContainerId, signal?: AbortSignal): Promise<JsonObject> {
  const { body } = await askContainer(client, 'GET', id, [], { signal });
  return isObject(body) ? body : new Map();
}

export async function replaceContainer(client: Client, id: ContainerId, definition: JsonObject): Promise<JsonObject> {
  const { body } = await askContainer(client, 'PUT', id, [], { body: printJson(definition) });
  return isObject(body) ? body : new Map();
}

export async function deleteContainer(client: Client, id: ContainerId): Promise<void> {
  await askContainer(client, 'DELETE', id);
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
  parameters?: { name: string; value: string }[];
  headers?: Record<string, string>;
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
    ...options.headers,
  };
  if (options.continuation) headers['x-ms-continuation'] = options.continuation;
  if (options.metrics) {
    headers['x-ms-documentdb-populatequerymetrics'] = 'true';
    headers['x-ms-cosmos-populateindexmetrics-V2'] = 'true';
  }
  const body = JSON.stringify({ query: sql, parameters: options.parameters ?? [] });
  return pageOf(
    await askContainer(client, 'POST', id, ['docs'], { body, headers, signal: options.signal, patient: true }),
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
    await askContainer(client, 'GET', id, ['docs'], { headers, signal: options.signal, patient: true }),
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
  // The `_rid` of the item, where it is known.
  itemRid?: string;
  // The value of the partition key header.
  key: string;
}

async function askItem(client: Client, method: string, id: ItemId, options: RequestOptions = {}): Promise<Answer> {
  const headers = { 'x-ms-documentdb-partitionkey': id.key, ...options.headers };
  if (!needsRids(id) && !isStep(id.item))
    return askContainer(client, method, id, ['docs', id.item], { ...options, headers });
  const rid = id.itemRid ?? (await itemRid(client, id));
  return client.rest(method, ridParts(rid), { ...options, headers: { ...meant(id), ...headers }, byRid: true });
}

// Of an item of which only the names are known.
async function itemRid(client: Client, id: ItemId): Promise<string> {
  const headers = { 'x-ms-documentdb-partitionkey': id.key };
  const parameters = [{ name: '@id', value: id.item }];
  const { values } = await queryItems(client, id, 'SELECT * FROM c WHERE c.id = @id', { parameters, headers });
  return ridOf(values.filter(isObject), id.item);
}

export async function readItem(client: Client, id: ItemId, signal?: AbortSignal): Promise<JsonObject> {
  const { body } = await askItem(client, 'GET', id, { signal });
  return isObject(body) ? body : new Map();
}

export async function createItem(client: Client, id: ContainerId, item: string, key: string): Promise<JsonObject> {
  const { body } = await askContainer(client, 'POST', id, ['docs'], {
    body: item,
    headers: { 'x-ms-documentdb-partitionkey': key },
  });
  return isObject(body) ? body : new Map();
}

// Only the very version that was read is replaced: 412 otherwise.
export async function replaceItem(client: Client, id: ItemId, item: string, etag: string): Promise<JsonObject> {
  const { body } = await askItem(client, 'PUT', id, { body: item, headers: { 'if-match': etag } });
  return isObject(body) ? body : new Map();
}

export async function deleteItem(client: Client, id: ItemId, etag: string): Promise<void> {
  await askItem(client, 'DELETE', id, { headers: { 'if-match': etag } });
}
