// The server goes away and comes back under the open page.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { explorerForFile, row, test, writeInto } from './support/explorer.mjs';

const explorer = explorerForFile({ inMemory: false });
afterEach(() => explorer.closePages());

const kEditor = 'JSON of the item';

test('a page that was open before goes on afterwards, and loses nothing that was typed', async () => {
  await explorer.container('app', 'kept', { defaultTtl: 3600 });
  await explorer.item('app', 'kept', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/kept/items' });
  await row(page, 'a').click();
  await writeInto(page, kEditor, '{"id": "a", "pk": "x", "typed": true}');

  await explorer.server.stop();
  await page.getByText('The server does not answer.').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('nothing you entered is lost').waitFor();
  await explorer.server.start();
  await page.getByText('What you see is from before.').waitFor({ state: 'detached' });
  // What was said of the save then is not said any more.
  await page.getByText('nothing you entered is lost').waitFor({ state: 'detached' });
  await page.getByText('It does now: try again.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Saved\./).waitFor();
  assert.equal(await page.getByText('It does now: try again.').count(), 0);
  assert.equal((await explorer.read('app', 'kept', 'a', 'x')).json.typed, true);
});

test('a page at its sign-in waits for the server', async () => {
  const page = await explorer.open();
  await page.getByLabel('Account key').waitFor();
  await explorer.server.stop();
  await page.getByRole('button', { name: 'Use the well-known key' }).click();
  await page.getByText('The server does not answer').first().waitFor();
  await explorer.server.start();
  await page.getByText('The server does not answer').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Use the well-known key' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
});

test('what could not be read while the server was away is read when it is back', async () => {
  await explorer.container('app', 'later');
  await explorer.item('app', 'later', { id: 'a', pk: 'x', text: 'hello' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/later/items' });
  await row(page, 'a').waitFor();
  await explorer.server.stop();
  await row(page, 'a').click();
  const panel = page.getByRole('region', { name: 'Item', exact: true });
  await panel.getByText('The server does not answer.').waitFor();
  await page.getByRole('button', { name: 'Read the list again' }).click();
  await row(page, 'a').waitFor({ state: 'detached' });
  await explorer.server.start();
  await row(page, 'a').waitFor();
  await panel.getByRole('textbox', { name: kEditor }).getByText('hello').waitFor();
  await panel.getByText('The server does not answer.').waitFor({ state: 'detached' });
});

test('a part of the page that was not loaded yet is waited for', async () => {
  await explorer.container('app', 'parts');
  await explorer.item('app', 'parts', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/parts/items' });
  await row(page, 'a').waitFor();
  await explorer.server.stop();
  await page.getByRole('tab', { name: 'Query' }).click();
  await page.getByText('Loading the page').waitFor();
  await explorer.server.start();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('1 result', { exact: true }).waitFor();
});

test('a part of the page that the server does not have any more leaves the others as they are', async () => {
  await explorer.container('app', 'newer');
  await explorer.item('app', 'newer', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/newer/items' });
  await row(page, 'a').waitFor();
  await page.route('**/assets/settings_page*', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Load the page again' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
});

// The first request of the kind goes wrong in the given way, all others go through.
async function failFirst(page, method, fail) {
  let sent = 0;
  await page.route('**/docs**', async (route) => {
    if (route.request().method() !== method || ++sent > 1) return route.continue();
    await fail(route);
    return route.abort('connectionreset');
  });
  return () => sent;
}

test('a save over a connection that is gone is sent again over another', async () => {
  await explorer.container('app', 'again');
  await explorer.item('app', 'again', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/again/items' });
  const sent = await failFirst(page, 'PUT', async () => {});
  await row(page, 'a').click();
  await writeInto(page, kEditor, '{"id": "a", "pk": "x", "typed": true}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Saved\./).waitFor();
  assert.equal(sent(), 2);
  assert.equal((await explorer.read('app', 'again', 'a', 'x')).json.typed, true);
});

for (const [method, what] of [
  ['PUT', 'a save'],
  ['POST', 'a new item'],
]) {
  test(`${what} whose answer is lost was written once, and the page says that it is saved`, async () => {
    const name = `lost-${method.toLowerCase()}`;
    await explorer.container('app', name);
    await explorer.item('app', name, { id: 'first', pk: 'x' });
    const page = await explorer.openSignedIn({ hash: `#/dbs/app/colls/${name}/items` });
    const sent = await failFirst(page, method, (route) => route.fetch());
    const id = method === 'PUT' ? 'first' : 'second';
    if (method === 'PUT') await row(page, 'first').click();
    else await page.getByRole('button', { name: 'New item' }).click();
    await writeInto(page, kEditor, JSON.stringify({ id, pk: 'x', typed: true }));
    await page.getByRole('button', { name: method === 'PUT' ? 'Save' : 'Create item' }).click();
    // The panel of a new item becomes that of a stored one.
    if (method === 'PUT') await page.getByText(/^Saved\./).waitFor();
    else await page.getByRole('region', { name: 'Item', exact: true }).getByRole('heading', { name: id }).waitFor();
    assert.equal(sent(), 2);
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.equal((await explorer.read('app', name, id, 'x')).json.typed, true);
    assert.equal((await explorer.lapse(`ttl/app/${name}`)).live.items, method === 'PUT' ? 1 : 2);
  });
}
