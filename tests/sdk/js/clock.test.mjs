// The test clock: what moves it, what is refused, that it survives the server, and who may touch it.
import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { describe } from 'node:test';
import { assertError, newContainer, statusOf, test } from './support/check.mjs';
import { kClockPath } from './support/clock.mjs';
import { Process, Server, serverForFile } from './support/server.mjs';

const kDay = 86_400;

// Without the clocks of the machine, which go on.
const storeTime = ({ now, now_ms: nowMs, frozen, test: isTest }) => ({ now, nowMs, frozen, isTest });

describe('moving the clock', () => {
  const server = serverForFile();

  test('it starts at real time and runs', async () => {
    const state = await server.clock.state();
    assert.equal(state.frozen, false);
    assert.ok(Math.abs(state.now - Date.now() / 1000) < 60);
  });

  test('frozen, it stands still', async () => {
    const frozen = await server.clock.change({ freeze: true });
    assert.equal(frozen.frozen, true);
    const container = await newContainer(server.client());
    for (let n = 0; n < 3; ++n) {
      const { resource } = await container.items.upsert({ id: 'x', pk: 'p', n });
      assert.equal(resource._ts, Math.floor(frozen.now));
    }
    assert.deepEqual(storeTime(await server.clock.state()), storeTime(frozen));
    assert.deepEqual(storeTime(await server.clock.change({ freeze: true })), storeTime(frozen));
  });

  const kDurations = [['30d', 30 * kDay], ['90s', 90], ['5m', 300], ['2h', 7200], [17, 17], [1, 1], [0, 0]];
  for (const [duration, seconds] of kDurations) {
    test(`advancing by ${JSON.stringify(duration)} is ${seconds} seconds`, async () => {
      const before = await server.clock.freeze();
      assert.equal(await server.clock.advance(duration), before + seconds);
      assert.equal(await server.clock.now(), before + seconds);
      assert.equal((await server.clock.state()).frozen, true);
    });
  }

  test('setting it goes there', async () => {
    const before = await server.clock.freeze();
    assert.equal(await server.clock.set(before + 12_345), before + 12_345);
    assert.equal(await server.clock.set(before + 12_345), before + 12_345, 'where it is already is not backwards');
  });

  test('it never goes back', async () => {
    const before = await server.clock.freeze();
    assertError(await server.clock.post({ set: before - 1 }), 400);
    assertError(await server.clock.post({ set: 0 }), 400);
    assertError(await server.clock.post({ advance: -1 }), 400);
    assertError(await server.clock.post({ advance: '-30d' }), 400);
    assert.equal(await server.clock.now(), before);
  });

  test('resumed, it runs from where it was', async () => {
    const before = await server.clock.freeze();
    const resumed = await server.clock.change({ resume: true });
    assert.equal(resumed.frozen, false);
    const { now } = await server.clock.state();
    assert.ok(now >= before && now < before + 60, `${before} -> ${now}`);
    const advanced = await server.clock.advance(100);
    assert.ok(advanced >= before + 100 && advanced < before + 160);
    assert.equal((await server.clock.state()).frozen, false);
  });

  const kBadCommands = [
    '', '{', 'null', '[]', '5', '"freeze"', '{}', '{"nonsense":true}',
    '{"advance":"soon"}', '{"advance":"30 years"}', '{"advance":""}', '{"advance":null}',
    '{"advance":true}', '{"advance":1e300}', '{"advance":"999999999999999999999d"}',
    '{"set":"now"}', '{"set":null}', '{"set":1e300}', '{"set":99999999999999999999}',
    '{"freeze":"yes"}', '{"freeze":false,"resume":false}', '{"freeze":true,"resume":true}',
    '{"advance":1,"set":9999999999}',
  ];
  for (const body of kBadCommands) {
    test(`the command ${JSON.stringify(body)} is refused`, async () => {
      const before = await server.clock.freeze();
      assertError(await server.clock.post(body), 400);
      const { now, frozen } = await server.clock.state();
      assert.deepEqual({ now, frozen }, { now: before, frozen: true });
    });
  }

  test('other verbs are refused', async () => {
    const before = await server.clock.freeze();
    for (const verb of ['PUT', 'DELETE', 'PATCH']) {
      const headers = { 'content-type': 'application/json' };
      assertError(await server.raw.plain(verb, kClockPath, { headers, body: '{"advance":5}' }), 405);
    }
    assert.equal(await server.clock.now(), before);
  });

  test('a web page cannot move it', async () => {
    const before = await server.clock.freeze();
    const command = { advance: 5 };
    const jsonType = { 'content-type': 'application/json' };
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { ...jsonType, host: 'evil.example' },
      { ...jsonType, host: `evil.example:${server.port}` },
      { ...jsonType, host: '127.0.0.1.evil.example' },
      { ...jsonType, host: 'localhost.evil.example' },
    ]) {
      const answer = await server.clock.post(command, headers);
      assertError(answer, 400, 401, 403, 415, 421);
      assert.equal(await server.clock.now(), before, JSON.stringify(headers));
    }
  });

  test('loopback names may', async () => {
    for (const host of ['127.0.0.1', 'localhost', `localhost:${server.port}`, `[::1]:${server.port}`]) {
      const before = await server.clock.freeze();
      const headers = { 'content-type': 'application/json; charset=utf-8', host };
      const answer = await server.clock.post({ advance: 5 }, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.now, before + 5);
    }
  });
});

describe('the clock and the life of the server', () => {
  const server = serverForFile();

  for (const signal of ['SIGTERM', 'SIGKILL']) {
    test(`frozen or not, its state survives ${signal}`, async () => {
      await server.clock.freeze();
      const before = await server.clock.advance('30d');
      await server.restart(signal);
      const state = await server.clock.state();
      assert.equal(state.now, before);
      assert.equal(state.frozen, true);
      await server.clock.resume();
      await server.restart(signal);
      const running = await server.clock.state();
      assert.equal(running.frozen, false);
      assert.ok(running.now >= before && running.now < before + 60, `${before} -> ${running.now}`);
    });
  }
});

describe('the clock on a full disk', () => {
  const server = serverForFile();

  for (const signal of ['SIGTERM', 'SIGKILL']) {
    test(`what expired stays gone after ${signal}`, async () => {
      await server.clock.freeze();
      const { id } = await newContainer(server.client(), { defaultTtl: -1 });
      const item = () => server.client().database('db').container(id).item('x', 'p');
      await server.client().database('db').container(id).items.create({ id: 'x', pk: 'p', ttl: 5 });
      // So great a reserve that the store itself takes no write.
      const { blocks, bsize } = statfsSync(server.dataDirectory);
      server.args = ['--disk-reserve', `${blocks * bsize}`];
      await server.restart();
      assert.equal(await statusOf(item().read()), 200);
      const now = await server.clock.advance(5);
      assert.equal(await statusOf(item().read()), 404);
      server.args = [];
      await server.restart(signal);
      assert.equal(await server.clock.now(), now);
      assert.equal(await statusOf(item().read()), 404);
    });
  }
});

describe('the clock without the flag', () => {
  const server = serverForFile({ testClock: false });

  test('it can be read', async () => {
    const state = await server.clock.state();
    const { frozen, test: isTest, held } = state;
    assert.deepEqual({ frozen, isTest, held }, { frozen: false, isTest: false, held: false });
    // Store time ticks with the steady clock, and the machine may be slowing its calendar: a few milliseconds behind.
    assert.ok(Math.abs(state.ahead_ms) < 60_000);
    assert.ok(Math.abs(state.now - Date.now() / 1000) < 60);
    assert.ok(Math.abs(state.wall_ms - Date.now()) < 60_000);
    assert.equal(Math.floor(state.now_ms / 1000), state.now);
  });

  test('every command is 403', async () => {
    const commands = [{ freeze: true }, { resume: true }, { advance: 5 }, { advance: '30d' }, { set: 9_999_999_999 }];
    for (const command of commands) assertError(await server.clock.post(command), 403);
    const container = await newContainer(server.client());
    const { resource } = await container.items.create({ id: 'x', pk: 'p' });
    assert.ok(Math.abs(resource._ts - Date.now() / 1000) < 60);
  });
});

describe('a data directory belongs to one kind of clock', () => {
  for (const testClock of [true, false]) {
    test(testClock ? 'one of the test clock needs the flag' : 'one of real time refuses the flag', async (t) => {
      const server = new Server({ testClock });
      t.after(() => server.dispose());
      await server.start();
      await server.stop();

      const other = new Server({ testClock: !testClock });
      other.dataDirectory = server.dataDirectory;
      const refused = new Process(other.arguments());
      assert.equal(await refused.waitRefused(), 1);
      assert.match(refused.lines.join('\n'), /test.clock/);

      await server.start();
      await server.assertHealthy();
    });
  }
});
