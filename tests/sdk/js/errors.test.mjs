// What no SDK sends: unknown routes, broken JSON, broken headers, broken HTTP. Each gets a clear answer, changes
// nothing, and the server goes on.
import assert from 'node:assert/strict';
import http from 'node:http';
import { afterEach } from 'node:test';
import { assertError, newContainer, test, uniqueName } from './support/check.mjs';
import { pathOf } from './support/raw.mjs';
import { serverForFile } from './support/server.mjs';

let container;
const server = serverForFile({
  async prepare(started) {
    container = await newContainer(started.client());
    await container.items.create({ id: 'there', pk: 'p' });
  },
});
afterEach(() => server.assertHealthy());

const docs = (...id) => ['dbs', 'db', 'colls', container.id, 'docs', ...id];
const kKey = { 'x-ms-documentdb-partitionkey': '["p"]' };
const json = { 'content-type': 'application/json' };

// The text of a request that creates an item, with this framing.
function createText(id, options = {}) {
  const headers = { ...kKey, ...json, ...options.headers };
  return server.raw.text('POST', docs(), { body: JSON.stringify({ id, pk: 'p' }), ...options, headers });
}

function readText(id) {
  return server.raw.text('GET', docs(id), { headers: kKey });
}

const exists = async (id) => (await container.item(id, 'p').read()).statusCode === 200;

const kOddPaths = [
  '/nope', '/dbs/db/nope', '/dbs/db/colls/c/nope/x', '/dbs/db/colls/c/docs/a/b', '///', '/dbs//colls', '/%', '/dbs/%zz',
  '/dbs/%', '/..', '/dbs/../..', '/favicon.ico', '/_lapse/nope', `/${'x'.repeat(5000)}`,
];
for (const path of kOddPaths) {
  test(`the path ${path.slice(0, 40)} is an error`, async () => {
    const answer = await server.raw.request('GET', [], { path });
    assertError(answer, 400, 401, 404, 414);
  });
}

test('an unknown route is 404', async () => {
  for (const parts of [['nope'], ['dbs', 'db', 'nope'], ['dbs', 'db', 'colls', 'c', 'nope', 'x']]) {
    assertError(await server.raw.request('GET', parts), 404);
  }
});

// By route, with {c} for the container.
const kWrongVerbs = {
  '/': ['POST', 'PUT', 'PATCH', 'DELETE'],
  '/dbs': ['PUT', 'PATCH', 'DELETE'],
  '/dbs/db': ['POST', 'PATCH'],
  '/dbs/db/colls': ['PUT', 'PATCH', 'DELETE'],
  '/dbs/db/colls/{c}': ['POST', 'PATCH'],
  '/dbs/db/colls/{c}/pkranges': ['POST', 'PUT', 'DELETE'],
  '/dbs/db/colls/{c}/docs': ['PUT', 'PATCH', 'DELETE'],
  '/dbs/db/colls/{c}/docs/there': ['POST'],
};
for (const [route, verbs] of Object.entries(kWrongVerbs)) {
  test(`${verbs.join(', ')} on ${route} are 405`, async () => {
    const path = route.replace('{c}', container.id);
    const parts = path === '/' ? [] : path.slice(1).split('/');
    for (const verb of verbs) {
      const body = verb === 'DELETE' ? undefined : {};
      assertError(await server.raw.request(verb, parts, { path, headers: { ...kKey, ...json }, body }), 405);
    }
  });
}

for (const verb of ['BREW', 'OPTIONS', 'TRACE', 'get']) {
  test(`the verb ${verb} is refused`, async () => {
    const connection = await server.raw.connect();
    await connection.write(server.raw.text(verb, ['dbs']).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    const [status] = await connection.answers(1);
    connection.destroy();
    assert.ok([400, 401, 405, 501].includes(status), `${status}`);
  });
}

for (const parts of [['sprocs'], ['triggers'], ['udfs'], ['conflicts'], ['sprocs', 'x'], ['conflicts', 'x']]) {
  test(`the route .../${parts.join('/')} gets a readable answer`, async () => {
    const answer = await server.raw.request('GET', ['dbs', 'db', 'colls', container.id, ...parts]);
    if (answer.status !== 200) assertError(answer, 400, 404, 405, 501);
  });
}
for (const parts of [['users'], ['users', 'x'], ['clientencryptionkeys']]) {
  test(`the route /dbs/db/${parts.join('/')} gets a readable answer`, async () => {
    const answer = await server.raw.request('GET', ['dbs', 'db', ...parts]);
    if (answer.status !== 200) assertError(answer, 400, 404, 405, 501);
  });
}

// The same request with this line more.
function repeated(text, line) {
  return text.replace('\r\n\r\n', `\r\n${line}\r\nconnection: close\r\n\r\n`);
}

const kSingleHeaders = {
  authorization: 'x',
  Authorization: 'x',
  'x-ms-date': new Date().toUTCString(),
  'X-MS-DATE': '',
  'x-ms-documentdb-partitionkey': '["other"]',
  'X-Ms-DocumentDb-PartitionKey': '["p"]',
  'x-ms-version': '2018-12-31',
  host: 'other',
};
for (const [name, value] of Object.entries(kSingleHeaders)) {
  test(`a second ${name} is refused, and named`, async () => {
    const connection = await server.raw.connect();
    await connection.write(repeated(readText('there'), `${name}: ${value}`));
    assert.deepEqual(await connection.end(), [400]);
    assert.match(connection.received, new RegExp(`${name}.*more than once|more than one ${name}`, 'i'));
  });
}

for (const name of ['if-match', 'if-none-match', 'x-ms-documentdb-is-upsert', 'content-length']) {
  test(`${name} given twice is refused, and named`, async () => {
    const connection = await server.raw.connect();
    const headers = { [name]: name === 'content-length' ? '23' : 'false' };
    await connection.write(repeated(createText('twice', { headers }), `${name}: ${headers[name]}`));
    assert.deepEqual(await connection.end(), [400]);
    assert.match(connection.received, new RegExp(`${name}.*more than once|more than one ${name}`, 'i'));
    assert.equal(await exists('twice'), false);
  });
}

// An item with these bytes inside a text.
function itemWithBytes(...bytes) {
  return Buffer.concat([Buffer.from('{"id":"bad","pk":"p","t":"'), Buffer.from(bytes), Buffer.from('"}')]);
}

const kBadJson = {
  'nothing': '',
  'blanks': '   ',
  'an open object': '{',
  'a list': '[]',
  'a list of items': '[{"id":"bad","pk":"p"}]',
  'null': 'null',
  'a number': '5',
  'a text': '"bad"',
  'true': 'true',
  'a trailing comma': '{"id":"bad","pk":"p",}',
  'single quotes': "{'id':'bad','pk':'p'}",
  'a name without quotes': '{id:"bad",pk:"p"}',
  'something after the end': '{"id":"bad","pk":"p"} x',
  'two objects': '{"id":"bad","pk":"p"}{"id":"bad","pk":"p"}',
  'a name twice': '{"id":"bad","pk":"p","a":1,"a":2}',
  'the id twice': '{"id":"bad","id":"bad2","pk":"p"}',
  'a name twice, deeper': '{"id":"bad","pk":"p","o":{"a":1,"a":2}}',
  'a missing colon': '{"id" "bad","pk":"p"}',
  'a missing comma': '{"id":"bad" "pk":"p"}',
  'an open text': '{"id":"bad","pk":"p","t":"open}',
  'an open list': '{"id":"bad","pk":"p","l":[1,2}',
  'NaN': '{"id":"bad","pk":"p","n":NaN}',
  'Infinity': '{"id":"bad","pk":"p","n":Infinity}',
  'a number too large': '{"id":"bad","pk":"p","n":1e999}',
  'a leading zero': '{"id":"bad","pk":"p","n":01}',
  'a leading plus': '{"id":"bad","pk":"p","n":+1}',
  'a leading point': '{"id":"bad","pk":"p","n":.5}',
  'a trailing point': '{"id":"bad","pk":"p","n":1.}',
  'an empty exponent': '{"id":"bad","pk":"p","n":1e}',
  'a hexadecimal number': '{"id":"bad","pk":"p","n":0x10}',
  'an unknown escape': '{"id":"bad","pk":"p","t":"\\x41"}',
  'half an escape': '{"id":"bad","pk":"p","t":"\\u12"}',
  'half a surrogate pair': '{"id":"bad","pk":"p","t":"\\ud83d"}',
  'a surrogate pair the wrong way round': '{"id":"bad","pk":"p","t":"\\ude00\\ud83d"}',
  'a bare control character': '{"id":"bad","pk":"p","t":"a\u0001b"}',
  'a bare line break in a text': '{"id":"bad","pk":"p","t":"a\nb"}',
  'a comment': '{"id":"bad","pk":"p"/* why */}',
  'a NUL after the end': '{"id":"bad","pk":"p"}\u0000',
  'bytes that are not UTF-8': itemWithBytes(0xff, 0xfe),
  'an overlong encoding': itemWithBytes(0xc0, 0xaf),
  'a surrogate in UTF-8': itemWithBytes(0xed, 0xa0, 0x80),
  'UTF-16': Buffer.from('{"id":"bad","pk":"p"}', 'utf16le'),
  'a hundred thousand open lists': `{"id":"bad","pk":"p","l":${'['.repeat(100_000)}`,
  'a hundred thousand open objects': '{"a":'.repeat(100_000),
};
for (const [what, body] of Object.entries(kBadJson)) {
  test(`a body that is or has ${what} is refused`, async () => {
    const upsert = { 'x-ms-documentdb-is-upsert': 'true' };
    assertError(await server.raw.request('POST', docs(), { headers: { ...kKey, ...json }, body }), 400);
    assertError(await server.raw.request('POST', docs(), { headers: { ...kKey, ...json, ...upsert }, body }), 400);
    assertError(await server.raw.request('PUT', docs('there'), { headers: { ...kKey, ...json }, body }), 400);
    assertError(await server.raw.request('POST', ['dbs'], { headers: json, body }), 400, 409);
    assertError(await server.raw.request('POST', ['dbs', 'db', 'colls'], { headers: json, body }), 400);
    assert.equal(await exists('bad'), false);
  });
}

const kBadKeyHeaders = [
  'x', '"p"', '{}', '["p"', '[["p"]]', '[{"a":1}]', '[1e999]', '["p","q"]', '[', '[]', '["p"]x', '[NaN]', '["\\ud800"]',
  `["${'x'.repeat(3000)}"]`, '['.repeat(5000),
];
for (const value of kBadKeyHeaders) {
  test(`the partition key header ${value.slice(0, 20)} is refused`, async () => {
    const headers = { 'x-ms-documentdb-partitionkey': value };
    assertError(await server.raw.request('GET', docs('there'), { headers }), 400);
    assertError(await server.raw.request('DELETE', docs('there'), { headers }), 400);
    const body = { id: 'bad', pk: 'p' };
    assertError(await server.raw.request('POST', docs(), { headers: { ...headers, ...json }, body }), 400);
    assert.equal(await exists('there'), true);
  });
}

for (const value of ['x', '-5', '1.5', '99999999999999999999', '1x', '0x10']) {
  test(`the page size ${value} is refused`, async () => {
    assertError(await server.raw.request('GET', docs(), { headers: { 'x-ms-max-item-count': value } }), 400);
  });
}

for (const value of ['x', '0:', ':', '0:abc', '0:1#', 'a:1#2', '0:1#99999999999999999999999999', ',', '0:1#2,']) {
  test(`the session token ${value} is refused`, async () => {
    const headers = { ...kKey, 'x-ms-session-token': value };
    assertError(await server.raw.request('GET', docs('there'), { headers }), 400);
  });
}

test('an etag that is none matches nothing', async () => {
  for (const value of ['x', '""', 'W/"x"', '"', '"0"']) {
    const headers = { ...kKey, ...json, 'if-match': value };
    assertError(await server.raw.request('PUT', docs('there'), { headers, body: { id: 'there', pk: 'p' } }), 400, 412);
    assertError(await server.raw.request('DELETE', docs('there'), { headers }), 400, 412);
  }
  assert.equal(await exists('there'), true);
});

test('a chunked body', async () => {
  const id = uniqueName('chunked');
  const body = JSON.stringify({ id, pk: 'p', text: 'x'.repeat(100) });
  const pieces = [body.slice(0, 1), body.slice(1, 20), body.slice(20)];
  const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  const connection = await server.raw.connect();
  await connection.write(createText(id, { body: '', headers: { 'transfer-encoding': 'chunked' } }));
  for (const chunk of [...chunks, '0\r\n\r\n']) await connection.write(chunk);
  assert.deepEqual(await connection.answers(1), [201]);
  connection.destroy();
  assert.equal(await exists(id), true);
});

for (const [what, chunks] of Object.entries({
  'a size that is none': 'zz\r\n{}\r\n0\r\n\r\n',
  'a negative size': '-1\r\n{}\r\n0\r\n\r\n',
  'a huge size': 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n',
  'a size that is not that of the chunk': '1\r\n{"id":"bad"}\r\n0\r\n\r\n',
})) {
  test(`a chunked body with ${what} is refused`, async () => {
    const connection = await server.raw.connect();
    await connection.write(createText('bad', { body: '', headers: { 'transfer-encoding': 'chunked' } }) + chunks);
    const [status] = await connection.answers(1);
    connection.destroy();
    assert.ok(status === undefined || (status >= 400 && status < 500), `${status}`);
    assert.equal(await exists('bad'), false);
  });
}

test('a body that ends too early is no request', async () => {
  for (const sent of [0, 5]) {
    const connection = await server.raw.connect();
    const start = createText('bad', { headers: { 'content-length': '40' }, body: '' });
    await connection.write(start + '{"id":"bad"'.slice(0, sent));
    connection.socket.end();
    const statuses = await connection.end();
    assert.ok(statuses.every((status) => status === 400 || status === 408), `${statuses}`);
    assert.equal(await exists('bad'), false);
  }
});

for (const length of ['x', '-1', '1.5', '99999999999999999999', '+5', '0x10']) {
  test(`the content length ${length} is refused`, async () => {
    const connection = await server.raw.connect();
    await connection.write(createText('bad', { headers: { 'content-length': length } }));
    const [status] = await connection.answers(1);
    connection.destroy();
    assert.ok(status === 400 || status === 413, `${status}`);
    assert.equal(await exists('bad'), false);
  });
}

for (const [what, lines] of Object.entries({
  'two content lengths': 'content-length: 5\r\ncontent-length: 6\r\n',
  'a content length and chunks': 'content-length: 5\r\ntransfer-encoding: chunked\r\n',
  'an unknown transfer encoding': 'transfer-encoding: rot13\r\n',
})) {
  test(`${what} are refused`, async () => {
    const connection = await server.raw.connect();
    await connection.write(`POST /dbs HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n0\r\n\r\n`);
    const [status] = await connection.answers(1);
    connection.destroy();
    assert.ok(status === 400 || status === 501, `${status}`);
  });
}

test('a content length shorter than the body ends the item there', async () => {
  const body = JSON.stringify({ id: 'bad', pk: 'p' });
  const connection = await server.raw.connect();
  await connection.write(createText('bad', { body, headers: { 'content-length': String(body.length - 1) } }));
  const [status] = await connection.answers(1);
  connection.destroy();
  assert.equal(status, 400);
  assert.equal(await exists('bad'), false);
});

test('a body far too large is refused before it is sent', async () => {
  const connection = await server.raw.connect();
  await connection.write(createText('bad', { body: '', headers: { 'content-length': String(1024 ** 3) } }));
  assert.deepEqual(await connection.answers(1), [413]);
  connection.destroy();
});

for (const [what, text] of Object.entries({
  'no HTTP at all': 'hello\r\n\r\n',
  'a missing version': 'GET /\r\n\r\n',
  'an unknown version': 'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n',
  'a header name with a blank': 'GET / HTTP/1.1\r\nhost: x\r\nbad name: x\r\n\r\n',
  'a header folded over two lines': 'GET / HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n',
  'a NUL in a header': 'GET / HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n',
  'a very long line': `GET /${'x'.repeat(200_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'a very long header': `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(200_000)}\r\n\r\n`,
  'a thousand headers': `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(1000)}\r\n`,
})) {
  test(`${what} is refused`, async () => {
    const connection = await server.raw.connect();
    await connection.write(text);
    const [status] = await connection.answers(1);
    connection.destroy();
    assert.ok(status === undefined || (status >= 400 && status <= 505 && status !== 500), `${status}`);
  });
}

test('pipelined requests are answered in order', async () => {
  const ids = Array.from({ length: 5 }, () => uniqueName('pipe'));
  const texts = ids.flatMap((id) => [createText(id), readText(id), readText('missing')]);
  const connection = await server.raw.connect();
  await connection.write(texts.join(''));
  assert.deepEqual(await connection.answers(15), ids.flatMap(() => [201, 200, 404]));
  const positions = ids.map((id) => connection.received.indexOf(`"${id}"`));
  assert.deepEqual(positions, [...positions].sort((a, b) => a - b));
  connection.destroy();
});

test('an error does not end a kept connection', async () => {
  const connection = await server.raw.connect();
  const texts = [createText('kept', { body: '{' }), createText('kept'), createText('kept'), readText('kept')];
  for (const [sent, text] of texts.entries()) {
    await connection.write(text);
    await connection.answers(sent + 1);
  }
  assert.deepEqual(connection.statuses(), [400, 201, 409, 200]);
  connection.destroy();
});

test('a slow client is served', async () => {
  const id = uniqueName('slow');
  const text = createText(id);
  const connection = await server.raw.connect();
  for (let at = 0; at < text.length; at += 16) {
    await connection.write(text.slice(at, at + 16));
    await server.assertHealthy(); // the server has had time for what came, and takes others in between
  }
  assert.deepEqual(await connection.answers(1), [201]);
  connection.destroy();
  assert.equal(await exists(id), true);
});

test('clients that go away in the middle harm nobody', async () => {
  const text = createText('bad');
  for (let at = 0; at < text.length; at += 37) {
    const connection = await server.raw.connect();
    await connection.write(text.slice(0, at));
    connection.destroy();
  }
  assert.equal(await exists('bad'), false);
});

test('clients that do not wait for the answer harm nobody', async () => {
  for (let round = 0; round < 20; ++round) {
    const connection = await server.raw.connect();
    await connection.write(server.raw.text('GET', docs()).repeat(20));
    connection.destroy();
  }
});

test('a client that asks before it sends', async () => {
  const id = uniqueName('expect');
  const body = JSON.stringify({ id, pk: 'p' });
  const status = await new Promise((resolve, reject) => {
    const asking = { ...kKey, ...json, expect: '100-continue', 'content-length': body.length };
    const headers = server.raw.headersFor('POST', docs(), { headers: asking });
    const target = { host: '127.0.0.1', port: server.port, path: pathOf(docs()), agent: false, timeout: 5000 };
    const request = http.request({ ...target, method: 'POST', headers });
    request.on('continue', () => request.end(body));
    request.on('response', (response) => resolve(response.resume().statusCode));
    request.on('timeout', () => request.destroy(new Error('the server never said that it would take the body')));
    request.on('error', reject);
    request.flushHeaders();
  });
  assert.equal(status, 201);
});

test('HEAD has no body', async () => {
  const connection = await server.raw.connect();
  await connection.write(server.raw.text('HEAD', docs('there'), { headers: { ...kKey, connection: 'close' } }));
  await connection.end();
  assert.equal(connection.received.split('\r\n\r\n')[1], '');
});
