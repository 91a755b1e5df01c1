// Databases and containers: made with everything they can have, changed, and deleted with their name typed.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { editorText, explorerForFile, row, test, writeInto } from './support/explorer.mjs';

const explorer = explorerForFile();
afterEach(() => explorer.closePages());

test('a container with a hierarchical key, throughput, unique keys and an indexing policy', async () => {
  await explorer.container('app', 'first');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app' });
  await page.getByRole('main').getByRole('button', { name: 'New container' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('A name is needed.').waitFor();
  await dialog.getByRole('textbox', { name: 'Container' }).fill('full');
  await dialog.getByLabel('Partition key path').fill('/tenant');
  await dialog.getByRole('button', { name: 'Add a level' }).click();
  await dialog.getByLabel('Partition key path, level 2').fill('/user');
  await dialog.getByLabel('Throughput').selectOption('autoscale');
  await dialog.getByLabel('RU/s, the most').fill('2000');
  await dialog.getByLabel('On, no default').check();
  await dialog.getByRole('button', { name: 'Unique keys and indexing policy' }).click();
  await dialog.getByLabel('Unique keys').last().fill('/email\n/first, /last');
  await dialog
    .getByLabel('Indexing policy')
    .last()
    .fill('{"indexingMode": "consistent", "excludedPaths": [{"path": "/blob/*"}]}');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'full' }).waitFor();
  const { json } = await explorer.server.raw.request('GET', ['dbs', 'app', 'colls', 'full']);
  assert.deepEqual(json.partitionKey, { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 });
  assert.equal(json.defaultTtl, -1);
  assert.deepEqual(
    json.uniqueKeyPolicy.uniqueKeys.map((key) => key.paths),
    [['/email'], ['/first', '/last']],
  );
  assert.ok(json.indexingPolicy.excludedPaths.some(({ path }) => path === '/blob/*'));

  await page.getByRole('tab', { name: 'Settings' }).click();
  const throughput = page.getByLabel('Autoscale, RU/s at the most');
  await page.waitForFunction(() => document.querySelector('.settings input')?.value === '2000');
  await throughput.fill('3000');
  await page.getByRole('button', { name: 'Save throughput' }).click();
  await page.getByText('Saved.').waitFor();
  const stats = await explorer.lapse('stats?database=app');
  assert.equal(stats.containers.find(({ container }) => container === 'full').request_units.provisioned, 3000);
});

test('saving the indexing policy takes back nothing that others have changed meanwhile', async () => {
  await explorer.container('app4', 'policy', { defaultTtl: 60 });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app4/colls/policy/settings' });
  await page.getByRole('textbox', { name: 'Indexing policy' }).waitFor();
  const path = ['dbs', 'app4', 'colls', 'policy'];
  const { json } = await explorer.server.raw.request('GET', path);
  const changed = await explorer.server.raw.request('PUT', path, { body: { ...json, defaultTtl: 7200 } });
  assert.equal(changed.status, 200, changed.text);
  const policy = { indexingMode: 'consistent', includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/blob/*' }] };
  await writeInto(page, 'Indexing policy', JSON.stringify(policy));
  await page.getByRole('button', { name: 'Save policy' }).click();
  await page.getByText('Saved.').waitFor();
  const after = await explorer.server.raw.request('GET', path);
  assert.equal(after.json.defaultTtl, 7200);
  assert.ok(after.json.indexingPolicy.excludedPaths.some((excluded) => excluded.path === '/blob/*'));
});

test('what the server refuses is said in the dialog, and nothing is made', async () => {
  await explorer.container('app2', 'taken');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app2' });
  await page.getByRole('main').getByRole('button', { name: 'New container' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Container' }).fill('taken');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('already exists').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'app2' }).waitFor();
});

test('deleting asks for the name', async () => {
  await explorer.container('old', 'things');
  await explorer.item('old', 'things', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/old/colls/things/items' });
  await page.getByRole('button', { name: 'Delete container' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete for ever' });
  await dialog.getByRole('textbox').fill('thing');
  assert.equal(await confirm.isDisabled(), true);
  await dialog.getByRole('textbox').fill('things');
  await confirm.click();
  await page.getByRole('heading', { name: 'old' }).waitFor();
  assert.equal((await explorer.server.raw.request('GET', ['dbs', 'old', 'colls', 'things'])).status, 404);

  await page.getByRole('button', { name: 'Delete database' }).click();
  await dialog.getByRole('textbox').fill('old');
  await confirm.click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  assert.equal((await explorer.server.raw.request('GET', ['dbs', 'old'])).status, 404);
  assert.equal(await page.getByRole('navigation').getByText('old', { exact: true }).count(), 0);
});

test('the overview shows the largest containers and what expires next', async () => {
  await explorer.server.clock.change({ freeze: true });
  await explorer.container('app3', 'soon', { defaultTtl: 90 });
  await explorer.item('app3', 'soon', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn();
  await page.getByText('in 1 min 30 s').first().waitFor();
  await page.getByText('1 item within the hour').waitFor();
  await page.getByRole('cell', { name: '1 min 30 s' }).first().waitFor();
  await page.getByText('since the start').first().waitFor();
});

const kPath = (database, container) => ['dbs', database, 'colls', container];

test('a container that is deleted elsewhere goes from the page and from the tree', async () => {
  await explorer.container('app5', 'doomed');
  await explorer.item('app5', 'doomed', { id: 'a', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app5/colls/doomed/items' });
  await row(page, 'a').waitFor();
  await explorer.server.raw.request('DELETE', kPath('app5', 'doomed'));
  await page.getByText('There is no such container now').waitFor();
  await page.getByRole('navigation').getByText('doomed').waitFor({ state: 'detached' });
  assert.equal(await row(page, 'a').count(), 0);
  await page.getByRole('main').getByRole('link', { name: 'app5' }).click();
  await page.getByText('No container yet.').waitFor();

  // Made and deleted under the page of the database: the tree follows.
  await explorer.container('app5', 'another');
  await page.getByRole('navigation').getByText('another').waitFor();
  await explorer.server.raw.request('DELETE', ['dbs', 'app5']);
  await page.getByText('There is no such database now').waitFor();
  await page.getByRole('navigation').getByText('app5').waitFor({ state: 'detached' });
});

test('a container that is made anew elsewhere, with another key, is shown as it is now', async () => {
  await explorer.container('app6', 'again');
  await explorer.item('app6', 'again', { id: 'old', pk: 'x' });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app6/colls/again/items' });
  await row(page, 'old').click();
  await page.getByRole('textbox', { name: 'JSON of the item' }).getByText('"old"').waitFor();
  await writeInto(page, 'JSON of the item', '{"id": "old", "pk": "x", "typed": true}');

  await explorer.server.raw.request('DELETE', kPath('app6', 'again'));
  await explorer.container('app6', 'again', { partitionKey: { paths: ['/user'], kind: 'Hash', version: 2 } });
  await explorer.item('app6', 'again', { id: 'old', pk: 'x', user: 'ada' }, ['ada']);
  await row(page, 'old').getByText('ada').first().waitFor();
  await page.locator('.page-head').getByText('/user').waitFor();
  await page.getByRole('region', { name: 'Item', exact: true }).waitFor({ state: 'detached' });
  await row(page, 'old').click();
  assert.match(await editorText(page, 'JSON of the item'), /"user": "ada"/);
});

test('nothing is written into a container that has taken the place of the one on the page', async () => {
  await explorer.container('app7', 'swapped');
  const page = await explorer.openSignedIn({ hash: '#/dbs/app7/colls/swapped/items' });
  await page.getByRole('button', { name: 'New item' }).click();
  await writeInto(page, 'JSON of the item', '{"id": "a", "pk": "x"}');
  // The page learns of the new container by its save alone: nothing else about it is answered any more.
  await page.route(/_lapse\/ttl\?|colls\/swapped$/, (route) => route.abort());
  const unanswered = () => page.waitForEvent('requestfailed', (request) => /_lapse\/ttl\?/.test(request.url()));
  await unanswered();
  await explorer.server.raw.request('DELETE', kPath('app7', 'swapped'));
  await explorer.container('app7', 'swapped');
  await page.getByRole('button', { name: 'Create item' }).click();
  const reason = page.getByText('it was deleted, or deleted and made anew');
  await reason.waitFor();
  // The reason stays, whatever of the server is lost and found again.
  await unanswered();
  await unanswered();
  assert.ok(await reason.isVisible());
  assert.equal((await explorer.lapse('ttl/app7/swapped')).live.items, 0);
});

test('items, containers and databases whose names are steps in a path', async () => {
  const { raw } = explorer.server;
  await raw.request('POST', ['dbs'], { body: { id: '..' } });
  await explorer.container('app8', 'dots');
  await explorer.item('app8', 'dots', { id: '.', pk: 'x', n: 1 });
  await explorer.item('app8', 'dots', { id: '..', pk: 'x', n: 2 });
  const page = await explorer.openSignedIn({ hash: '#/dbs/app8/colls/dots/items' });
  await row(page, '..').click();
  await page.getByRole('textbox', { name: 'JSON of the item' }).getByText('"n"').waitFor();
  await writeInto(page, 'JSON of the item', '{"id": "..", "pk": "x", "n": 77}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Saved\./).waitFor();
  await row(page, '..').getByText('n: 77').waitFor({ state: 'attached' });
  await row(page, '.').click();
  await page.getByRole('region', { name: 'Item', exact: true }).getByText('"n": 1').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete item' }).click();
  await row(page, '.').waitFor({ state: 'detached' });
  assert.equal((await explorer.lapse('ttl/app8/dots')).live.items, 1);

  // A container `.` in the database `..`, all through the page.
  await page.getByRole('navigation').getByRole('link', { name: '..', exact: true }).click();
  await page.getByText('No container yet.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'New container' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Container' }).fill('.');
  await dialog.getByLabel('Partition key path').fill('/pk');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: '.', exact: true, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New item' }).click();
  await writeInto(page, 'JSON of the item', '{"id": "plain", "pk": "x", "n": 3}');
  await page.getByRole('button', { name: 'Create item' }).click();
  await row(page, 'plain').waitFor();
  await page.getByRole('tab', { name: 'Query' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('1 result', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Lifetime' }).click();
  await page.getByLabel('On: every item expires after').check();
  await page.getByLabel('Default lifetime').fill('1 h');
  await page.getByTestId('preview').getByText('item gets another deadline').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: 1 h.').waitFor();
  await page.getByText('1 item', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Indexing policy' }).waitFor();
  await page.getByRole('button', { name: 'Delete container' }).click();
  await dialog.getByRole('textbox').fill('.');
  await dialog.getByRole('button', { name: 'Delete for ever' }).click();
  await page.getByText('No container yet.').waitFor();
  await page.getByRole('button', { name: 'Delete database' }).click();
  await dialog.getByRole('textbox').fill('..');
  await dialog.getByRole('button', { name: 'Delete for ever' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  assert.ok(!(await raw.request('GET', ['dbs'])).json.Databases.some(({ id }) => id === '..'));
});
