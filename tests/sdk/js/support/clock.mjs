// The test clock of a server: store time stands still or jumps when a test says so.
import assert from 'node:assert/strict';

export const kClockPath = '/_lapse/clock';

export class Clock {
  constructor(server) {
    this.server = server;
  }

  async state() {
    return this.answer(await this.server.raw.plain('GET', kClockPath));
  }

  async now() {
    return (await this.state()).now;
  }

  // Returns the second at which it stands.
  async freeze() {
    return (await this.change({ freeze: true })).now;
  }

  // Seconds, or a text such as '30d'.
  async advance(duration) {
    return (await this.change({ advance: duration })).now;
  }

  async set(unixSeconds) {
    return (await this.change({ set: unixSeconds })).now;
  }

  async resume() {
    return (await this.change({ resume: true })).now;
  }

  async change(body) {
    return this.answer(await this.post(body));
  }

  // The bare answer, for requests that are meant to fail.
  async post(body, headers = { 'content-type': 'application/json' }) {
    return this.server.raw.plain('POST', kClockPath, {
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  answer(response) {
    assert.equal(response.status, 200, response.text);
    return response.json;
  }
}
