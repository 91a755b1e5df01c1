// What the page is for: lifetimes are seen, previewed, changed, and end at their second.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { explorerForFile, row, test, writeInto } from './support/explorer.mjs';

const explorer = explorerForFile();
afterEach(() => explorer.closePages());

async function createItem(page, item) {
  await page.getByRole('button', { name: 'New item' }).click();
  await page.getByRole('region', { name: 'New item' }).waitFor();
  await writeInto(page, 'JSON of the item', JSON.stringify(item));
  await page.getByRole('button', { name: 'Create item' }).click();
  await row(page, item.id).waitFor();
}

const lifetimeText = async (page, id) =>
  (await row(page, id).locator('.lifetime').innerText()).replace(/\s+/g, ' ').trim();

// In the item's own row: the buttons of the test clock have such texts too.
const shownLeft = (page, id, text) => row(page, id).locator('.lifetime').getByText(text, { exact: true });

test('a container with a lifetime is made, filled, and loses each item at its second', async () => {
  const page = await explorer.openSignedIn();
  await page.getByRole('button', { name: 'Test clock' }).click();
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();

  await page.getByRole('button', { name: 'New container' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Database' }).fill('shop');
  await dialog.getByRole('textbox', { name: 'Container' }).fill('carts');
  await dialog.getByLabel('Partition key path').fill('/user');
  await dialog.getByLabel('On: every item expires after').check();
  await dialog.getByLabel('Default lifetime').fill('1 h');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'carts' }).waitFor();
  const made = await explorer.server.raw.request('GET', ['dbs', 'shop', 'colls', 'carts']);
  assert.equal(made.json.defaultTtl, 3600);
  assert.deepEqual(made.json.partitionKey.paths, ['/user']);

  await createItem(page, { id: 'own', user: 'ada', ttl: 10 });
  await createItem(page, { id: 'inheriting', user: 'ada' });
  await createItem(page, { id: 'lasting', user: 'ada', ttl: -1 });
  assert.equal(await lifetimeText(page, 'own'), 'own 10 s');
  assert.equal(await lifetimeText(page, 'inheriting'), 'inherits 1 h');
  assert.equal(await lifetimeText(page, 'lasting'), 'never for ever');

  for (let second = 1; second < 10; second += 1) {
    await page.getByRole('button', { name: 'Step 1 s' }).click();
    await shownLeft(page, 'own', `${10 - second} s`).waitFor();
  }
  assert.equal(await lifetimeText(page, 'own'), 'own 1 s');
  assert.equal((await explorer.read('shop', 'carts', 'own', 'ada')).status, 200);
  await page.getByRole('button', { name: 'Step 1 s' }).click();
  await row(page, 'own').waitFor({ state: 'detached' });
  assert.equal((await explorer.read('shop', 'carts', 'own', 'ada')).status, 404);
  assert.equal(await row(page, 'inheriting').count(), 1);
  assert.equal(await row(page, 'lasting').count(), 1);

  // Somebody else writes an item anew: it lives on, with its new deadline.
  await createItem(page, { id: 'touched', user: 'ada', ttl: 10 });
  await explorer.server.clock.change({ advance: 5 });
  await explorer.server.raw.request('PUT', ['dbs', 'shop', 'colls', 'carts', 'docs', 'touched'], {
    headers: { 'x-ms-documentdb-partitionkey': '["ada"]' },
    body: { id: 'touched', user: 'ada', ttl: 100 },
  });
  await explorer.server.clock.change({ advance: 6 });
  await shownLeft(page, 'touched', '1 min 34 s').waitFor();
  assert.equal(await lifetimeText(page, 'touched'), 'own 1 min 34 s');
  await explorer.server.clock.change({ advance: 94 });
  await row(page, 'touched').waitFor({ state: 'detached' });

  // Somebody else moves the clock: the list follows.
  await explorer.server.clock.change({ advance: 3590 - 105 });
  await row(page, 'inheriting').waitFor({ state: 'detached' });
  assert.equal(await row(page, 'lasting').count(), 1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Freeze' }).waitFor();
});

test('another step than those offered, and a step that is none', async () => {
  await explorer.server.clock.change({ freeze: true });
  const page = await explorer.openSignedIn();
  await page.getByRole('button', { name: 'Test clock' }).click();
  const before = (await explorer.lapse('clock')).now;
  await page.getByLabel('Another step').fill('2 h');
  await page.getByRole('button', { name: 'Step by this' }).click();
  await page.waitForFunction(
    (wanted) => Math.abs(Date.parse(document.querySelector('.store-clock time').dateTime) / 1000 - wanted) < 2,
    before + 7200,
  );
  assert.equal((await explorer.lapse('clock')).now, before + 7200);
  await page.getByLabel('Another step').fill('soon');
  assert.equal(await page.getByRole('button', { name: 'Step by this' }).isDisabled(), true);
  await page.getByText('is no duration').waitFor();
});

// A minute has as many steps as an hour, and the same items make bars of the same height.
test('the axis of the forecast follows its horizon', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'axis', { defaultTtl: 50 });
  for (let at = 0; at < 3; at += 1) await explorer.item('app', 'axis', { id: `a${at}`, pk: 'a' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/axis/lifetime' });
  // The strip below the bars, where the labels are: drawn, and another than before.
  const axisOtherThan = async (before) => {
    const strip = await page.waitForFunction((known) => {
      const canvas = document.querySelector('.plot canvas');
      if (!canvas) return false;
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, height * 0.88, width, height * 0.12);
      const shown = data.join();
      return data.some((value) => value > 0) && shown !== known ? shown : false;
    }, before);
    return strip.jsonValue();
  };
  await page.getByText('Within this hour').waitFor();
  const hour = await axisOtherThan('');
  await page.getByRole('tab', { name: 'Minute' }).click();
  await page.getByText('Within this minute').waitFor();
  await axisOtherThan(hour);
});

test('a change of the default does what its preview says', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'sessions', { defaultTtl: 3600 });
  for (let at = 0; at < 12; at += 1) {
    await explorer.item('app', 'sessions', { id: `s${at}`, pk: 'a', ...(at < 3 ? { ttl: 7200 } : {}) });
    await explorer.server.clock.change({ advance: 10 });
  }
  // The inheriting ones are now 10 to 90 seconds old.
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/sessions/lifetime' });
  await page.getByLabel('Default lifetime').fill('45 s');
  const preview = page.getByTestId('preview');
  await preview.getByText('expire at once').waitFor();
  const numbers = async () => (await preview.locator('strong').allInnerTexts()).map(Number);
  const [dying, changing] = await numbers();
  assert.deepEqual([dying, changing], [5, 4]);

  const before = await explorer.lapse('ttl/app/sessions');
  await page.getByRole('button', { name: 'Save, and end 5 items' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save, and end them' }).click();
  await page.getByText('Saved: 45 s.').waitFor();
  const after = await explorer.lapse('ttl/app/sessions');
  assert.equal(after.policy.defaultTtl, 45);
  assert.equal(before.live.items - after.live.items, dying);
  await page.getByTestId('live-count').getByText('7 items').waitFor();

  await page.getByRole('tab', { name: 'Items' }).click();
  await row(page, 's8').waitFor();
  assert.deepEqual(await page.locator('[data-id]').evaluateAll((rows) => rows.map((element) => element.dataset.id)), [
    's0',
    's1',
    's2',
    's8',
    's9',
    's10',
    's11',
  ]);
});

test('what is no duration cannot be saved, off ends nothing', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'tokens', { defaultTtl: 60 });
  await explorer.item('app', 'tokens', { id: 't1', pk: 'a' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/tokens/lifetime' });
  await page.getByLabel('Default lifetime').fill('whenever');
  await page.getByText('is no duration').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await page.getByLabel('Off: nothing expires').check();
  await page.getByTestId('preview').getByText('item gets another deadline').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved: Off.').waitFor();
  const definition = await explorer.server.raw.request('GET', ['dbs', 'app', 'colls', 'tokens']);
  assert.equal(definition.json.defaultTtl, undefined);
  assert.equal((await explorer.lapse('ttl/app/tokens')).forecast.month.items, 0);
});

test('the forecast counts what is coming', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'events', { defaultTtl: -1 });
  for (const [id, ttl] of [
    ['e1', 30],
    ['e2', 1800],
    ['e3', 1830],
    ['e4', 86400 * 20],
  ])
    await explorer.item('app', 'events', { id, pk: 'a', ttl });
  await explorer.item('app', 'events', { id: 'e5', pk: 'a' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/events/lifetime' });
  await page
    .getByText('3 items will expire within the next hour', { exact: false })
    .or(page.locator('[role=img][aria-label^="3 items will expire within the next hour"]'))
    .first()
    .waitFor();
  await page.getByText('As a table').click();
  assert.equal(await page.locator('.chart-table tbody tr').count(), 3);
  await page.getByRole('tab', { name: 'Month' }).click();
  await page.locator('[role=img][aria-label^="4 items will expire within the next month"]').waitFor();
  await page.getByRole('tab', { name: 'Minute' }).click();
  await page.locator('[role=img][aria-label^="1 item will expire within the next minute"]').waitFor();
  assert.match(await page.locator('.legend').innerText(), /Later\s+3 items\s+Never\s+1 item/);
});
