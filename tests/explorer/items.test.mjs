// Items: edited, duplicated, deleted, filtered; and whatever they hold is text.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { editorText, explorerForFile, row, test, writeInto } from './support/explorer.mjs';

const explorer = explorerForFile();
afterEach(() => explorer.closePages());

const kEditor = 'JSON of the item';

test('an item is edited, duplicated and deleted', async () => {
  await explorer.container('app', 'people');
  await explorer.item('app', 'people', { id: 'ada', pk: 'a', age: 36 });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/people/items' });
  await row(page, 'ada').click();
  assert.match(await editorText(page, kEditor), /"age": 36/);
  await writeInto(page, kEditor, '{"id": "ada", "pk": "a", "age": 37}');
  await page.keyboard.press('Control+S');
  const saved = page.getByText(/^Saved\./);
  await saved.waitFor();
  // It stays while the page goes on, until something is typed.
  for (let turn = 0; turn < 2; ++turn) await page.waitForResponse((answer) => answer.url().includes('/_lapse/clock'));
  assert.equal(await saved.count(), 1);
  assert.equal((await explorer.read('app', 'people', 'ada', 'a')).json.age, 37);

  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('region', { name: 'New item' }).waitFor();
  assert.match(await editorText(page, kEditor), /"id": "ada-copy"/);
  await page.getByRole('button', { name: 'Create item' }).click();
  await row(page, 'ada-copy').waitFor();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete item' }).click();
  await row(page, 'ada-copy').waitFor({ state: 'detached' });
  assert.equal((await explorer.read('app', 'people', 'ada-copy', 'a')).status, 404);
  assert.equal((await explorer.read('app', 'people', 'ada', 'a')).status, 200);
});

test('a save does not overwrite what somebody else has written meanwhile', async () => {
  await explorer.container('app', 'shared');
  await explorer.item('app', 'shared', { id: 'doc', pk: 'a', by: 'first' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/shared/items' });
  await row(page, 'doc').click();
  await page.getByRole('textbox', { name: kEditor }).waitFor();
  const headers = { 'x-ms-documentdb-partitionkey': '["a"]' };
  await explorer.server.raw.request('PUT', ['dbs', 'app', 'colls', 'shared', 'docs', 'doc'], {
    headers,
    body: { id: 'doc', pk: 'a', by: 'second' },
  });
  await writeInto(page, kEditor, '{"id": "doc", "pk": "a", "by": "page"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody has written the item since you opened it').waitFor();
  assert.equal((await explorer.read('app', 'shared', 'doc', 'a')).json.by, 'second');
  await page.getByRole('button', { name: 'Read the item again' }).click();
  await page.getByRole('textbox', { name: kEditor }).getByText('second').waitFor();
});

test('mistakes in JSON are shown and cannot be saved; what the server refuses is said', async () => {
  await explorer.container('app', 'strict');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/strict/items' });
  await page.getByRole('button', { name: 'New item' }).click();
  await writeInto(page, kEditor, '{"id": "a",\n "pk": }');
  await page.getByText('Line 2: A value is expected').waitFor();
  await page.locator('.cm-lintRange-error').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create item' }).isDisabled(), true);
  await writeInto(page, kEditor, '{"id": "a", "pk": "x", "ttl": 0}');
  await page.getByRole('button', { name: 'Create item' }).click();
  await page.getByText("The input ttl '0' is invalid").waitFor();
  assert.equal((await explorer.lapse('ttl/app/strict')).live.items, 0);
});

test('numbers beyond 2^53 are shown and saved unchanged', async () => {
  await explorer.container('app', 'numbers');
  const path = ['dbs', 'app', 'colls', 'numbers', 'docs'];
  const headers = { 'x-ms-documentdb-partitionkey': '["a"]' };
  await explorer.server.raw.request('POST', path, {
    headers,
    body: '{"id":"big","pk":"a","n":9007199254740993,"least":-9223372036854775808}',
  });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/numbers/items' });
  await row(page, 'big').getByText('9007199254740993').waitFor();
  await row(page, 'big').click();
  assert.match(await editorText(page, kEditor), /"n": 9007199254740993,\s+"least": -9223372036854775808/);
  await page.getByRole('textbox', { name: kEditor }).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.insertText('"more": 1,');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Saved\./).waitFor();
  const { text } = await explorer.server.raw.request('GET', [...path, 'big'], { headers });
  assert.match(text, /"n":9007199254740993,"least":-9223372036854775808/);
  assert.match(text, /"more":1/);
});

test('a number that the server cannot keep as it is written is said before it is saved', async () => {
  await explorer.container('app', 'digits');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/digits/items' });
  await page.getByRole('button', { name: 'New item' }).click();
  await writeInto(page, kEditor, '{"id": "a",\n "pk": "x",\n "n": 18446744073709551615, "m": 9223372036854775807}');
  await page.getByText('Line 3: 18446744073709551615 is stored as 18446744073709551616.').waitFor();
  await page.locator('.cm-lintRange-warning').waitFor();
  await page.getByRole('button', { name: 'Create item' }).click();
  await page.getByRole('region', { name: 'Item', exact: true }).waitFor();
  assert.match(await editorText(page, kEditor), /"n": 18446744073709551616.0,\s+"m": 9223372036854775807/);
  assert.equal(await page.getByText('is stored as').count(), 0);
});

test('hostile content is text everywhere', async () => {
  await explorer.container('app', 'hostile');
  const path = ['dbs', 'app', 'colls', 'hostile', 'docs'];
  const headers = { 'x-ms-documentdb-partitionkey': '["<b>key</b>"]' };
  const depth = 100;
  const item =
    '{"id":"<img src=x onerror=alert(1)>","pk":"<b>key</b>","__proto__":{"polluted":true},' +
    '"constructor":"c","toString":1,' +
    '"html":"</script><script>alert(2)</script>","url":"javascript:alert(3)",' +
    '"rtl":"\u202eabc \u05e9\u05dc\u05d5\u05dd","emoji":"\ud83d\udc69\u200d\ud83d\ude80",' +
    `"deep":${'['.repeat(depth)}1${']'.repeat(depth)},"long":"${'x'.repeat(500_000)}"}`;
  const created = await explorer.server.raw.request('POST', path, { headers, body: item });
  assert.equal(created.status, 201, created.text.slice(0, 200));
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/hostile/items' });
  const shown = page.locator('[data-testid="item-rows"] [role="row"]');
  await shown.getByText('<img src=x onerror=alert(1)>').waitFor();
  await shown.click();
  await page.getByRole('textbox', { name: kEditor }).getByText('onerror').first().waitFor();
  await page.getByRole('tab', { name: 'Query' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('cell', { name: '<b>key</b>' }).waitFor();
  await page.getByRole('columnheader', { name: '__proto__' }).waitFor();
  await page.getByRole('tab', { name: 'Tree' }).click();
  await page.getByText('all 500,000 characters').waitFor();
  await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  await page.getByRole('textbox', { name: 'Results as JSON' }).getByText('</script>').first().waitFor();
  const harm = await page.evaluate(() => ({
    // The editor has images of its own, without a source, around characters that cannot be seen.
    images: document.querySelectorAll('#root img[src], #root script').length,
    polluted: {}.polluted,
  }));
  assert.deepEqual(harm, { images: 0, polluted: undefined });
});

test('the filter is a WHERE clause, and says where a mistake is', async () => {
  await explorer.container('app', 'filtered');
  for (let at = 0; at < 6; at += 1) await explorer.item('app', 'filtered', { id: `f${at}`, pk: 'a', n: at });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/filtered/items' });
  await row(page, 'f5').waitFor();
  const filter = page.getByLabel('Filter: a WHERE clause over c');
  await filter.fill('c.n >= 4');
  await filter.press('Enter');
  // The list is empty for a moment, then it has those that match.
  await row(page, 'f0').waitFor({ state: 'detached' });
  await row(page, 'f5').waitFor();
  assert.equal(await page.locator('[data-id]').count(), 2);
  await filter.fill('c.n >=');
  await filter.press('Enter');
  await page.getByText('At character').waitFor();
  await filter.fill('c.n > 100');
  await filter.press('Enter');
  await page.getByText('No item matches the filter.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await row(page, 'f0').waitFor();
});

test('the list goes on by itself when the throughput was used up', async () => {
  await explorer.container('app', 'throttled');
  await explorer.item('app', 'throttled', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn();
  let asked = 0;
  await page.route('**/colls/throttled/docs', (route) => {
    if (++asked > 2) return route.continue();
    return route.fulfill({
      status: 429,
      headers: { 'x-ms-retry-after-ms': '20' },
      contentType: 'application/json',
      body: '{"code":"429","message":"Too many requests"}',
    });
  });
  await page.goto(`${explorer.address}#/dbs/app/colls/throttled/items`);
  await page.getByText('The throughput is used up.').waitFor();
  await row(page, 'a').waitFor();
  await page.getByText('The throughput is used up.').waitFor({ state: 'detached' });
});

test('the list is used with the keyboard', async () => {
  await explorer.container('app', 'keys');
  for (let at = 0; at < 90; at += 1) await explorer.item('app', 'keys', { id: `k${at}`, pk: 'a' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/keys/items' });
  await row(page, 'k0').focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.dataset.id === 'k1');
  // The end of what is there: 90 rows come in two pages.
  await page.waitForFunction(() => document.querySelector('[role=grid]').getAttribute('aria-rowcount') === '91');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.dataset.id === 'k89');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Item', exact: true }).getByRole('heading', { name: 'k89' }).waitFor();
  assert.equal(await row(page, 'k89').getAttribute('aria-selected'), 'true');
});

test('the focus stays in the list when the row that has it expires or goes out of sight', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'going', { defaultTtl: -1 });
  for (let at = 0; at < 60; at += 1)
    await explorer.item('app', 'going', { id: `g${at}`, pk: 'a', ...(at === 1 ? { ttl: 5 } : {}) });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/going/items' });
  await row(page, 'g1').focus();
  await explorer.server.clock.change({ advance: 5 });
  await row(page, 'g1').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.dataset.id === 'g2');
  await page.locator('[data-testid="item-rows"]').evaluate((list) => {
    list.scrollTop = list.scrollHeight;
  });
  await row(page, 'g2').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.dataset.id === 'g3');
  await explorer.server.clock.change({ resume: true });
});

test('what was typed is there again after another item and another page were looked at', async () => {
  await explorer.container('app', 'drafts');
  await explorer.item('app', 'drafts', { id: 'first', pk: 'a', n: 1 });
  await explorer.item('app', 'drafts', { id: 'other', pk: 'a', n: 2 });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/drafts/items' });
  await row(page, 'first').click();
  await page.getByRole('textbox', { name: kEditor }).getByText('"n"').waitFor();
  await writeInto(page, kEditor, '{"id": "first", "pk": "a", "n": 77}');
  await page.getByText('Changed and not saved.').waitFor();
  await row(page, 'other').click();
  await page.getByRole('heading', { name: 'other' }).waitFor();
  await row(page, 'first').click();
  await page.getByText('Changed and not saved.').waitFor();
  assert.match(await editorText(page, kEditor), /"n": 77/);
  await page.getByRole('tab', { name: 'Lifetime' }).click();
  await page.getByRole('tab', { name: 'Items' }).click();
  await row(page, 'first').click();
  await page.getByText('Changed and not saved.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  assert.equal((await explorer.read('app', 'drafts', 'first', 'a')).json.n, 77);
});

const isGuarded = (page) => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

test('what was typed into a new item stays until it is created, and no longer', async () => {
  await explorer.container('app', 'new-drafts');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/new-drafts/items' });
  const newItem = () => page.getByRole('button', { name: 'New item' }).click();
  await newItem();
  await writeInto(page, kEditor, '{"id": "mine", "pk": "precious"}');
  for (let visit = 0; visit < 3; visit += 1) {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Items' }).click();
    await newItem();
    await page.getByRole('textbox', { name: kEditor }).getByText('precious').waitFor();
    assert.equal(await isGuarded(page), true);
  }
  await page.getByRole('button', { name: 'Create item' }).click();
  await row(page, 'mine').waitFor();
  assert.equal(await isGuarded(page), false);
  await newItem();
  await page.getByRole('region', { name: 'New item' }).waitFor();
  assert.doesNotMatch(await editorText(page, kEditor), /precious/);
});

test('what was typed into an item that has expired is shown, and keeps nobody from leaving', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app', 'ended-drafts', { defaultTtl: -1 });
  await explorer.item('app', 'ended-drafts', { id: 'short', pk: 'a', ttl: 20 });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/ended-drafts/items' });
  await row(page, 'short').click();
  await page.getByRole('textbox', { name: kEditor }).getByText('"ttl"').waitFor();
  await writeInto(page, kEditor, '{"id": "short", "pk": "a", "n": 77}');
  await page.getByText('Changed and not saved.').waitFor();
  assert.equal(await isGuarded(page), true);
  await explorer.server.clock.change({ advance: 21 });
  await page.getByText('What you typed is not saved').waitFor();
  assert.equal(await page.getByText('Changed and not saved.').count(), 0);
  assert.match(await editorText(page, kEditor), /"n": 77/);
  assert.equal(await isGuarded(page), false);
});

test('an item cannot move to another partition key, and the page says what to do', async () => {
  await explorer.container('app', 'moves');
  await explorer.item('app', 'moves', { id: 'fixed', pk: 'a' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/moves/items' });
  await row(page, 'fixed').click();
  await page.getByRole('textbox', { name: kEditor }).getByText('"pk"').waitFor();
  await writeInto(page, kEditor, '{"id": "fixed", "pk": "b"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Duplicate the item, give the new one its key').waitFor();
});
