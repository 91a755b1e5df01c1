// Redis as the yardstick of expiry: keys that all die in one second, and how long it takes until they are gone.
import net from 'node:net';
import { once } from 'node:events';

import { freePort, serve } from './processes.mjs';

const kValue = 'x'.repeat(1024);
const kPipeline = 1000;

// One connection; answers are counted, not kept, but for the last one.
class Client {
  constructor(port) {
    this.socket = net.connect(port, '127.0.0.1');
    this.buffer = '';
    this.socket.setEncoding('latin1').on('data', (text) => (this.buffer += text, this.wake?.()));
  }

  async send(commands, answers) {
    this.buffer = '';
    this.socket.write(commands, 'latin1');
    while (this.buffer.split('\r\n').length - 1 < answers) await new Promise((resolve) => (this.wake = resolve));
    return this.buffer;
  }

  async count() {
    return Number((await this.send('*1\r\n$6\r\nDBSIZE\r\n', 1)).match(/^:(\d+)/)[1]);
  }
}

function setCommand(number, expireAtMs) {
  const parts = ['SET', `item-${String(number).padStart(12, '0')}`, kValue, 'PXAT', String(expireAtMs)];
  return `*${parts.length}\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`;
}

// Seconds from the second in which `items` keys expire until Redis has dropped them all.
export async function redisExpiry(bench, items, options, loadSeconds) {
  const port = await freePort();
  const nothingKept = ['--save', '', '--appendonly', 'no', '--dir', bench.temp];
  const args = ['--port', port, '--bind', '127.0.0.1', ...nothingKept, ...options];
  const server = await serve('redis-server', args, { port });
  const client = new Client(server.port);
  await once(client.socket, 'connect');
  const expireAtMs = (Math.floor(Date.now() / 1000) + loadSeconds) * 1000;
  for (let number = 0; number < items; number += kPipeline) {
    let commands = '';
    const end = Math.min(items, number + kPipeline);
    for (let one = number; one < end; ++one) commands += setCommand(one, expireAtMs);
    await client.send(commands, end - number);
  }
  if (Date.now() >= expireAtMs) throw new Error(`redis: loading ${items} keys took longer than ${loadSeconds} s`);
  await new Promise((resolve) => setTimeout(resolve, expireAtMs - Date.now()));
  while ((await client.count()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (Date.now() - expireAtMs) / 1000;
  client.socket.destroy();
  await server.stop();
  return seconds;
}
