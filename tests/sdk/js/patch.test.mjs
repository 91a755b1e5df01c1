// Patches as the SDK sends them: every operation, what is refused, conditions on the version, time to live.
import assert from 'node:assert/strict';
import {
  ChangeFeedMode,
  ChangeFeedPolicy,
  ChangeFeedRetentionTimeSpan,
  ChangeFeedStartFrom,
} from '@azure/cosmos';
import { assertError, failure, newContainer, test, uniqueName, withoutSystemProperties } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

let container;
const server = serverForFile({
  async prepare(started) {
    await started.clock.freeze();
    container = await newContainer(started.client(), { defaultTtl: -1 });
  },
});

const kNoParent =
  'Operation can only create a child object of an existing node(array or object) and cannot create path recursively';
const kMore = 'Learn more: https://aka.ms/cosmosdbpatchdocs';

// An item with these properties beside its id and key.
async function newItem(properties = {}, target = container) {
  const id = uniqueName('i');
  const { resource } = await target.items.create({ id, pk: 'p', ...properties });
  return { item: target.item(id, 'p'), id, created: resource };
}

// What the properties become, without id and key.
async function patched(properties, operations) {
  const { item } = await newItem(properties);
  const answer = await item.patch(operations);
  assert.equal(answer.statusCode, 200);
  const { resource } = await item.read();
  assert.deepEqual(answer.resource, resource);
  const { id: _id, pk: _pk, ...rest } = withoutSystemProperties(resource);
  return rest;
}

// A patch that must be refused and must change nothing; the error's text.
async function refused(properties, body) {
  const { item, created } = await newItem(properties);
  const error = await failure(item.patch(body), 400);
  assert.equal(error.body.code, 'BadRequest');
  assert.deepEqual((await item.read()).resource, created);
  return error.body.message;
}

test('every operation on properties', async () => {
  const before = { n: 1, s: 'x', o: { a: 1 } };
  const operations = [
    { op: 'add', path: '/new', value: { deep: [1] } },
    { op: 'set', path: '/o/b', value: null },
    { op: 'replace', path: '/s', value: 'y' },
    { op: 'remove', path: '/o/a' },
    { op: 'incr', path: '/n', value: 41 },
    { op: 'move', from: '/new/deep', path: '/moved' },
  ];
  const after = { n: 42, s: 'y', o: { b: null }, new: {}, moved: [1] };
  assert.deepEqual(await patched(before, operations), after);
  assert.deepEqual(await patched(before, { operations }), after);
});

test('every operation on arrays', async () => {
  const before = { l: [1, 2, 3] };
  const cases = [
    [{ op: 'add', path: '/l/1', value: 9 }, [1, 9, 2, 3]],
    [{ op: 'add', path: '/l/3', value: 9 }, [1, 2, 3, 9]],
    [{ op: 'add', path: '/l/-', value: 9 }, [1, 2, 3, 9]],
    [{ op: 'set', path: '/l/1', value: 9 }, [1, 9, 3]],
    [{ op: 'set', path: '/l/-', value: 9 }, [1, 2, 3, 9]],
    [{ op: 'replace', path: '/l/0', value: 9 }, [9, 2, 3]],
    [{ op: 'remove', path: '/l/1' }, [1, 3]],
    [{ op: 'incr', path: '/l/2', value: 0.5 }, [1, 2, 3.5]],
    [{ op: 'incr', path: '/l/-', value: 7 }, [1, 2, 3, 7]],
    [{ op: 'move', from: '/l/0', path: '/l/-' }, [2, 3, 1]],
    [{ op: 'move', from: '/l/2', path: '/l/0' }, [3, 1, 2]],
  ];
  for (const [operation, l] of cases) assert.deepEqual(await patched(before, [operation]), { l }, operation.path);
});

test('names with slashes, tildes, digits and other letters', async () => {
  const operations = [
    { op: 'set', path: '/a~1b', value: 1 },
    { op: 'set', path: '/c~0d', value: 2 },
    { op: 'set', path: '/123456789012345678901234567890', value: 3 },
    { op: 'set', path: '/日本', value: '語' },
  ];
  const after = { 'a/b': 1, 'c~d': 2, '123456789012345678901234567890': 3, 日本: '語' };
  assert.deepEqual(await patched({}, operations), after);
});

test('operations see each other, and all or none count', async () => {
  const chain = [
    { op: 'set', path: '/o', value: {} },
    { op: 'set', path: '/o/l', value: [] },
    { op: 'add', path: '/o/l/-', value: 1 },
    { op: 'incr', path: '/o/l/0', value: 1 },
  ];
  assert.deepEqual(await patched({}, chain), { o: { l: [2] } });
  const text = await refused({ n: 1 }, [...chain, { op: 'replace', path: '/none', value: 1 }]);
  assert.ok(text.includes('For Operation(5): Node(/none) to be replaced is absent.'), text);
  assert.ok(text.includes(kMore), text);
});

test('what the item does not allow is 400 with the number of the operation', async () => {
  const before = { n: 1, s: 'x', z: null, l: [1], o: {} };
  const cases = [
    [{ op: 'add', path: '/a/b', value: 1 }, `Add ${kNoParent}, no path found beyond: 'a'`],
    [{ op: 'set', path: '/a/b', value: 1 }, `Given ${kNoParent}, no path found beyond: 'a'`],
    [{ op: 'set', path: '/s/b', value: 1 }, "no path found beyond: 's'"],
    [{ op: 'set', path: '/z/b', value: 1 }, "no path found beyond: 'z'"],
    [{ op: 'remove', path: '/none' }, 'Node(/none) to be removed is absent. Note: it may also have been removed'],
    [{ op: 'add', path: '/l/2', value: 1 }, 'Index(2) to operate on is out of array bounds'],
    [{ op: 'remove', path: '/l/1' }, 'Index(1) to operate on is out of array bounds'],
    [{ op: 'set', path: '/l/x', value: 1 }, 'check syntax of patch specification'],
    [{ op: 'incr', path: '/s', value: 1 }, 'Node(/s) is not a number'],
    [{ op: 'incr', path: '/z', value: 1 }, 'Node(/z) is not a number'],
    [{ op: 'move', from: '/none', path: '/m' }, 'Node(/none) to be moved is absent'],
  ];
  for (const [operation, expected] of cases) {
    const text = await refused(before, [operation]);
    assert.ok(text.startsWith('For Operation(1): '), text);
    assert.ok(text.includes(expected), text);
  }
});

test('system properties, id and partition key are refused', async () => {
  for (const path of ['/_rid', '/_self', '/_etag', '/_ts', '/_attachments', '/id', '/pk', '/pk/below']) {
    for (const operation of [
      { op: 'set', path, value: 1 },
      { op: 'remove', path },
      { op: 'move', from: path, path: '/m' },
      { op: 'move', from: '/n', path },
    ]) {
      const text = await refused({ n: 1 }, [operation]);
      assert.ok(text.includes(`Invalid patch request: Cannot patch system property ${path}.`), text);
    }
  }
});

test('malformed bodies are refused', async () => {
  const good = { op: 'set', path: '/n', value: 2 };
  for (const body of [
    {}, [], { operations: [] }, { operations: {} }, { operations: null }, [5], [null], [[]],
    [{ op: 'copy', from: '/n', path: '/m' }], [{ op: 'test', path: '/n', value: 1 }], [{ ...good, op: 7 }],
    [{ ...good, path: 7 }], [{ ...good, path: '' }], [{ ...good, path: '/' }], [{ ...good, path: 'n' }],
    [{ ...good, path: '/a~b' }], [{ op: 'set', path: '/n' }], [{ op: 'incr', path: '/n', value: '1' }],
    [{ op: 'move', path: '/m' }], [{ op: 'move', from: '/n', path: '/n' }], [good, { op: 'set', path: '/m' }],
  ]) {
    const text = await refused({ n: 1 }, body);
    assert.ok(text.includes('Invalid patch request: check syntax of patch specification.'), text);
  }
});

test('at most ten operations', async () => {
  const increments = (count) => Array.from({ length: count }, () => ({ op: 'incr', path: '/n', value: 1 }));
  assert.deepEqual(await patched({}, increments(10)), { n: 10 });
  const text = await refused({}, increments(11));
  assert.ok(text.includes('The number of patch operations cannot exceed 10'), text);
});

test('a patch goes ahead only if its condition holds', async () => {
  const { item } = await newItem({ n: 1 });
  const operations = [{ op: 'incr', path: '/n', value: 1 }];
  assert.equal((await item.patch({ condition: 'from c where c.n = 1', operations })).resource.n, 2);
  await failure(item.patch({ condition: 'from c where c.n = 1', operations }), 412);
  assert.equal((await item.read()).resource.n, 2);
  const text = await refused({ n: 1 }, { condition: 'from c where c.n =', operations });
  assert.ok(text.includes('SC1002'), text);
});

test('a missing item is 404, then the version is looked at, then the operations', async () => {
  const { item, created } = await newItem({ n: 1 });
  const ifMatch = (condition) => ({ accessCondition: { type: 'IfMatch', condition } });
  const good = [{ op: 'incr', path: '/n', value: 1 }];
  const bad = [{ op: 'remove', path: '/none' }];
  await failure(container.item('missing', 'p').patch(bad), 404);
  await failure(item.patch(bad, ifMatch('"other"')), 412);
  await failure(item.patch(bad, ifMatch(created._etag)), 400);
  const answer = await item.patch(good, ifMatch(created._etag));
  assert.equal(answer.resource.n, 2);
  assert.notEqual(answer.resource._etag, created._etag);
  await failure(item.patch(good, ifMatch(created._etag)), 412);
  assert.equal((await item.patch(good, ifMatch('*'))).resource.n, 3);
});

test('any content type, and an answer without a body where that is preferred', async () => {
  const { id } = await newItem({ n: 1 });
  const parts = ['dbs', 'db', 'colls', container.id, 'docs', id];
  const key = { 'x-ms-documentdb-partitionkey': '["p"]' };
  const body = [{ op: 'incr', path: '/n', value: 1 }];
  for (const type of ['application/json', 'application/json-patch+json', 'application/json_patch+json']) {
    const answer = await server.raw.request('PATCH', parts, { headers: { ...key, 'content-type': type }, body });
    assert.equal(answer.status, 200, answer.text);
  }
  const minimal = await server.raw.request('PATCH', parts, { headers: { ...key, prefer: 'return=minimal' }, body });
  assert.equal(minimal.status, 200);
  assert.equal(minimal.text, '');
  assert.ok(minimal.headers.etag);
  assert.equal((await container.item(id, 'p').read()).resource.n, 5);
  assertError(await server.raw.request('PATCH', parts, { headers: key, body: '{"operations":[' }), 400);
});

test('a patch costs what a replace costs', async () => {
  const { item, id } = await newItem({ n: 1, s: 'x' });
  const patch = await item.patch([{ op: 'set', path: '/t', value: 'y' }]);
  const replace = await item.replace({ id, pk: 'p', n: 1, s: 'x', t: 'y' });
  assert.equal(patch.requestCharge, replace.requestCharge);
});

test('patches of one item at the same time all count', async () => {
  const { item } = await newItem({ n: 0 });
  await Promise.all(Array.from({ length: 50 }, () => item.patch([{ op: 'incr', path: '/n', value: 1 }])));
  assert.equal((await item.read()).resource.n, 50);
});

test('ttl by patch counts from the patch, to the second', async () => {
  const target = await newContainer(server.client(), { defaultTtl: 100 });
  const { item } = await newItem({}, target);
  await server.clock.advance(99);
  await item.patch([{ op: 'set', path: '/ttl', value: 5 }]);
  await server.clock.advance(4);
  assert.equal((await item.read()).resource.ttl, 5);
  await item.patch([{ op: 'remove', path: '/ttl' }]);
  await server.clock.advance(99);
  assert.equal((await item.read()).statusCode, 200);
  await item.patch([{ op: 'add', path: '/ttl', value: 1 }]);
  await server.clock.advance(1);
  assert.equal((await item.read()).statusCode, 404);
  await failure(item.patch([{ op: 'set', path: '/ttl', value: -1 }]), 404);
});

test('a ttl that a create would refuse is refused', async () => {
  for (const value of [0, null, -10, 1.5, '60', true, 2_147_483_648, {}]) {
    const text = await refused({ ttl: 50 }, [{ op: 'set', path: '/ttl', value }]);
    assert.ok(text.includes('The input ttl '), text);
  }
  await refused({ ttl: 50 }, [{ op: 'incr', path: '/ttl', value: -50 }]);
});

test('the change feed of all versions shows a patch with the item before it', async () => {
  const target = await newContainer(server.client(), {
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10)),
  });
  const feed = target.items.getChangeFeedIterator({
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    changeFeedStartFrom: ChangeFeedStartFrom.Now(),
  });
  await feed.readNext();
  const { item } = await newItem({ n: 1 }, target);
  await item.patch([{ op: 'incr', path: '/n', value: 1 }]);
  const changes = (await feed.readNext()).result;
  assert.deepEqual(changes.map((change) => change.metadata.operationType), ['create', 'replace']);
  assert.equal(changes[1].previous.n, 1);
  assert.equal(changes[1].current.n, 2);
});
