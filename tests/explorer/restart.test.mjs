// The server goes away and comes back under the open page.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { test } from '../sdk/js/support/check.mjs';
import { explorerForFile, row, writeInto } from './support/explorer.mjs';

const explorer = explorerForFile({ inMemory: false });
afterEach(() => explorer.closePages());

test('a page that was open before goes on afterwards, and loses nothing that was typed', async () => {
  await explorer.container('app', 'kept', { defaultTtl: 3600 });
  await explorer.item('app', 'kept', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/kept/items' });
  await row(page, 'a').click();
  await writeInto(page, 'JSON of the item', '{"id": "a", "pk": "x", "typed": true}');

  await explorer.server.stop();
  await page.getByText('The server does not answer.').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('nothing you entered is lost').waitFor();
  await explorer.server.start();
  await page.getByText('What you see is from before.').waitFor({ state: 'detached' });
  // A connection to the server before may still be taken for a good one: then the page says so, and one saves again.
  const saved = page.getByText('Saved. The countdown begins anew.');
  for (let tries = 0; tries < 3 && (await saved.count()) === 0; ++tries) {
    await page.getByRole('button', { name: 'Save' }).click();
    await saved.waitFor({ timeout: 5_000 }).catch(() => undefined);
  }
  await saved.waitFor();
  assert.equal((await explorer.read('app', 'kept', 'a', 'x')).json.typed, true);
});

test('a page at its sign-in waits for the server', async () => {
  const page = await explorer.open();
  await page.getByLabel('Account key').waitFor();
  await explorer.server.stop();
  await page.getByRole('button', { name: 'Use the well-known key' }).click();
  await page.getByText('The server does not answer').first().waitFor();
  await explorer.server.start();
  await page.getByRole('button', { name: 'Use the well-known key' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
});
