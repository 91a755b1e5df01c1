// The program: how it starts, says that it is ready, shows its health, stops, and keeps what it was given.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { forAll, newContainer, test } from './support/check.mjs';
import { kMasterKey, makeDataDirectory, Process, Server, serverForFile } from './support/server.mjs';

// One line of Prometheus text: a name, labels, a value, and perhaps a time.
const kLabel = /[a-zA-Z_]\w*="([^"\\\n]|\\.)*",?/.source;
const kValue = /(NaN|[+-]?Inf|[+-]?[\d.]+(e[+-]?\d+)?)/.source;
const kSample = new RegExp(`^[a-zA-Z_:][\\w:]*(\\{(${kLabel})*\\})? ${kValue}( \\d+)?$`);

// A stop that takes longer than this is not quick any more, even on a loaded machine.
const kQuickStopMs = 3000;

describe('a running server', () => {
  const server = serverForFile();

  test('the ready line says where it is', () => {
    const { endpoint, connection_string: connectionString } = server.readyFields;
    assert.match(endpoint, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    assert.equal(connectionString.replace(/;$/, ''), `AccountEndpoint=${endpoint};AccountKey=${kMasterKey}`);
    assert.equal(server.process.lines.filter((line) => / ready /.test(line)).length, 1);
  });

  test('it is healthy', async () => {
    const health = await server.health();
    assert.equal(health.status, 200);
    assert.equal(typeof health.json, 'object');
  });

  test('its metrics are Prometheus text', async () => {
    await newContainer(server.client());
    const { status, headers, text } = await server.raw.plain('GET', '/_lapse/metrics');
    assert.equal(status, 200);
    assert.match(headers['content-type'], /^text\/plain/);
    const typed = new Set();
    let samples = 0;
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
      if (type) {
        assert.ok(!typed.has(type[1]), `${type[1]} has one type`);
        typed.add(type[1]);
      } else if (!line.startsWith('#')) {
        assert.match(line, kSample);
        samples += 1;
      }
    }
    assert.ok(samples > 0);
    assert.ok(text.endsWith('\n'));
  });
});

describe('starting and stopping', () => {
  test('SIGTERM, SIGINT and SIGHUP end it quickly and without an error', async (t) => {
    const server = new Server();
    t.after(() => server.dispose());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      await server.start();
      await newContainer(server.client());
      // An open connection must not hold it up.
      const idle = await server.raw.connect();
      const started = performance.now();
      const exit = await server.stop(signal);
      idle.destroy();
      assert.deepEqual(exit, { code: 0, signal: null });
      assert.ok(performance.now() - started < kQuickStopMs);
    }
  });

  test('a directory that is not there is made', async (t) => {
    const parent = makeDataDirectory();
    const server = new Server();
    server.dataDirectory = path.join(parent, 'deeper', 'data');
    t.after(async () => {
      await server.dispose();
      rmSync(parent, { recursive: true, force: true });
    });
    await server.start();
    await server.assertHealthy();
  });

  test('a second server on the same directory is refused', async (t) => {
    const server = new Server();
    t.after(() => server.dispose());
    await server.start();
    const container = await newContainer(server.client());
    const second = new Process(server.arguments());
    assert.equal(await second.waitRefused(), 1);
    assert.match(second.lines.join('\n'), /lock|in use|another/i);
    await server.assertHealthy();
    await container.items.create({ id: 'x', pk: 'p' });
  });

  for (const [what, args] of Object.entries({
    'an unknown flag': ['--nonsense'],
    'a port that is none': ['--port', 'x'],
    'a port out of range': ['--port', '99999'],
    'a key that is not base64': ['--account-key', '***'],
    'an empty key': ['--account-key', ''],
    'an empty read-only key': ['--read-only-key', ''],
    'a short key beyond loopback': ['--host', '0.0.0.0', '--account-key', 'YWJj'],
    'an unknown log level': ['--log-level', 'loud'],
  })) {
    test(`${what} is refused with a text`, async () => {
      const refused = new Process(['--in-memory', '--port', '0', ...args]);
      assert.ok([1, 2].includes(await refused.waitRefused()));
      assert.ok(refused.lines.join('').length > 0);
    });
  }

  test('in memory, a restart forgets', async (t) => {
    const server = new Server({ inMemory: true });
    t.after(() => server.dispose());
    await server.start();
    const container = await newContainer(server.client());
    await container.items.create({ id: 'x', pk: 'p' });
    assert.equal((await container.item('x', 'p').read()).statusCode, 200);
    await server.restart();
    assert.deepEqual((await server.client().databases.readAll().fetchAll()).resources, []);
  });
});

describe('durability', () => {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    test(`what was answered survives ${signal}`, async (t) => {
      const server = new Server();
      t.after(() => server.dispose());
      await server.start();
      const container = await newContainer(server.client(), { defaultTtl: 3600 });
      const definition = (await container.read()).resource;
      const kept = new Map();
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      await forAll(numbers, async (number) => {
        const body = { id: `${number}`, pk: `${number % 7}`, text: 'x'.repeat(number) };
        const { resource } = await container.items.create(body);
        kept.set(resource.id, resource);
      });
      for (const number of numbers.filter((one) => one % 10 === 0)) {
        await container.item(`${number}`, `${number % 7}`).delete();
        kept.delete(`${number}`);
      }
      for (const number of numbers.filter((one) => one % 10 === 1)) {
        const { resource } = await container.items.upsert({ id: `${number}`, pk: `${number % 7}`, again: true });
        kept.set(resource.id, resource);
      }
      for (let round = 0; round < 2; ++round) {
        await server.restart(signal);
        const again = server.client().database('db').container(container.id);
        assert.deepEqual((await again.read()).resource, definition);
        const { resources } = await again.items.readAll().fetchAll();
        assert.equal(resources.length, kept.size);
        for (const item of resources) assert.deepEqual(item, kept.get(item.id));
      }
    });
  }

  test('killed in the middle of writes, every answered one is there', async (t) => {
    const server = new Server();
    t.after(() => server.dispose());
    await server.start();
    const container = await newContainer(server.client());
    const answered = [];
    let stopping = false;
    const writer = async (worker) => {
      for (let number = 0; !stopping; ++number) {
        const id = `${worker}-${number}`;
        const answer = await server.raw
          .request('POST', ['dbs', 'db', 'colls', container.id, 'docs'], {
            headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
            body: { id, pk: 'p' },
          })
          .catch(() => null);
        if (answer?.status === 201) answered.push(id);
        if (answered.length >= 200) stopping = true;
      }
    };
    const writers = Array.from({ length: 8 }, (_, worker) => writer(worker));
    await Promise.race(writers); // one has seen that it is enough, and the others are in the middle of a request
    await server.stop('SIGKILL');
    await Promise.all(writers);
    await server.start();
    const again = server.client().database('db').container(container.id);
    const there = new Set((await again.items.readAll().fetchAll()).resources.map(({ id }) => id));
    assert.deepEqual(answered.filter((id) => !there.has(id)), []);
  });

  test('the same client and its running iterator go on after a kill', async (t) => {
    const server = new Server();
    t.after(() => server.dispose());
    await server.start();
    const container = await newContainer(server.client(), {}, { offerThroughput: 18_000 });
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    await forAll(numbers, (number) => container.items.create({ id: `${number}`, pk: `${number % 7}`, number }));
    const pages = container.items.query('SELECT VALUE c.number FROM c ORDER BY c.number', { maxItemCount: 10 });
    const seen = [...(await pages.fetchNext()).resources];
    assert.ok(seen.length > 0 && seen.length < numbers.length);
    await server.killAndStartInPlace();
    while (pages.hasMoreResults()) seen.push(...((await pages.fetchNext()).resources ?? []));
    assert.deepEqual(seen, numbers);
    assert.equal((await container.items.create({ id: 'after', pk: 'p' })).statusCode, 201);
  });
});
