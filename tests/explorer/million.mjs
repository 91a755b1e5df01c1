// How the list of items behaves in a large container: tools/node tests/explorer/million.mjs [ITEMS] (1,000,000)
//
// Fills a server in memory, then measures in the browser: how long until the first rows are there, how long frames take
// while the list is scrolled, and what the tab holds afterwards. With enough items it goes on until the list is higher
// than an element can be, and scrolls there. It prints, and fails where a bound is missed.
import { Explorer } from './support/explorer.mjs';

const items = Number(process.argv[2] ?? 1_000_000);
const kOpenMaxMs = 1_000;
const kFrameMaxMs = 50;
const kHeapMaxMb = 150;
const kWriters = 32;
const kPerBatch = 100;
const kScrolls = 400;
// Rows of which the list is higher than the element that is scrolled (web/src/parts/scroll_map.ts).
const kHighRows = 210_000;
const kWalkMaxMs = 600_000;

// Transactional batches: 100 items of one key each.
async function fill(explorer) {
  const { raw } = explorer.server;
  const path = ['dbs', 'app', 'colls', 'many', 'docs'];
  let next = 0;
  const write = async () => {
    for (let from = next; from < items; from = next) {
      next += kPerBatch;
      const key = `k${(from / kPerBatch) % 64}`;
      const operations = Array.from({ length: Math.min(kPerBatch, items - from) }, (_, at) => ({
        operationType: 'Create',
        resourceBody: { id: `item-${from + at}`, pk: key, n: from + at, text: 'some text that items have' },
      }));
      const headers = {
        'x-ms-documentdb-partitionkey': JSON.stringify([key]),
        'x-ms-cosmos-is-batch-request': 'true',
        'x-ms-cosmos-batch-atomic': 'true',
      };
      const answer = await raw.request('POST', path, { headers, body: operations });
      if (answer.status !== 200) throw new Error(answer.text);
    }
  };
  await Promise.all(Array.from({ length: kWriters }, write));
}

async function scroll(page) {
  return page.evaluate(async (turns) => {
    const body = document.querySelector('[data-testid="item-rows"]');
    const frames = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let last = await frame();
    for (let turn = 0; turn < turns; turn += 1) {
      body.scrollTop += 700;
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    frames.sort((a, b) => a - b);
    const share = (part) => frames[Math.min(frames.length - 1, Math.floor(frames.length * part))];
    return {
      median: share(0.5),
      p95: share(0.95),
      worst: frames.at(-1),
      row: Number(body.querySelector('[data-index]').dataset.index),
    };
  }, kScrolls);
}

// Scrolls on until so many rows are there. Gives how long it took.
async function walk(page, rows) {
  return page.evaluate(
    async ({ rows, maxMs }) => {
      const body = document.querySelector('[data-testid="item-rows"]');
      const start = performance.now();
      const last = () => Number([...body.querySelectorAll('[data-index]')].at(-1).dataset.index);
      while (last() < rows) {
        if (performance.now() - start > maxMs) throw new Error(`only ${last()} rows after ${maxMs} ms`);
        body.scrollTop += 3_500;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - start;
    },
    { rows, maxMs: kWalkMaxMs },
  );
}

function report(frames) {
  console.log(
    `frames while scrolling: median ${frames.median.toFixed(1)} ms, 95 of 100 within ${frames.p95.toFixed(1)} ms, ` +
      `worst ${frames.worst.toFixed(0)} ms; at row ${frames.row.toLocaleString('en-US')}`,
  );
}

const explorer = new Explorer({});
try {
  await explorer.start();
  await explorer.container('app', 'many', { defaultTtl: 86_400 });
  const fillStart = performance.now();
  await fill(explorer);
  console.log(`${items.toLocaleString('en-US')} items in ${((performance.now() - fillStart) / 1000).toFixed(1)} s`);

  const page = await explorer.openSignedIn();
  await page.getByRole('heading', { name: 'Largest containers' }).waitFor();
  // From the overview to the first row, as a person goes.
  const opened = await page.evaluate(async () => {
    const start = performance.now();
    location.hash = '#/dbs/app/colls/many/items';
    while (!document.querySelector('[data-testid="item-rows"] [data-id]'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  });
  console.log(`opened in ${opened.toFixed(0)} ms`);
  const down = await scroll(page);
  report(down);
  let high = down;
  if (items > kHighRows + 20_000) {
    const took = await walk(page, kHighRows);
    console.log(`${kHighRows.toLocaleString('en-US')} rows read in ${(took / 1000).toFixed(1)} s`);
    high = await scroll(page);
    report(high);
  }
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const heapMb = usedSize / 1024 / 1024;
  const drawn = await page.locator('[data-testid="item-rows"] [role="row"]').count();
  console.log(`heap of the tab ${heapMb.toFixed(1)} MB, ${drawn} rows drawn`);
  await explorer.closePages();
  const missed = [];
  if (opened > kOpenMaxMs) missed.push(`opening took more than ${kOpenMaxMs} ms`);
  if (Math.max(down.median, high.median) > kFrameMaxMs) missed.push(`frames took more than ${kFrameMaxMs} ms`);
  if (heapMb > kHeapMaxMb) missed.push(`the heap has more than ${kHeapMaxMb} MB`);
  for (const text of missed) console.error(text);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await explorer.dispose();
}
