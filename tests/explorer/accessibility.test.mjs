// axe finds nothing serious on any page, light and dark; landmarks are there; nothing is cut off, whatever the width.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import slowTest, { afterEach } from 'node:test';
import { kAxeSource } from './support/browser.mjs';
import { explorerForFile, row, test } from './support/explorer.mjs';

// axe looks at every element of eight pages.
const kAllPagesMaxMs = 240_000;

const explorer = explorerForFile({
  prepare: async (it) => {
    await it.container('app', 'sessions', { defaultTtl: 3600 });
    for (let at = 0; at < 20; at += 1)
      await it.item('app', 'sessions', {
        id: `s${at}`,
        pk: 'a',
        ...(at % 3 === 1 ? { ttl: 600 } : at % 3 === 2 ? { ttl: -1 } : {}),
      });
  },
});
afterEach(() => explorer.closePages());

const axe = readFileSync(kAxeSource, 'utf8');
const kContainer = '#/dbs/app/colls/sessions/';
const kPages = [
  { name: 'overview', hash: '#/', ready: (page) => page.getByRole('cell', { name: '20' }).first().waitFor() },
  { name: 'database', hash: '#/dbs/app', ready: (page) => page.getByRole('table').waitFor() },
  {
    name: 'items',
    hash: `${kContainer}items`,
    ready: async (page) => {
      await row(page, 's1').click();
      await page.getByRole('textbox', { name: 'JSON of the item' }).waitFor();
    },
  },
  {
    name: 'query',
    hash: `${kContainer}query`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('20 results', { exact: true }).waitFor();
    },
  },
  {
    name: 'lifetime',
    hash: `${kContainer}lifetime`,
    ready: async (page) => {
      await page.getByLabel('Default lifetime').fill('30 d');
      await page.getByTestId('preview').getByText('another deadline').waitFor();
    },
  },
  {
    name: 'settings',
    hash: `${kContainer}settings`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Save throughput' }).waitFor();
      await page.getByRole('textbox', { name: 'Indexing policy' }).waitFor();
    },
  },
  {
    name: 'new container, with the test clock open',
    hash: '#/dbs/app',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Test clock' }).click();
      await page.getByRole('main').getByRole('button', { name: 'New container' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).waitFor();
    },
  },
];

async function seriousViolations(page) {
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.all[0]?.message ?? ''})`)
          .join('; ')}`,
    );
}

for (const colorScheme of ['light', 'dark']) {
  slowTest(`nothing serious in ${colorScheme}`, { timeout: kAllPagesMaxMs }, async () => {
    const found = [];
    const page = await explorer.openSignedIn({ colorScheme });
    // The page's own policy lets no script in that is not a file of it: axe comes through the debugger.

    for (const { name, hash, ready } of kPages) {
      await page.goto(explorer.address + hash);
      await ready(page);
      await page.evaluate(`${axe}; undefined`);
      for (const violation of await seriousViolations(page)) found.push(`${name}: ${violation}`);
      if (name.startsWith('new container')) await page.keyboard.press('Escape');
    }
    const start = await explorer.open({ colorScheme });
    await start.getByRole('button', { name: 'Use the well-known key' }).waitFor();
    await start.evaluate(`${axe}; undefined`);
    for (const violation of await seriousViolations(start)) found.push(`sign-in: ${violation}`);
    assert.deepEqual(found, []);
  });
}

test('a page that is left while a dialog is open is there for screen readers on the next page', async () => {
  const page = await explorer.openSignedIn({ hash: '#/' });
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  await page.getByRole('link', { name: 'app', exact: true }).first().click();
  await page.getByRole('main').getByRole('button', { name: 'New container' }).click();
  await page.getByRole('dialog').waitFor();
  // The page below is hidden with some delay.
  await page.locator('.shell').and(page.locator('[aria-hidden="true"] *')).waitFor({ state: 'attached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
});

test('there are landmarks, a title and one heading of the first level', async () => {
  const page = await explorer.openSignedIn({ hash: `${kContainer}items` });
  await row(page, 's1').waitFor();
  for (const role of ['banner', 'navigation', 'main', 'search'])
    assert.equal(await page.getByRole(role).count(), 1, role);
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  assert.match(await page.title(), /Lapse/);
});

// What is wider than the part of the page that it stands in.
async function tooWide(page) {
  return page.evaluate(async () => {
    // Charts follow the width of their place by a frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return [...document.querySelectorAll('#main, .panel, .clock-bar, .table-scroll')]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .map((part) => `${part.className}: ${part.scrollWidth - part.clientWidth} pixels`);
  });
}

for (const width of [400, 900, 1280]) {
  test(`nothing stands beyond the edge of its part in a window of ${width} pixels`, async () => {
    const page = await explorer.openSignedIn({ viewport: { width, height: 760 } });
    await page.getByRole('button', { name: 'Test clock' }).click();
    for (const { hash, ready } of kPages.slice(0, 6)) {
      await page.goto(explorer.address + hash);
      await ready(page);
      assert.deepEqual(await tooWide(page), [], hash);
    }
  });
}

test('the overview is whole at every width, and no two regions have one name', async () => {
  const page = await explorer.openSignedIn();
  await page.getByRole('cell', { name: '20' }).first().waitFor();
  for (let width = 320; width <= 1600; width += 80) {
    await page.setViewportSize({ width, height: 760 });
    assert.deepEqual(await tooWide(page), [], `${width} pixels`);
  }
  const regions = await page.getByRole('region').all();
  const names = await Promise.all(
    regions.map((region) =>
      region.evaluate(
        (element) =>
          element.getAttribute('aria-label') ??
          document.getElementById(element.getAttribute('aria-labelledby')).innerText,
      ),
    ),
  );
  assert.ok(names.length >= 3, String(names));
  assert.deepEqual([...new Set(names)], names);
});

test('a narrow window has the tree behind a button', async () => {
  const page = await explorer.openSignedIn({ viewport: { width: 400, height: 760 }, hash: `${kContainer}items` });
  await row(page, 's1').waitFor();
  await page.getByRole('button', { name: 'Resources' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  await page.getByRole('navigation', { name: 'Resources' }).waitFor({ state: 'hidden' });
});

test('dates are in the zone of the reader, with UTC beside', async () => {
  const page = await explorer.openSignedIn({ hash: `${kContainer}items`, timezoneId: 'Asia/Kathmandu' });
  const time = row(page, 's0').locator('time');
  await time.waitFor();
  assert.match(await time.getAttribute('title'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  const written = await time.getAttribute('datetime');
  assert.match(written, /Z$/);
  const minutes = (new Date(written).getUTCMinutes() + 45) % 60;
  assert.match(await time.innerText(), new RegExp(`:${String(minutes).padStart(2, '0')}:`));

  // Where there is room, and for those who do not point at things: both are to be read.
  const both = (part) => part.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await row(page, 's0').focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Item', exact: true });
  await panel.getByText('gone at').waitFor();
  assert.equal(await both(panel).count(), 2);
  await page.getByRole('tab', { name: 'Lifetime' }).click();
  await both(page.getByRole('region', { name: 'Now' })).waitFor();
  await page.getByText('As a table').click();
  await both(page.getByRole('table')).first().waitFor();
});
