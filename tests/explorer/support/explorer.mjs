// A server and a browser for each test file, and the page of the one in the other.
import assert from 'node:assert/strict';
import nodeTest, { after, before } from 'node:test';
import { kMasterKey, Server } from '../../sdk/js/support/server.mjs';
import { launchBrowser } from './browser.mjs';

// Bounds for what never comes. A busy machine may need a good part of them, so no test counts on their end.
const kStartMaxMs = 120_000;
const kActionMaxMs = 90_000;
const kTestMaxMs = 240_000;

// A test that cannot hang.
export function test(name, run) {
  return nodeTest(name, { timeout: kTestMaxMs }, run);
}

// A server that keeps its port when it is started again: the page stays open meanwhile.
class SamePortServer extends Server {
  arguments() {
    const all = super.arguments();
    if (this.port) all[all.indexOf('--port') + 1] = String(this.port);
    return all;
  }
}

export class Explorer {
  pages = [];
  contexts = new Map();

  constructor(options) {
    this.server = new SamePortServer({ inMemory: true, ...options });
  }

  async start() {
    [, this.browser] = await Promise.all([this.server.start(), launchBrowser()]);
  }

  async dispose() {
    await this.browser?.close();
    await this.server.dispose();
  }

  get address() {
    return `http://127.0.0.1:${this.server.port}/_explorer/`;
  }

  // Pages that look alike share the browser's cache, and nothing else: what the page stores, it stores for its tab.
  async context(options) {
    const name = JSON.stringify(options);
    if (!this.contexts.has(name)) {
      const context = await this.browser.newContext({ ...options, acceptDownloads: true, reducedMotion: 'reduce' });
      context.setDefaultTimeout(kActionMaxMs);
      this.contexts.set(name, context);
    }
    return this.contexts.get(name);
  }

  // A page of its own, with nothing stored. Whatever it asks for elsewhere, and whatever goes wrong in its scripts, is
  // kept and judged by `assertClean`.
  async open({ hash = '', colorScheme = 'light', viewport = { width: 1280, height: 800 }, timezoneId, key } = {}) {
    const page = await (await this.context({ colorScheme, viewport, timezoneId })).newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
    page.on('console', (message) => {
      // A browser reports every answer of 400 and above, and every request without an answer, on the console.
      if (
        message.type() === 'error' &&
        !/^(Failed to load resource|TypeError: Failed to fetch dyn)/.test(message.text())
      )
        problems.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'blob:' && protocol !== 'data:' && origin !== new URL(this.address).origin)
        problems.push(`asked for ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      problems.push(`a dialog of the browser: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const opened = { page, problems, close: () => page.close() };
    this.pages.push(opened);
    if (key !== undefined) await page.addInitScript((value) => sessionStorage.setItem('lapse.key', value), key);
    await page.goto(this.address + hash);
    return page;
  }

  // The page with the read-write key.
  async openSignedIn(options = {}) {
    const page = await this.open({ key: kMasterKey, ...options });
    await page.getByRole('main').waitFor();
    return page;
  }

  async closePages() {
    const opened = this.pages.splice(0);
    await Promise.all(opened.map(({ close }) => close()));
    assert.deepEqual(
      opened.flatMap(({ problems }) => problems),
      [],
    );
  }

  // Resources made by the REST API, for tests of other things.
  async container(database, container, definition = {}) {
    await this.server.raw.request('POST', ['dbs'], { body: { id: database } });
    const body = { id: container, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, ...definition };
    const answer = await this.server.raw.request('POST', ['dbs', database, 'colls'], { body });
    assert.equal(answer.status, 201, answer.text);
  }

  async item(database, container, item, key = [item.pk]) {
    const answer = await this.server.raw.request('POST', ['dbs', database, 'colls', container, 'docs'], {
      headers: { 'x-ms-documentdb-partitionkey': JSON.stringify(key) },
      body: item,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }

  async read(database, container, id, key) {
    return this.server.raw.request('GET', ['dbs', database, 'colls', container, 'docs', id], {
      headers: { 'x-ms-documentdb-partitionkey': JSON.stringify([key]) },
    });
  }

  async lapse(path) {
    const answer = await this.server.raw.plain('GET', `/_lapse/${path}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }
}

export function explorerForFile({ prepare = async () => {}, ...options } = {}) {
  const explorer = new Explorer(options);
  before(
    async () => {
      await explorer.start();
      await prepare(explorer);
    },
    { timeout: kStartMaxMs },
  );
  after(() => explorer.dispose(), { timeout: kStartMaxMs });
  return explorer;
}

// Puts a text into an editor of the page, in place of what is there.
export async function writeInto(page, label, text) {
  await page.getByRole('textbox', { name: label }).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

export async function chooseFromMenu(page, button, item) {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

// The text of an editor. It draws only the lines in sight, so this is for short ones.
export async function editorText(page, label) {
  return page.getByRole('textbox', { name: label }).innerText();
}

export function row(page, id) {
  return page.locator(`[data-testid="item-rows"] [data-id=${JSON.stringify(id)}]`);
}
