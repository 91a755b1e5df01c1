// Every field of every body, wrong in type, size or form: each gets a 400 with a body that SDKs can read, and changes
// nothing. The cases are made from the good bodies below, each of which is sent once at the end, so
// that a body which is refused for another reason than its wrong field would show.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { forAll, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare, args: ['--rate-limiting', 'off'] });
afterEach(() => server.assertHealthy());

const kKey = { 'x-ms-documentdb-partitionkey': '["p"]' };
const kBatch = { ...kKey, 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' };
const kBulk = {
  'x-ms-cosmos-is-batch-request': 'true',
  'x-ms-cosmos-batch-atomic': 'false',
  'x-ms-cosmos-batch-continue-on-error': 'true',
  'x-ms-documentdb-partitionkeyrangeid': '0',
};
const kContainer = ['dbs', 'db', 'colls', 'c'];
const kDocs = [...kContainer, 'docs'];

// --- What a field may be. Each kind gives the values that are wrong for it; `undefined` leaves the field out.
const kOfEachType = { text: 'text', number: 7, half: 1.5, yes: true, nothing: null, list: [], object: {} };
const except = (...types) =>
  Object.entries(kOfEachType).filter(([type]) => !types.includes(type)).map(([, value]) => value);

const wrong = {
  text: (...more) => [...except('text'), ...more],
  // What may be left out may be null too.
  optionalText: (...more) => [...except('text', 'nothing'), ...more],
  name: () => [...except('text'), undefined, '', 'a/b', 'a\\b', 'a#b', 'x'.repeat(256)],
  itemId: () => [...except('text'), undefined, '', 'a/b', 'a\\b', 'a#b', 'x'.repeat(1024)],
  list: (...more) => [...except('list'), ...more],
  object: (...more) => [...except('object'), ...more],
  oneOf: () => [...except('text'), 'text', '', undefined],
};

// Puts a value in the place that the path leads to, in a copy.
function put(body, path, value) {
  if (path.length === 0) return value;
  const copy = structuredClone(body);
  const parent = path.slice(0, -1).reduce((at, step) => at[step], copy);
  if (value === undefined) delete parent[path.at(-1)];
  else parent[path.at(-1)] = value;
  return copy;
}

// Each has the request, a good body, and for each field in it the values that are wrong there.
const kPatchFields = [
  ['condition', wrong.optionalText('', 'nonsense', 'from c where')],
  ['operations', [...wrong.list(), Array(11).fill({ op: 'set', path: '/n', value: 1 }), undefined]],
  ['operations.0', wrong.object()],
  ['operations.0.op', [...wrong.oneOf(), 'copy', 'test', 'SET']],
  ['operations.0.path', [...wrong.text('', '/', 'n', '/id', '/pk', '/_ts', '/_etag', '/a/b/c', '/~2'), undefined]],
  ['operations.0.value', [undefined]],
  ['operations.1.value', [...except('number', 'half'), undefined]],
  ['operations.2.from', [...wrong.text('', '/', 'm', '/none', '/id'), undefined]],
];
const kPatch = {
  condition: 'from c where c.n = 1',
  operations: [
    { op: 'set', path: '/new', value: 1 },
    { op: 'incr', path: '/n', value: 1 },
    { op: 'move', from: '/m', path: '/moved' },
  ],
};
const within = (prefix, fields) => fields.map(([path, values]) => [`${prefix}.${path}`, values]);

const kItemFields = [
  ['id', wrong.itemId()],
  ['ttl', [...except('number'), 0, -2, 2 ** 31]],
];
const item = (id) => ({ id, pk: 'p', n: 1, ttl: 100 });
const operations = (key) => [
  { operationType: 'Create', resourceBody: item('created'), ...key },
  { operationType: 'Upsert', resourceBody: item('upserted'), ...key },
  { operationType: 'Replace', id: 'there', ifMatch: '*', resourceBody: item('there'), ...key },
  { operationType: 'Patch', id: 'patched', resourceBody: kPatch, ...key },
  { operationType: 'Read', id: 'there', ifNoneMatch: '"x"', ...key },
  { operationType: 'Delete', id: 'deleted', ...key },
];
const kOperationFields = [
  ['', [...except('list'), []]],
  ...[0, 1, 2, 3, 4, 5].flatMap((n) => [
    [`${n}`, wrong.object()],
    [`${n}.operationType`, [...wrong.oneOf(), 'create', 'Query']],
    [`${n}.minimalReturnPreference`, except('yes', 'nothing')],
  ]),
  ...[2, 3, 4, 5].map((n) => [`${n}.id`, [...except('text'), undefined, '']]),
  ...[0, 1, 2].map((n) => [`${n}.resourceBody`, [...wrong.object(), undefined]]),
  ['3.resourceBody', [...except('object', 'list'), undefined]],
  ...[0, 1, 2].flatMap((n) => within(`${n}.resourceBody`, kItemFields)),
  ...within('3.resourceBody', kPatchFields),
  ['2.ifMatch', wrong.optionalText()],
  ['4.ifNoneMatch', wrong.optionalText()],
];
const keyed = (...wrongKeys) => [0, 1, 2, 3, 4, 5].map((n) => [`${n}.partitionKey`, wrongKeys]);
const kWrongKeys = [...except('text', 'nothing'), 'p', '', '[', '{}', '[]', '["p","q"]', '[["p"]]', '["q"]'];

const kUniqueKeyFields = [
  ['uniqueKeyPolicy', except('object', 'nothing')],
  ['uniqueKeyPolicy.uniqueKeys', [...except('list', 'nothing'), Array(11).fill({ paths: ['/a'] })]],
  ['uniqueKeyPolicy.uniqueKeys.0', wrong.object()],
  ['uniqueKeyPolicy.uniqueKeys.0.paths',
    [...wrong.list(), [], undefined, Array.from({ length: 17 }, (_, n) => `/p${n}`)]],
  ['uniqueKeyPolicy.uniqueKeys.0.paths.0', wrong.text('', '/', 'a', '/a/*', '/a/[]/b')],
];

const kUserFields = [['', wrong.object()], ['id', wrong.name()]];

const kBodies = {
  'an item': { send: ['POST', kDocs, kKey], good: item('one'), fields: [['', wrong.object()], ...kItemFields] },
  'a patch': {
    send: ['PATCH', [...kDocs, 'patched'], kKey],
    good: kPatch,
    fields: [['', except('list', 'object')], ...kPatchFields],
  },
  'a batch': {
    send: ['POST', kDocs, kBatch],
    good: operations({}),
    fields: [...kOperationFields, ...keyed(...kWrongKeys)],
  },
  'a bulk request': {
    send: ['POST', kDocs, kBulk],
    good: operations({ partitionKey: '["p"]' }),
    fields: [...kOperationFields, ...keyed(...kWrongKeys.filter((key) => key !== '["q"]'), null, undefined)],
    // Each operation stands for itself.
    standing: true,
  },
  'a user': { send: ['POST', ['dbs', 'db', 'users']], good: { id: 'new' }, fields: kUserFields },
  'a user that is replaced': {
    send: ['PUT', ['dbs', 'db', 'users', 'other']], good: { id: 'other' }, fields: kUserFields,
  },
  'a permission': {
    send: ['POST', ['dbs', 'db', 'users', 'u', 'permissions']],
    good: { id: 'new', permissionMode: 'Read', resource: 'dbs/db/colls/c', resourcePartitionKey: ['p'] },
    fields: [
      ['', wrong.object()],
      ['id', wrong.name()],
      ['permissionMode', [...wrong.oneOf(), 'Write']],
      ['resource', [...wrong.text(''), undefined, 'x'.repeat(5000)]],
      ['resourcePartitionKey', wrong.list()],
      ['resourcePartitionKey.0', [[], { a: 1 }]],
    ],
  },
  'a container': {
    send: ['POST', ['dbs', 'db', 'colls']],
    good: {
      id: 'new',
      partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
      defaultTtl: 10,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/a', '/b/c'] }] },
      changeFeedPolicy: { retentionDuration: 10 },
      conflictResolutionPolicy: {
        mode: 'LastWriterWins', conflictResolutionPath: '/n', conflictResolutionProcedure: '',
      },
      vectorEmbeddingPolicy: {
        vectorEmbeddings: [{ path: '/v', dataType: 'float32', dimensions: 3, distanceFunction: 'cosine' }],
      },
      fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/t', language: 'en-US' }] },
    },
    fields: [
      ['', wrong.object()],
      ['id', wrong.name()],
      ['partitionKey', except('object', 'nothing')],
      ['partitionKey.systemKey', except('nothing')],
      ['changeFeedPolicy', except('object', 'nothing')],
      ['changeFeedPolicy.retentionDuration', [...except('number'), -1, 43_201]],
      ['conflictResolutionPolicy', except('object', 'nothing')],
      ['conflictResolutionPolicy.mode', wrong.optionalText('', 'text')],
      ['conflictResolutionPolicy.conflictResolutionPath', wrong.optionalText()],
      ['conflictResolutionPolicy.conflictResolutionProcedure', wrong.optionalText()],
      ['vectorEmbeddingPolicy', except('object', 'nothing')],
      ['vectorEmbeddingPolicy.vectorEmbeddings', except('list', 'nothing')],
      ['vectorEmbeddingPolicy.vectorEmbeddings.0', except()],
      ['vectorEmbeddingPolicy.vectorEmbeddings.0.path', [...wrong.text('', 'v', '/v/*'), undefined]],
      ['vectorEmbeddingPolicy.vectorEmbeddings.0.dataType', wrong.optionalText('', 'text')],
      ['vectorEmbeddingPolicy.vectorEmbeddings.0.dimensions', [...except('number', 'nothing'), 0, -1, 4097]],
      ['vectorEmbeddingPolicy.vectorEmbeddings.0.distanceFunction', wrong.optionalText('', 'text')],
      ['fullTextPolicy', except('object', 'nothing')],
      ['fullTextPolicy.defaultLanguage', wrong.optionalText()],
      ['fullTextPolicy.fullTextPaths', except('list', 'nothing')],
      ['fullTextPolicy.fullTextPaths.0', except()],
      ['fullTextPolicy.fullTextPaths.0.path', [...wrong.text('', 't', '/t/*'), undefined]],
      ['fullTextPolicy.fullTextPaths.0.language', wrong.optionalText()],
      ['partitionKey.paths', [...wrong.list(), [], undefined, ['/a', '/b']]],
      ['partitionKey.paths.0', wrong.text('', '/', 'pk', '/pk/', '/p k', '/*', '/_ts', '/_etag')],
      ['partitionKey.kind', wrong.optionalText('Range', 'hash')],
      ['partitionKey.version', [...except('number', 'nothing'), 0, 3]],
      ['defaultTtl', [...except('number', 'nothing'), 0, -2, 2 ** 31]],
      ...kUniqueKeyFields,
    ],
  },
  'an offer': {
    send: ['PUT', () => ['offers', offer.id]],
    good: () => ({ ...offer, content: { offerThroughput: 500 } }),
    fields: [
      ['', wrong.object()],
      ['id', except('nothing')],
      ['resource', except('nothing')],
      ['content', [...wrong.object(), undefined]],
      ['content.offerThroughput', [...except(), 0, 399, 450, -400, 1_000_100, 1e300, undefined]],
    ],
  },
};

let offer;
async function prepare(started) {
  const make = async (...request) => {
    const [method, parts, body, headers] = request;
    const answer = await started.raw.request(method, parts, { body, headers });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  await make('POST', ['dbs'], { id: 'db' });
  const container = await make('POST', ['dbs', 'db', 'colls'], {
    id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, defaultTtl: -1,
  }, { 'x-ms-offer-throughput': '400' });
  for (const id of ['there', 'patched', 'deleted']) await make('POST', kDocs, { id, pk: 'p', n: 1, m: 1 }, kKey);
  await make('POST', ['dbs', 'db', 'users'], { id: 'u' });
  await make('POST', ['dbs', 'db', 'users'], { id: 'other' });
  const { Offers } = await make('GET', ['offers']);
  offer = Offers.find((one) => one.offerResourceId === container._rid);
}

const kFeeds = [
  kDocs, ['dbs'], ['dbs', 'db', 'colls'], ['dbs', 'db', 'users'], ['dbs', 'db', 'users', 'u', 'permissions'],
  ['offers'],
];
// All that there is, by its etags.
async function everything() {
  const feeds = await Promise.all(kFeeds.map((parts) => server.raw.request('GET', parts)));
  return feeds.map((feed) => {
    assert.equal(feed.status, 200, feed.text);
    return Object.values(feed.json).find(Array.isArray).map((one) => `${one.id} ${one._etag}`);
  });
}

const valueOf = (given) => (typeof given === 'function' ? given() : given);

// The status of the request, or of the first of its operations that failed by itself.
function verdict(answer) {
  if (answer.status !== 207) return answer.status;
  return answer.json.map((one) => one.statusCode).find((code) => code >= 400 && code !== 424);
}

for (const [what, { send, good, fields, standing }] of Object.entries(kBodies)) {
  const sendBody = (body) => {
    const [method, parts, headers = {}] = send;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const typed = { 'content-type': 'application/json', ...headers };
    return server.raw.request(method, valueOf(parts), { headers: typed, body: text });
  };

  test(`${what} with a wrong field is refused and changes nothing`, async () => {
    const before = await everything();
    const wrongAnswers = [];
    const cases = fields.flatMap(([path, values]) => values.map((value) => ({ path, value })));
    assert.ok(cases.length > 10);
    await forAll(cases, async ({ path, value }) => {
      const steps = path === '' ? [] : path.split('.');
      let body = put(valueOf(good), steps, value);
      // Its neighbours of the same request would go ahead.
      if (standing && steps.length > 0) body = [body[steps[0]]];
      const answer = await sendBody(body);
      const status = verdict(answer);
      const readable = answer.status === 207 || (answer.json?.code?.length > 0 && answer.json?.message?.length > 0);
      if (status !== 400 || !readable) {
        const given = JSON.stringify(value)?.slice(0, 60);
        wrongAnswers.push(`${path} = ${given}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
    }, 4);
    assert.deepEqual(wrongAnswers, []);
    assert.deepEqual(await everything(), before);
  });

  test(`${what} that is no JSON is refused and changes nothing`, async () => {
    const before = await everything();
    const text = JSON.stringify(valueOf(good));
    const [method, parts, headers = {}] = send;
    const bytes = Buffer.from([0x80, 0xff]);
    for (const body of ['', ' ', text.slice(0, -1), `${text}x`, `\u0000${text}`, bytes, '['.repeat(1000)]) {
      const answer = await server.raw.request(method, valueOf(parts), { headers, body });
      assert.equal(answer.status, 400, `${body.slice(0, 40)}: ${answer.status} ${answer.text}`);
      assert.ok(answer.json.code.length > 0 && answer.json.message.length > 0);
    }
    assert.deepEqual(await everything(), before);
  });
}

// In this order: the last tests change what the others have looked at.
for (const [what, { send, good }] of Object.entries(kBodies)) {
  test(`${what} with no wrong field is taken`, async () => {
    const [method, parts, headers = {}] = send;
    if (what === 'a bulk request') {
      for (const id of ['created', 'patched', 'upserted']) {
        await server.raw.request('DELETE', [...kDocs, id], { headers: kKey });
      }
      for (const id of ['patched', 'deleted']) {
        await server.raw.request('POST', kDocs, { headers: kKey, body: { id, pk: 'p', n: 1, m: 1 } });
      }
    }
    if (what === 'a batch') {
      await server.raw.request('DELETE', [...kDocs, 'patched'], { headers: kKey });
      await server.raw.request('POST', kDocs, { headers: kKey, body: { id: 'patched', pk: 'p', n: 1, m: 1 } });
    }
    const answer = await server.raw.request(method, valueOf(parts), { headers, body: JSON.stringify(valueOf(good)) });
    assert.ok(answer.status === 200 || answer.status === 201, `${answer.status} ${answer.text}`);
  });
}
