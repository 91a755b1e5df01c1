// The judge itself: it finds what is wrong, and only that.
import assert from 'node:assert/strict';
import test from 'node:test';
import { documentOf } from './document.mjs';
import { Container, Time } from './model.mjs';

const kStart = 1_000_000;

function newItem(defaultTtl) {
  const container = new Container({ id: 'c', defaultTtl }, kStart);
  container.addItem('p', 'i');
  return container.items[0];
}

function stored(item, write, ts, etag) {
  return { ...documentOf({ pk: item.pk, id: item.id, n: write.n, ttl: write.ttl }), _ts: ts, _etag: etag };
}

// A write that is acknowledged at once; returns the document as the server shows it.
function put(item, { ttl, ts = kStart, etag } = {}) {
  const write = item.send('upsert', ttl, ts);
  const document = stored(item, write, ts, etag ?? `e${write.n}`);
  assert.equal(item.written(write, document), undefined);
  return document;
}

test('an acknowledged write is expected', () => {
  const item = newItem();
  const document = put(item);
  assert.equal(item.found(document), undefined);
  assert.match(item.missing(), /missing/);
});

test('an unanswered write may be there or not', () => {
  for (const happened of [true, false]) {
    const item = newItem();
    const before = put(item);
    const write = item.send('replace', undefined, kStart);
    assert.equal(item.found(happened ? stored(item, write, kStart, 'new') : before), undefined);
  }
});

test('an unanswered delete may have happened, and then stays so', () => {
  const item = newItem();
  const document = put(item);
  item.send('delete', undefined, kStart);
  assert.equal(item.missing(), undefined);
  assert.match(item.found(document), /came back/);
});

test('an earlier version is not expected', () => {
  const item = newItem();
  const earlier = put(item);
  put(item);
  assert.match(item.found(earlier), /came back/);
});

test('a write that nobody sent is not expected', () => {
  const item = newItem();
  put(item);
  assert.match(item.found(stored(item, { n: 7 }, kStart, 'other')), /neither/);
});

test('a document of two halves is torn', () => {
  const item = newItem();
  const one = put(item);
  const other = put(item);
  assert.match(item.found({ ...other, sum: one.sum }), /torn/);
  assert.match(item.found({ ...other, filler: `${other.filler}x` }), /torn/);
});

test('an expired item is missing, and must be', () => {
  const item = newItem(60);
  const document = put(item, { ttl: 10 });
  item.container.history.moveTimeTo(kStart + 9);
  assert.ok(item.isLive());
  item.container.history.moveTimeTo(kStart + 10);
  assert.ok(!item.isLive());
  assert.match(item.found(document), /expired/);
  assert.equal(item.missing(), undefined);
});

test('expired is for ever, whatever the policy becomes', () => {
  const item = newItem(10);
  put(item);
  item.container.history.moveTimeTo(kStart + 10);
  for (const defaultTtl of [undefined, -1, 1000]) {
    item.container.history.change(defaultTtl);
    assert.ok(!item.isLive());
  }
});

test('a policy that was over before the write does not count', () => {
  const item = newItem(10);
  item.container.history.moveTimeTo(kStart + 100);
  item.container.history.change(-1);
  put(item, { ts: kStart + 100 });
  item.container.history.moveTimeTo(kStart + 1000);
  assert.ok(item.isLive());
  assert.match(item.missing(), /missing/);
});

test('an unanswered change of policy may have happened, another one may not', () => {
  const { container } = newItem(10);
  container.unansweredChange = { defaultTtl: 20 };
  assert.equal(container.learnPolicy(20), undefined);
  assert.match(container.learnPolicy(10), /defaultTtl/);
});

test('time does not go back, and frozen time does not move', () => {
  const time = new Time(kStart);
  assert.equal(time.learn({ now: kStart, frozen: true }), undefined);
  assert.match(time.learn({ now: kStart + 1, frozen: true }), /moved/);
  time.unansweredAdvance = 5;
  assert.equal(time.learn({ now: kStart + 6, frozen: true }), undefined);
  assert.match(time.learn({ now: kStart, frozen: true }), /back/);
});

test('a partition key is deleted with all of its items or with none', () => {
  for (const [left, wrong] of [[0, false], [1, true], [2, false]]) {
    const container = new Container({ id: 'c', deletesKeys: true }, kStart);
    for (const id of ['a', 'b']) container.addItem('p', id);
    container.addItem('q', 'a');
    const documents = container.items.map((item) => put(item));
    container.unansweredDeletion = container.itemsOfKey('p');
    for (const item of container.unansweredDeletion) item.send('delete', undefined, kStart);
    const faultOfDeletion = container.expectAllOrNothing();
    container.itemsOfKey('p').forEach((item, number) => {
      assert.equal(number < left ? item.found(documents[number]) : item.missing(), undefined);
    });
    assert.equal(faultOfDeletion() !== undefined, wrong, `${left} left`);
  }
});
