// Keys: the wrong one, the well-known one, a read-only one, and where they are kept.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { kReadOnlyKey } from '../sdk/js/support/server.mjs';
import { editorText, explorerForFile, row, test } from './support/explorer.mjs';

const explorer = explorerForFile({
  prepare: async (it) => {
    await it.container('app', 'notes', { defaultTtl: 3600 });
    await it.item('app', 'notes', { id: 'n1', pk: 'a', text: 'hello' });
  },
});
afterEach(() => explorer.closePages());

test('a wrong key is refused with what to do, and is not kept', async () => {
  const page = await explorer.open();
  await page.getByLabel('Account key').fill(Buffer.from('some other key').toString('base64'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The server does not know this key').waitFor();
  await page.getByLabel('Account key').fill('no base64 at all!');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('An account key is base64').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0);
});

test('the well-known key is offered, kept for the tab, and forgotten by signing out', async () => {
  const page = await explorer.open();
  await page.getByRole('button', { name: 'Use the well-known key' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  assert.equal(await page.evaluate(() => document.cookie), '');
  assert.ok(!page.url().includes('C2y6'));
  await page.reload();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  await page.getByRole('button', { name: 'Sign out: forget the key' }).click();
  await page.getByLabel('Account key').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('lapse.key')), null);
});

test('a read-only key shows everything and offers no change', async () => {
  const page = await explorer.open({ hash: '#/dbs/app/colls/notes/items' });
  await page.getByLabel('Account key').fill(kReadOnlyKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await row(page, 'n1').click();
  await page.getByText('Read-only').waitFor();
  assert.match(await editorText(page, 'JSON of the item'), /"text": "hello"/);
  for (const name of ['New item', 'New container', 'Delete container', 'Save', 'Delete', 'Duplicate', 'Test clock']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  await page.getByRole('tab', { name: 'Query' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('1 result', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Lifetime' }).click();
  await page.getByText('Coming expirations').waitFor();
  assert.equal(await page.getByLabel('Default lifetime').isDisabled(), true);
});

test('the page comes with a policy that lets no foreign or inline script run', async () => {
  const answer = await explorer.server.raw.plain('GET', '/_explorer/');
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-security-policy'], /default-src 'none'; script-src 'self';/);
  assert.ok(!/<script(?![^>]*src=)/.test(answer.text), 'an inline script');
  assert.equal(answer.headers['set-cookie'], undefined);
});

test('the first load has less than a megabyte', async () => {
  const page = await explorer.open();
  await page.getByLabel('Account key').waitFor();
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .reduce(
        (sum, entry) => sum + entry.encodedBodySize,
        performance.getEntriesByType('navigation')[0].encodedBodySize,
      ),
  );
  assert.ok(bytes > 50_000 && bytes < 1_000_000, `${bytes} bytes`);
});
