// Pictures of the main pages for the README: tools/node tests/explorer/screenshots.mjs FOLDER
//
// The data is the same each time, and the clock is frozen.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Explorer, row, writeInto } from './support/explorer.mjs';

const folder = process.argv[2];
if (!folder) {
  console.error('screenshots: wants a folder');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

const kPeople = ['ada', 'grace', 'linus', 'margaret', 'alan', 'edsger', 'barbara', 'ken'];
const kDevices = ['phone', 'laptop', 'tablet'];

async function fill(explorer) {
  const { clock } = explorer.server;
  await clock.change({ freeze: true });
  await explorer.container('app', 'sessions', {
    partitionKey: { paths: ['/user'], kind: 'Hash', version: 2 },
    defaultTtl: 3600,
  });
  await explorer.container('app', 'tokens', { defaultTtl: -1 });
  await explorer.container('app', 'profiles');
  await explorer.container('telemetry', 'events', { defaultTtl: 86_400 });
  for (let at = 0; at < 240; at += 1) {
    const user = kPeople[at % kPeople.length];
    const own = at % 5 === 1 ? { ttl: 900 + ((at * 137) % 2700) } : at % 11 === 3 ? { ttl: -1 } : {};
    const item = {
      id: `session-${String(1000 + at)}`,
      user,
      device: kDevices[at % 3],
      score: (at * 7) % 100,
      roles: at % 4 === 0 ? ['admin', 'writer'] : ['reader'],
      ...own,
    };
    await explorer.item('app', 'sessions', item, [user]);
    // Now and then many come at once.
    await clock.change({ advance: at % 40 < 12 ? 1 : 14 });
  }
  for (let at = 0; at < 40; at += 1)
    await explorer.item('app', 'tokens', { id: `t${at}`, pk: 'a', ttl: 60 + at * 45, scope: 'read' });
  for (let at = 0; at < 25; at += 1)
    await explorer.item('app', 'profiles', { id: kPeople[at % 8] + at, pk: 'a', bio: 'x'.repeat(600) });
  for (let at = 0; at < 60; at += 1)
    await explorer.item('telemetry', 'events', { id: `e${at}`, pk: `d${at % 4}`, celsius: 20 + (at % 9) });
}

// A little traffic, so that the overview has something to show.
async function traffic(explorer, page) {
  for (let round = 0; round < 4; round += 1) {
    for (let at = 0; at < 60 + 50 * (round % 2); at += 1)
      await explorer.read('app', 'sessions', `session-${1000 + at}`, kPeople[at % 8]);
    await page.waitForResponse((answer) => answer.url().endsWith('/_lapse/overview'));
  }
}

const kPictures = {
  overview: async (page, explorer) => {
    await page.goto(`${explorer.address}#/`);
    await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
    await traffic(explorer, page);
  },
  items: async (page, explorer) => {
    await page.goto(`${explorer.address}#/dbs/app/colls/sessions/items`);
    await row(page, 'session-1002').click();
    await page.getByRole('textbox', { name: 'JSON of the item' }).waitFor();
  },
  query: async (page, explorer) => {
    await page.goto(`${explorer.address}#/dbs/app/colls/sessions/query`);
    await writeInto(
      page,
      'SQL query',
      'SELECT c.user, COUNT(1) AS sessions, AVG(c.score) AS score\n' +
        'FROM c\nWHERE ARRAY_CONTAINS(c.roles, "reader")\nGROUP BY c.user',
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/\d+ results/).waitFor();
  },
  lifetime: async (page, explorer) => {
    await page.goto(`${explorer.address}#/dbs/app/colls/sessions/lifetime`);
    await page.getByLabel('Default lifetime').fill('30 min');
    await page.getByTestId('preview').getByText('another deadline').waitFor();
  },
};

const explorer = new Explorer({});
try {
  await explorer.start();
  await fill(explorer);
  for (const colorScheme of ['light', 'dark']) {
    const page = await explorer.openSignedIn({
      colorScheme,
      viewport: { width: 1280, height: 800 },
      timezoneId: 'Europe/Berlin',
    });
    for (const [name, show] of Object.entries(kPictures)) {
      await show(page, explorer);
      await page.mouse.move(2, 400);
      await page.evaluate(() => document.activeElement?.blur());
      const file = path.join(folder, `explorer-${name}-${colorScheme}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      console.log(file);
    }
  }
  await explorer.closePages();
} finally {
  await explorer.dispose();
}
