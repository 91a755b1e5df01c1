// Changing a container's default, and an item's own ttl: nothing that has expired ever comes back, nothing that lives
// is lost, whatever is changed and however the server ends in between.
import assert from 'node:assert/strict';
import { newContainer, statusOf, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

const server = serverForFile({ prepare: (started) => started.clock.freeze() });

async function setDefault(container, defaultTtl) {
  const { resource } = await container.read();
  if (defaultTtl === undefined) delete resource.defaultTtl;
  else resource.defaultTtl = defaultTtl;
  assert.equal((await container.replace(resource)).statusCode, 200);
}

async function put(container, id, ttl) {
  const { resource } = await container.items.upsert(ttl === undefined ? { id, pk: id } : { id, pk: id, ttl });
  return resource;
}

// The ids of the live items, which point reads and the feed must agree on.
async function liveIds(container, ids) {
  const feed = (await container.items.readAll().fetchAll()).resources.map((item) => item.id).sort();
  const reads = [];
  for (const id of ids) if ((await container.item(id, id).read()).statusCode === 200) reads.push(id);
  assert.deepEqual(feed, reads.sort());
  return feed.join(' ');
}

// One story per line: the default at the start, the items written at second 0 ('id' or ['id', ttl]), and then what
// happens. {at, set} changes the default (undefined removes it), {at, live} says which items are left.
const kStories = {
  'shortening expires at once what is older': {
    start: 100,
    items: ['inherits', ['own', 300], ['kept', -1]],
    steps: [
      { at: 50, live: 'inherits kept own' },
      { at: 50, set: 51, live: 'inherits kept own' },
      { at: 50, set: 50, live: 'kept own' },
      { at: 50, set: 1000, live: 'kept own' },
      { at: 299, live: 'kept own' },
      { at: 300, live: 'kept' },
    ],
  },
  'lengthening keeps what lives and revives nothing': {
    start: 100,
    items: ['inherits', ['short', 99], ['own', 300]],
    steps: [
      { at: 99, live: 'inherits own' },
      { at: 99, set: 200, live: 'inherits own' },
      { at: 199, live: 'inherits own' },
      { at: 200, live: 'own' },
      { at: 201, set: 1000, live: 'own' },
      { at: 201, set: -1, live: 'own' },
      { at: 300, live: '' },
    ],
  },
  'lengthening at the very second of expiry revives nothing': {
    start: 100,
    items: ['inherits'],
    steps: [{ at: 100, set: 101, live: '' }, { at: 100, set: -1, live: '' }, { at: 100, set: undefined, live: '' }],
  },
  'lengthening one second before keeps the item': {
    start: 100,
    items: ['inherits'],
    steps: [{ at: 99, set: 101, live: 'inherits' }, { at: 100, live: 'inherits' }, { at: 101, live: '' }],
  },
  'minus one stops the default and honours own values': {
    start: 100,
    items: ['inherits', ['own', 150]],
    steps: [
      { at: 50, set: -1, live: 'inherits own' },
      { at: 149, live: 'inherits own' },
      { at: 150, live: 'inherits' },
      { at: 1000, set: 100, live: '' },
      { at: 1000, set: -1, live: '' },
    ],
  },
  'off stops everything': {
    start: 100,
    items: ['inherits', ['own', 150], ['early', 10]],
    steps: [
      { at: 50, set: undefined, live: 'inherits own' },
      { at: 100_000, live: 'inherits own' },
    ],
  },
  'off and on again counts from the last write': {
    start: undefined,
    items: ['inherits', ['own', 150], ['long', 1000], ['kept', -1]],
    steps: [
      { at: 500, live: 'inherits kept long own' },
      { at: 500, set: -1, live: 'inherits kept long' },
      { at: 500, set: undefined, live: 'inherits kept long' },
      { at: 500, set: 501, live: 'inherits kept long' },
      { at: 501, live: 'kept long' },
      { at: 501, set: undefined, live: 'kept long' },
      { at: 2000, live: 'kept long' },
      { at: 2000, set: -1, live: 'kept' },
    ],
  },
  'null turns it off like removing it': {
    start: 100,
    items: ['inherits', ['own', 150]],
    steps: [{ at: 99, set: null, live: 'inherits own' }, { at: 5000, live: 'inherits own' }],
  },
  'turning it on acts on what is there': {
    start: undefined,
    items: ['inherits', ['kept', -1]],
    steps: [
      { at: 10, set: 11, live: 'inherits kept' },
      { at: 10, set: 10, live: 'kept' },
      { at: 10, set: undefined, live: 'kept' },
    ],
  },
};

async function tell(story, between) {
  const start = await server.clock.now();
  const definition = story.start === undefined ? {} : { defaultTtl: story.start };
  const { id } = await newContainer(server.client(), definition);
  const reference = () => server.client().database('db').container(id);
  const ids = [];
  for (const item of story.items) {
    const [itemId, ttl] = [item].flat();
    ids.push(itemId);
    await put(reference(), itemId, ttl);
  }
  for (const step of story.steps) {
    await server.clock.set(start + step.at);
    if ('set' in step) await setDefault(reference(), step.set);
    await between();
    assert.equal(await liveIds(reference(), ids), step.live, JSON.stringify(step));
  }
}

for (const [name, story] of Object.entries(kStories)) {
  test(name, () => tell(story, async () => {}));
  test(`${name}, with a restart after each step`, () => tell(story, () => server.restart('SIGTERM')));
  test(`${name}, killed after each step`, () => tell(story, () => server.restart('SIGKILL')));
}

test('what was reborn under the same id lives its own life', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  await put(container, 'a');
  await server.clock.advance(10);
  assert.equal(await statusOf(container.items.create({ id: 'a', pk: 'a' })), 201);
  await setDefault(container, 1000);
  assert.equal(await liveIds(container, ['a']), 'a');
  await server.restart('SIGKILL');
  const again = server.client().database('db').container(container.id);
  await server.clock.advance(999);
  assert.equal(await liveIds(again, ['a']), 'a');
  await server.clock.advance(1);
  assert.equal(await liveIds(again, ['a']), '');
});

test('each write restarts the countdown', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  const writes = {
    create: (id) => container.items.create({ id, pk: id }),
    upsert: (id) => container.items.upsert({ id, pk: id }),
    replace: (id) => container.item(id, id).replace({ id, pk: id }),
  };
  await writes.create('x');
  for (const write of ['upsert', 'replace', 'upsert', 'replace']) {
    await server.clock.advance(9);
    const { resource } = await writes[write]('x');
    assert.equal(resource._ts, await server.clock.now());
  }
  await server.clock.advance(9);
  assert.equal((await container.item('x', 'x').read()).statusCode, 200);
  await server.clock.advance(1);
  assert.equal((await container.item('x', 'x').read()).statusCode, 404);
});

test('a read never restarts the countdown', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  const created = await put(container, 'x');
  for (let second = 1; second < 10; ++second) {
    await server.clock.advance(1);
    assert.equal((await container.item('x', 'x').read()).resource._ts, created._ts);
    assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
  }
  await server.clock.advance(1);
  assert.equal((await container.item('x', 'x').read()).statusCode, 404);
});

test('a refused write does not restart the countdown', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  const created = await put(container, 'x');
  await server.clock.advance(9);
  const mismatch = { accessCondition: { type: 'IfMatch', condition: '"another"' } };
  assert.equal(await statusOf(container.items.create({ id: 'x', pk: 'x' })), 409);
  assert.equal(await statusOf(container.item('x', 'x').replace({ id: 'x', pk: 'x' }, mismatch)), 412);
  assert.equal(await statusOf(container.item('x', 'x').replace({ id: 'x', pk: 'x', ttl: 0 })), 400);
  assert.deepEqual((await container.item('x', 'x').read()).resource, created);
  await server.clock.advance(1);
  assert.equal((await container.item('x', 'x').read()).statusCode, 404);
});

test('removing ttl inherits again, and minus one keeps for ever', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 100 });
  await put(container, 'inherits', 10);
  await put(container, 'kept', 10);
  await server.clock.advance(9);
  const { resource } = await container.item('inherits', 'inherits').replace({ id: 'inherits', pk: 'inherits' });
  assert.equal('ttl' in resource, false);
  await put(container, 'kept', -1);
  await server.clock.advance(99);
  assert.equal(await liveIds(container, ['inherits', 'kept']), 'inherits kept');
  await server.clock.advance(1);
  assert.equal(await liveIds(container, ['inherits', 'kept']), 'kept');
  await server.clock.advance('36500d');
  assert.equal(await liveIds(container, ['inherits', 'kept']), 'kept');
});

test('_ts cannot be written', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 10 });
  const now = await server.clock.now();
  const body = { id: 'x', pk: 'x', _ts: now + 1_000_000 };
  assert.equal((await container.items.create({ ...body })).resource._ts, now);
  assert.equal((await container.items.upsert({ ...body })).resource._ts, now);
  assert.equal((await container.item('x', 'x').replace({ ...body })).resource._ts, now);
  await server.clock.advance(10);
  assert.equal((await container.item('x', 'x').read()).statusCode, 404);
});

test('a change of the default touches no item', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 100 });
  const created = await put(container, 'x');
  await server.clock.advance(5);
  for (const value of [1000, -1, undefined, 500]) {
    await setDefault(container, value);
    assert.deepEqual((await container.item('x', 'x').read()).resource, created);
  }
});

test('ttl costs nothing', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 100 });
  const plain = await container.items.create({ id: 'a', pk: 'a' });
  const withTtl = await container.items.create({ id: 'b', pk: 'b', ttl: 60 });
  assert.equal(withTtl.requestCharge, plain.requestCharge);
});
