// Queries: a mistake and then none, pages, views, history, completion, export.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach } from 'node:test';
import { chooseFromMenu, explorerForFile, test, writeInto } from './support/explorer.mjs';

const kItems = 230;
const explorer = explorerForFile({
  prepare: async (it) => {
    await it.container('app', 'orders');
    for (let at = 0; at < kItems; at += 1)
      await it.item('app', 'orders', {
        id: `o${at}`,
        pk: `p${at % 3}`,
        total: at,
        note: at === 7 ? '=1+1, "x"' : 'plain',
      });
    const headers = { 'x-ms-documentdb-partitionkey': '["p0"]' };
    await it.server.raw.request('PUT', ['dbs', 'app', 'colls', 'orders', 'docs', 'o0'], {
      headers,
      body: '{"id":"o0","pk":"p0","total":9007199254740993,"note":"big"}',
    });
  },
});
afterEach(() => explorer.closePages());

const kSql = 'SQL query';
const openQuery = async () => {
  const page = await explorer.openSignedIn({ hash: '#/dbs/app/colls/orders/query' });
  await page.getByRole('textbox', { name: kSql }).waitFor();
  return page;
};

test('a mistake is underlined at its place, and the query runs when it is mended', async () => {
  const page = await openQuery();
  await writeInto(page, kSql, 'SELECT * FORM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('alert').or(page.getByText('Syntax error')).first().waitFor();
  const marked = page.locator('.cm-lintRange-error');
  await marked.waitFor();
  assert.equal(await marked.innerText(), 'FORM');
  await writeInto(page, kSql, 'SELECT c.id, c.total FROM c WHERE c.total < 3 ORDER BY c.total');
  await marked.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 results', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'o1', exact: true }).waitFor();
  const status = await page.locator('.status-line').innerText();
  assert.match(status, /[\d.]+ RU/);
  assert.match(status, /\d+(\.\d+)? m?s/);
  assert.match(status, /items looked at/);
  assert.match(status, /index/);
});

test('results come page by page, as table, tree and JSON', async () => {
  const page = await openQuery();
  await writeInto(page, kSql, 'SELECT * FROM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('100 results so far').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('200 results so far').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText(`${kItems} results`, { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0);
  // Far fewer rows are drawn than there are.
  assert.ok((await page.locator('.results-table tbody tr').count()) < 60);
  await page.getByRole('tab', { name: 'Tree' }).click();
  await page.getByText('30 more').waitFor();
  await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  await page.getByRole('textbox', { name: 'Results as JSON' }).getByText('9007199254740993').waitFor();
});

test('the history brings a query back, completion knows functions and properties', async () => {
  const page = await openQuery();
  await writeInto(page, kSql, 'SELECT VALUE COUNT(1) FROM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('cell', { name: String(kItems) }).waitFor();
  await writeInto(page, kSql, 'SELECT VALUE c.');
  await page.keyboard.type('tot');
  await page.locator('.cm-tooltip-autocomplete').getByText('total').waitFor();
  await page.keyboard.press('Escape');
  await writeInto(page, kSql, 'SELECT ');
  await page.keyboard.type('ARRAY_LEN');
  await page.locator('.cm-tooltip-autocomplete').getByText('ARRAY_LENGTH').waitFor();
  await page.keyboard.press('Escape');
  await chooseFromMenu(page, 'History', 'SELECT VALUE COUNT(1) FROM c');
  await page.getByRole('textbox', { name: kSql }).getByText('SELECT VALUE COUNT(1) FROM c', { exact: true }).waitFor();
});

test('suggestions are not in the way of what runs the query', async () => {
  const page = await openQuery();
  await writeInto(page, kSql, '');
  await page.keyboard.type('SELECT * FROM c');
  const suggestions = page.locator('.cm-tooltip-autocomplete');
  // So many functions begin like this that their list is long.
  await page.keyboard.type(' WHERE ARRAY_');
  await suggestions.getByText('ARRAY_LENGTH').waitFor();
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/docs')),
    page.getByRole('button', { name: 'Run' }).click(),
  ]);
});

async function exported(page, choice) {
  await chooseFromMenu(page, 'Export', choice);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`${kItems} results in orders`).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Save file' }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  return { name: download.suggestedFilename(), text };
}

test('all results are exported, with every number as it is', async () => {
  const page = await openQuery();
  await writeInto(page, kSql, 'SELECT * FROM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('100 results so far').waitFor();
  const json = await exported(page, 'All results as JSON');
  assert.equal(json.name, 'orders.json');
  assert.equal(JSON.parse(json.text).length, kItems);
  assert.match(json.text, /"total":9007199254740993/);
  const csv = await exported(page, 'All results as CSV');
  assert.equal(csv.name, 'orders.csv');
  const lines = csv.text.trimEnd().split('\r\n');
  assert.equal(lines.length, kItems + 1);
  assert.match(lines[0], /^id,pk,total,note,/);
  assert.ok(lines.some((line) => line.startsWith('o0,p0,9007199254740993,big,')));
  assert.ok(
    lines.some((line) => line.startsWith('o7,p1,7,"\'=1+1, ""x""",')),
    'a formula is text',
  );
});

test('an export can be cancelled', async () => {
  const page = await openQuery();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('so far').waitFor();
  // The page of the export never comes: only Cancel ends it.
  await page.route('**/dbs/app/colls/orders/docs', () => {});
  await chooseFromMenu(page, 'Export', 'All results as CSV');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('progressbar').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});
