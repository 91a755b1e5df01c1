// Items: every operation on one item, conditions, limits, and that what comes back is what was put in.
import assert from 'node:assert/strict';
import {
  assertError,
  failure,
  newContainer,
  statusOf,
  test,
  uniqueName,
  withoutSystemProperties,
} from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

let container;
const server = serverForFile({
  async prepare(started) {
    container = await newContainer(started.client());
  },
});

const ifMatch = (condition) => ({ accessCondition: { type: 'IfMatch', condition } });
const ifNoneMatch = (condition) => ({ accessCondition: { type: 'IfNoneMatch', condition } });
const feedParts = () => ['dbs', 'db', 'colls', container.id, 'docs'];
const itemParts = (id) => [...feedParts(), id];
const inPartition = (pk, headers = {}) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify([pk]), ...headers });

// Creates an item whose JSON is exactly this text.
async function createText(text, headers = {}) {
  return server.raw.request('POST', feedParts(), { headers: inPartition('p', headers), body: text });
}

test('create, read, replace and delete', async () => {
  const id = uniqueName('i');
  const body = { id, pk: 'p', text: 'first', list: [1, 'two', null, true], nested: { a: { b: 1.5 } } };
  const created = await container.items.create({ ...body });
  assert.equal(created.statusCode, 201);
  assert.deepEqual(withoutSystemProperties(created.resource), body);
  for (const name of ['_rid', '_self', '_etag', '_ts', '_attachments']) assert.ok(created.resource[name], name);
  assert.equal(created.headers.etag, created.resource._etag);
  assert.equal(Buffer.from(created.resource._rid.replaceAll('-', '/'), 'base64').length, 16);

  const read = await container.item(id, 'p').read();
  assert.equal(read.statusCode, 200);
  assert.equal(read.headers.etag, created.resource._etag);
  assert.deepEqual(read.resource, created.resource);

  const replaced = await container.item(id, 'p').replace({ id, pk: 'p', text: 'second' });
  assert.equal(replaced.statusCode, 200);
  assert.deepEqual(withoutSystemProperties(replaced.resource), { id, pk: 'p', text: 'second' });
  assert.notEqual(replaced.resource._etag, created.resource._etag);
  assert.equal(replaced.resource._rid, created.resource._rid);
  assert.equal(replaced.resource._self, created.resource._self);

  assert.equal((await container.item(id, 'p').delete()).statusCode, 204);
  assert.equal((await container.item(id, 'p').read()).statusCode, 404);
});

test('upsert creates, then replaces', async () => {
  const id = uniqueName('i');
  const first = await container.items.upsert({ id, pk: 'p', n: 1 });
  assert.equal(first.statusCode, 201);
  const second = await container.items.upsert({ id, pk: 'p', m: 2 });
  assert.equal(second.statusCode, 200);
  assert.deepEqual(withoutSystemProperties(second.resource), { id, pk: 'p', m: 2 });
  assert.equal(second.resource._rid, first.resource._rid);
});

test('what is missing is 404', async () => {
  const read = await container.item('missing', 'p').read();
  assert.equal(read.statusCode, 404);
  assert.equal(read.resource, undefined);
  const replace = await failure(container.item('missing', 'p').replace({ id: 'missing', pk: 'p' }), 404);
  assert.equal(replace.body.code, 'NotFound');
  await failure(container.item('missing', 'p').delete(), 404);
  const nowhere = server.client().database('db').container('missing');
  assert.equal((await nowhere.item('x', 'p').read()).statusCode, 404);
  await failure(server.client().database('missing').container('c').items.create({ id: 'x', pk: 'p' }), 404);
});

test('a second create is 409 and changes nothing', async () => {
  const id = uniqueName('i');
  const { resource } = await container.items.create({ id, pk: 'p', n: 1 });
  const error = await failure(container.items.create({ id, pk: 'p', n: 2 }), 409);
  assert.equal(error.body.code, 'Conflict');
  assert.deepEqual((await container.item(id, 'p').read()).resource, resource);
});

test('an id can be used again after delete', async () => {
  const id = uniqueName('i');
  const first = (await container.items.create({ id, pk: 'p' })).resource;
  await container.item(id, 'p').delete();
  const second = (await container.items.create({ id, pk: 'p' })).resource;
  assert.notEqual(second._rid, first._rid);
  assert.notEqual(second._etag, first._etag);
});

test('if-match on replace, upsert and delete', async () => {
  const id = uniqueName('i');
  const reference = container.item(id, 'p');
  const { resource: first } = await container.items.create({ id, pk: 'p', n: 1 });
  const { resource: second } = await reference.replace({ id, pk: 'p', n: 2 }, ifMatch(first._etag));

  const error = await failure(reference.replace({ id, pk: 'p', n: 3 }, ifMatch(first._etag)), 412);
  assert.equal(error.body.code, 'PreconditionFailed');
  await failure(container.items.upsert({ id, pk: 'p', n: 3 }, ifMatch(first._etag)), 412);
  await failure(reference.delete(ifMatch(first._etag)), 412);
  assert.deepEqual((await reference.read()).resource, second);

  const third = await container.items.upsert({ id, pk: 'p', n: 3 }, ifMatch(second._etag));
  assert.equal(third.statusCode, 200);
  assert.equal(await statusOf(reference.replace({ id, pk: 'p', n: 4 }, ifMatch('*'))), 200);
  const { resource: last } = await reference.read();
  assert.equal(await statusOf(reference.delete(ifMatch(last._etag))), 204);
  await failure(reference.replace({ id, pk: 'p' }, ifMatch(last._etag)), 404);
  await failure(reference.delete(ifMatch(last._etag)), 404);
});

test('only one of many writers with the same etag wins', async () => {
  const id = uniqueName('i');
  const { resource } = await container.items.create({ id, pk: 'p', n: 0 });
  const writes = Array.from({ length: 20 }, (_, n) =>
    statusOf(container.item(id, 'p').replace({ id, pk: 'p', n }, ifMatch(resource._etag))));
  const statuses = await Promise.all(writes);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 412).length, 19);
});

test('only one of many creators wins', async () => {
  const id = uniqueName('i');
  const creates = Array.from({ length: 20 }, (_, n) => statusOf(container.items.create({ id, pk: 'p', n })));
  const statuses = await Promise.all(creates);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 409).length, 19);
});

test('if-none-match on read', async () => {
  const id = uniqueName('i');
  const { resource } = await container.items.create({ id, pk: 'p' });
  const same = await container.item(id, 'p').read(ifNoneMatch(resource._etag));
  assert.equal(same.statusCode, 304);
  assert.equal(same.resource, null);
  const changed = await container.item(id, 'p').read(ifNoneMatch('"other"'));
  assert.equal(changed.statusCode, 200);
  assert.equal((await container.item('missing', 'p').read(ifNoneMatch(resource._etag))).statusCode, 404);
});

test('if-none-match on writes', async () => {
  const id = uniqueName('i');
  const reference = container.item(id, 'p');
  const created = await container.items.upsert({ id, pk: 'p', n: 1 }, ifNoneMatch('*'));
  assert.equal(created.statusCode, 201);
  const error = await failure(container.items.upsert({ id, pk: 'p', n: 2 }, ifNoneMatch('*')), 412);
  assert.equal(error.body.code, 'PreconditionFailed');
  await failure(reference.replace({ id, pk: 'p', n: 2 }, ifNoneMatch('*')), 412);
  await failure(reference.delete(ifNoneMatch('*')), 412);
  await failure(container.items.upsert({ id, pk: 'p', n: 2 }, ifNoneMatch(created.etag)), 412);
  assert.deepEqual((await reference.read()).resource, created.resource);
  assert.equal((await container.items.upsert({ id, pk: 'p', n: 3 }, ifNoneMatch('"other"'))).statusCode, 200);
});

test('only one of many create-only upserts wins', async () => {
  const id = uniqueName('i');
  const upserts = Array.from({ length: 20 }, (_, n) =>
    statusOf(container.items.upsert({ id, pk: 'p', n }, ifNoneMatch('*'))));
  const statuses = await Promise.all(upserts);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 412).length, 19);
});

test('texts of every script come back as they were', async () => {
  const id = uniqueName('i');
  const body = {
    id,
    pk: 'p',
    text: 'Größe 日本語 한국어 العربية 😀👩‍👩‍👧 e\u0301 \u2028\u2029 \u0000\u0001\u001f \u007f \ufeff "\\/\b\f\n\r\t',
    'näme 😀': { '': 'an empty name', ' ': 'a blank', 'a.b': 1, $dollar: 2, __proto: 3 },
  };
  await container.items.create({ ...body });
  assert.deepEqual(withoutSystemProperties((await container.item(id, 'p').read()).resource), body);
});

const nest = (depth) => '['.repeat(depth) + ']'.repeat(depth);

test('nesting of 128 is fine and of 129 is refused', async () => {
  // The item itself is the first level.
  const deep = await createText(`{"id":"deep","pk":"p","v":${nest(127)}}`);
  assert.equal(deep.status, 201, deep.text);
  const read = await server.raw.request('GET', itemParts('deep'), { headers: inPartition('p') });
  assert.ok(read.text.includes(nest(127)));
  assertError(await createText(`{"id":"deeper","pk":"p","v":${nest(128)}}`), 400);
  assertError(await createText(`{"id":"deepest","pk":"p","v":${nest(100_000)}}`), 400);
  assert.equal((await container.item('deeper', 'p').read()).statusCode, 404);
});

test('an item of almost 2 MB is fine and a larger one is 413', async () => {
  const limit = 2 * 1024 * 1024;
  const almost = { id: uniqueName('i'), pk: 'p', text: 'x'.repeat(limit - 2000) };
  assert.equal(await statusOf(container.items.create({ ...almost })), 201);
  assert.equal((await container.item(almost.id, 'p').read()).resource.text.length, limit - 2000);
  const id = uniqueName('i');
  const error = await failure(container.items.create({ id, pk: 'p', text: 'x'.repeat(limit) }), 413);
  assert.equal(error.body.code, 'RequestEntityTooLarge');
  assert.match(error.body.message, /^Message: {"Errors":\["Request size is too large"\]}\r\nActivityId: [\w-]+$/);
  await failure(container.items.upsert({ id, pk: 'p', text: 'x'.repeat(limit) }), 413);
  await failure(container.item(almost.id, 'p').replace({ ...almost, more: 'x'.repeat(2000) }), 413);
  assert.equal((await container.item(id, 'p').read()).statusCode, 404);
});

test('an item of 2,097,151 bytes is the largest', async () => {
  const sized = (bytes) => {
    const text = JSON.stringify({ id: uniqueName('i'), pk: 'p', text: '' });
    return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
  };
  assert.equal((await createText(sized(2_097_151))).status, 201);
  assertError(await createText(sized(2_097_152)), 413);
});

test('a body far beyond every limit is refused before it is read', async () => {
  const text = JSON.stringify({ id: uniqueName('i'), pk: 'p', text: 'x'.repeat(16 * 1024 * 1024) });
  try {
    assertError(await createText(text), 413);
  } catch (error) {
    // The server may close the connection while the client is still sending.
    if (!['ECONNRESET', 'EPIPE'].includes(error.code)) throw error;
  }
  await server.assertHealthy();
});

const kNumbers = [
  '0', '-1', '2147483647', '2147483648', '-2147483649', '9007199254740993', '9223372036854775807',
  '-9223372036854775808', '0.1', '-0.5', '1.0', '100.0', '3.141592653589793', '123456789.123456789',
];
for (const text of kNumbers) {
  test(`the number ${text} keeps its value and its kind`, async () => {
    const id = uniqueName('n');
    const created = await createText(`{"id":"${id}","pk":"p","n":${text},"list":[${text}]}`);
    assert.equal(created.status, 201, created.text);
    const read = await server.raw.request('GET', itemParts(id), { headers: inPartition('p') });
    const kept = /"n": ?([^,]+),/.exec(read.text)[1];
    assert.equal(Number(kept), Number(text));
    if (Number.isInteger(Number(text)) && !text.includes('.')) assert.equal(kept, text);
    if (text.endsWith('.0')) assert.ok(kept.includes('.'), `${text} became ${kept}`);
  });
}

const kDoubles = [1e300, -1e300, 1e21, 2 ** 64, -(2 ** 64), Number.MAX_VALUE, Number.MIN_VALUE, Number.EPSILON];
for (const number of kDoubles) {
  test(`the number ${number} comes back exactly`, async () => {
    const id = uniqueName('n');
    await container.items.create({ id, pk: 'p', number });
    assert.equal((await container.item(id, 'p').read()).resource.number, number);
  });
}

const kOddIds = [
  'with space', ' leading', 'größe', '日本', '😀', 'a+b', '+', '100%', '%', '%41', '%2F', "it's", 'a"b', 'a&b=c', 'a:b',
  'a;b,c', '(x)', '[x]', '{x}', '<b>', '@', '!', '$', '~', '`', '^', '|', '*', 'a\tb', '_rid', 'null', 'x'.repeat(1023),
  '日'.repeat(341), 'a?b', 'trailing ',
];
for (const id of kOddIds) {
  test(`the id ${JSON.stringify(id.length > 30 ? `of ${id.length} letters` : id)} works`, async () => {
    const { resource } = await container.items.create({ id, pk: 'odd' });
    assert.equal(resource.id, id);
    assert.deepEqual((await container.item(id, 'odd').read()).resource, resource);
    const raw = await server.raw.request('GET', itemParts(id), { headers: inPartition('odd') });
    assert.equal(raw.json?.id, id, raw.text);
    assert.equal(await statusOf(container.item(id, 'odd').replace({ id, pk: 'odd', again: true })), 200);
    assert.equal(await statusOf(container.items.upsert({ id, pk: 'odd' })), 200);
    assert.equal(await statusOf(container.item(id, 'odd').delete()), 204);
  });
}

const kBadIds = {
  'a slash': 'a/b',
  'a backslash': 'a\\b',
  'a hash': 'a#b',
  'nothing': '',
  'too many letters': 'x'.repeat(1024),
  'too many bytes': '日'.repeat(342),
  'a number': 5,
  'null': null,
  'true': true,
  'an object': {},
  'a list': ['a'],
};
for (const [what, id] of Object.entries(kBadIds)) {
  test(`an id that is or has ${what} is refused`, async () => {
    const text = JSON.stringify({ id, pk: 'p' });
    assertError(await createText(text), 400);
    assertError(await createText(text, { 'x-ms-documentdb-is-upsert': 'true' }), 400);
  });
}

for (const [id, character] of [['a/b', "'/'"], ['a\\b', "'\\'"], ['a#b', "'#'"], ['a\0b', 'U+0000']]) {
  test(`the character ${character} of an id is named`, async () => {
    const answer = assertError(await createText(JSON.stringify({ id, pk: 'p' })), 400);
    assert.ok(answer.json.message.includes(`contains invalid character ${character}.`), answer.json.message);
  });
}

test('an item without an id is refused', async () => {
  await failure(container.items.create({ pk: 'p' }, { disableAutomaticIdGeneration: true }), 400);
  assertError(await createText('{"pk":"p"}'), 400);
});

test('a replace cannot change the id', async () => {
  const id = uniqueName('i');
  const { resource } = await container.items.create({ id, pk: 'p' });
  await failure(container.item(id, 'p').replace({ id: 'other', pk: 'p' }), 400);
  assert.deepEqual((await container.item(id, 'p').read()).resource, resource);
  assert.equal((await container.item('other', 'p').read()).statusCode, 404);
});

test('system properties are the server\'s', async () => {
  const id = uniqueName('i');
  const lies = { _rid: 'mine', _self: 'mine', _etag: 'mine', _ts: 1, _attachments: 'mine' };
  const created = await createText(JSON.stringify({ id, pk: 'p', ...lies, _own: 'kept' }));
  assert.equal(created.status, 201, created.text);
  for (const [name, lie] of Object.entries(lies)) {
    assert.notEqual(created.json[name], lie, name);
    assert.equal(created.text.split(`"${name}"`).length, 2, `${name} is there once`);
  }
  const read = await server.raw.request('GET', itemParts(id), { headers: inPartition('p') });
  for (const name of Object.keys(lies)) assert.equal(read.text.split(`"${name}"`).length, 2, `${name} is there once`);
  assert.equal(read.json._own, 'kept');
  assert.deepEqual(read.json, created.json);
});

test('Prefer: return=minimal leaves the body out', async () => {
  const id = uniqueName('i');
  const minimal = { prefer: 'return=minimal' };
  const created = await createText(JSON.stringify({ id, pk: 'p' }), minimal);
  assert.equal(created.status, 201);
  assert.equal(created.text, '');
  assert.ok(created.headers.etag);
  const options = { initialHeaders: { Prefer: 'return=minimal' } };
  const replaced = await container.item(id, 'p').replace({ id, pk: 'p', n: 1 }, options);
  assert.equal(replaced.statusCode, 200);
  assert.equal(replaced.resource, null);
  const read = await server.raw.request('GET', itemParts(id), { headers: inPartition('p', minimal) });
  assert.equal(read.json.n, 1, 'a read always has its body');
});

test('every answer has a charge and an activity id', async () => {
  const id = uniqueName('i');
  const answers = [
    await container.items.create({ id, pk: 'p' }),
    await container.item(id, 'p').read(),
    await container.items.upsert({ id, pk: 'p' }),
    await container.item(id, 'p').replace({ id, pk: 'p' }),
    await container.item(id, 'p').delete(),
    await container.item(id, 'p').read(),
  ];
  for (const answer of answers) {
    assert.ok(answer.requestCharge > 0, `charge ${answer.requestCharge}`);
    assert.match(answer.activityId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  }
  assert.equal(new Set(answers.map(({ activityId }) => activityId)).size, answers.length);
});

test('charges follow the size and are the same each time', async () => {
  const small = await container.items.create({ id: uniqueName('i'), pk: 'p', text: 'x'.repeat(500) });
  const large = await container.items.create({ id: uniqueName('i'), pk: 'p', text: 'x'.repeat(100 * 1024) });
  const charge = async (item) => (await container.item(item.resource.id, 'p').read()).requestCharge;
  assert.equal(await charge(small), 1);
  assert.ok((await charge(large)) >= 8 && (await charge(large)) <= 12, `${await charge(large)}`);
  assert.equal(await charge(large), await charge(large));
  assert.ok(large.requestCharge > small.requestCharge);
});

test('session tokens', async () => {
  const id = uniqueName('i');
  const written = await container.items.create({ id, pk: 'p' });
  const token = written.headers['x-ms-session-token'];
  assert.match(token, /^\d+:-?\d+#\d+/);
  assert.equal(decodeURIComponent(written.headers['x-ms-alt-content-path']), `dbs/db/colls/${container.id}`);
  assert.equal(Buffer.from(written.headers['x-ms-content-path'].replaceAll('-', '/'), 'base64').length, 8);

  const read = await container.item(id, 'p').read({ sessionToken: token });
  assert.equal(read.statusCode, 200);

  const [, range, version, lsn] = /^(\d+):(-?\d+)#(\d+)/.exec(token);
  const future = `${range}:${version}#${Number(lsn) + 1_000_000}`;
  const headers = inPartition('p', { 'x-ms-session-token': future });
  const answer = await server.raw.request('GET', itemParts(id), { headers });
  assertError(answer, 404);
  assert.equal(answer.headers['x-ms-substatus'], '1002');
});

test('a session survives a restart', async () => {
  const id = uniqueName('i');
  const token = (await container.items.create({ id, pk: 'p' })).headers['x-ms-session-token'];
  await server.restart('SIGKILL');
  container = server.client().database('db').container(container.id);
  const headers = inPartition('p', { 'x-ms-session-token': token });
  const answer = await server.raw.request('GET', itemParts(id), { headers });
  assert.equal(answer.status, 200, answer.text);
});

test('the property ttl is free', async () => {
  const container = await newContainer(server.client());
  for (const length of [960, 970, 980, 990, 1000]) {
    const item = { id: `free-${length}`, pk: 'p', text: 'x'.repeat(length) };
    await container.items.upsert({ ...item });
    const without = await container.items.upsert({ ...item });
    const withTtl = await container.items.upsert({ ...item, ttl: 100000 });
    assert.equal(withTtl.requestCharge, without.requestCharge, `${length}`);
  }
});
