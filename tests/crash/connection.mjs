// Signed requests over one connection that is kept.
import http from 'node:http';
import { RawClient } from '../sdk/js/support/raw.mjs';

const kAnswerMaxMs = 20_000;

export class Connection extends RawClient {
  constructor(port, key) {
    super(port, key);
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  plain(method, path, { headers = {}, body } = {}) {
    const framed = body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers };
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.port, method, path, headers: framed, agent: this.agent, timeout: kAnswerMaxMs },
        (response) => collect(response).then(resolve, reject),
      );
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
      request.on('error', reject);
      request.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}

// Fails when the connection ends before the answer does.
async function collect(response) {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode, headers: response.headers, text, json: text ? JSON.parse(text) : undefined };
}
