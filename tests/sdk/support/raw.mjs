// Signed HTTP requests, for what the SDK cannot or will not send, and bare sockets for what is not even HTTP.
import { createHmac } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';

const kVersion = '2020-07-15';
const kAnswerMaxMs = 15_000;

// The value of the authorization header. `link` is the name link with its case kept.
export function authorization(key, verb, type, link, date) {
  const text = `${verb.toLowerCase()}\n${type.toLowerCase()}\n${link}\n${date.toLowerCase()}\n\n`;
  return encodeURIComponent(`type=master&ver=1.0&sig=${signature(key, text)}`);
}

export function signature(key, text) {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');
}

// Whether a path is one of resource ids and not of names: what follows `dbs` is base64 of four bytes that are not all
// zero.
export function isByRid(parts) {
  if (parts[0] !== 'dbs' || !/^[A-Za-z0-9+-]{6}==$/.test(parts[1] ?? '')) return false;
  return Buffer.from(parts[1].replaceAll('-', '/'), 'base64').some((byte) => byte !== 0);
}

// What the signature of a request covers, from the decoded parts of its path: the resource itself, or the parent of a
// feed. An offer's link is its id alone, and by rid it is the last rid alone. An operation is one on its container.
export function signedResource(parts) {
  if (parts[0] === 'offers') return { type: 'offers', link: (parts[1] ?? '').toLowerCase() };
  if (parts[4] === 'operations') return signedResource(parts.slice(0, 4));
  const isFeed = parts.length % 2 === 1;
  if (isByRid(parts)) return { type: parts.at(isFeed ? -1 : -2), link: parts.at(isFeed ? -2 : -1).toLowerCase() };
  return {
    type: parts.at(isFeed ? -1 : -2) ?? '',
    link: (isFeed ? parts.slice(0, -1) : parts).join('/'),
  };
}

export class RawClient {
  constructor(port, key) {
    this.port = port;
    this.key = key;
  }

  // `parts` are the decoded parts of the path: ['dbs', 'd', 'colls', 'c', 'docs', 'an id']. Options: headers (a value
  // of undefined leaves one out), body (text, bytes, or anything else as JSON), key, date, path (sent as it is).
  async request(method, parts, options = {}) {
    return this.plain(method, options.path ?? pathOf(parts), {
      headers: this.headersFor(method, parts, options),
      body: encodeBody(options.body),
    });
  }

  headersFor(method, parts, { headers = {}, key = this.key, date = new Date().toUTCString() } = {}) {
    const { type, link } = signedResource(parts);
    const all = {
      'x-ms-version': kVersion,
      'x-ms-date': date,
      authorization: authorization(key, method, type, link, date),
      ...headers,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  // An unsigned request on a connection of its own. Answers {status, headers, text, json}; json is undefined when the
  // body is not JSON.
  plain(method, path, { headers = {}, body } = {}) {
    // Said here, since Node announces no length for verbs that seldom have a body.
    const framed = body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers };
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.port, method, path, headers: framed, agent: false, timeout: kAnswerMaxMs },
        (response) => collect(response).then(resolve, reject),
      );
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
      request.on('error', reject);
      request.end(body);
    });
  }

  // The text of a signed request, ready for a socket. The body's length is announced unless the headers already say how
  // it is framed.
  text(method, parts, options = {}) {
    const body = encodeBody(options.body) ?? '';
    const headers = { host: `127.0.0.1:${this.port}`, ...this.headersFor(method, parts, options) };
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    if (body.length > 0 && !names.includes('content-length') && !names.includes('transfer-encoding')) {
      headers['content-length'] = Buffer.byteLength(body);
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${options.path ?? pathOf(parts)} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  }

  // A connection that speaks bytes.
  async connect() {
    const socket = net.connect({ host: '127.0.0.1', port: this.port });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new Connection(socket);
  }
}

// Collects what the server says until it closes, or until enough of it is there.
class Connection {
  received = '';
  closed = false;

  constructor(socket) {
    this.socket = socket;
    this.waiters = new Set();
    socket.setTimeout(kAnswerMaxMs, () => socket.destroy());
    socket.on('data', (bytes) => {
      this.received += bytes.toString('latin1');
      this.wake();
    });
    // A server may reset a connection that it has given up; that is an end like any other here.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  write(bytes) {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  // The statuses of the answers so far, in order.
  statuses() {
    return [...this.received.matchAll(/(?:^|\n|\}|\])HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  }

  // Waits for so many answers, or for the end of the connection.
  async answers(count) {
    while (this.statuses().length < count && !this.closed) await new Promise((resolve) => this.waiters.add(resolve));
    return this.statuses();
  }

  async end() {
    while (!this.closed) await new Promise((resolve) => this.waiters.add(resolve));
    return this.statuses();
  }

  destroy() {
    this.socket.destroy();
  }

  wake() {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const resolve of waiters) resolve();
  }
}

export function pathOf(parts) {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

function encodeBody(body) {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

async function collect(response) {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode, headers: response.headers, text, json: parseOrUndefined(text) };
}

function parseOrUndefined(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
