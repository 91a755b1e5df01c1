// Lapse and the servers it is compared with, each with one thread for requests.
import fs from 'node:fs';
import path from 'node:path';

import { freePort, run, serve } from './processes.mjs';

export function startLapse(bench, dir, { core, options = [], env } = {}) {
  const args = ['--data-dir', dir, '--port', 0, '--threads', 1, '--log-level', 'info', ...options];
  return serve(bench.lapsed, args, { core, env, ready: /endpoint=http:\/\/127\.0\.0\.1:(\d+)\// });
}

export function makeContainer(bench, server, { uniquePath = '', indexing = 'all' } = {}) {
  const options = ['--unique-path', uniquePath, '--indexing', indexing];
  return run(bench.program('http_load'), ['--port', server.port, '--operation', 'setup', ...options]);
}

// What the load generator says about one run.
export async function load(bench, server, operation, flags = {}, { core } = {}) {
  const args = ['--port', server.port, '--server-pid', server.pid, '--operation', operation];
  for (const [name, value] of Object.entries(flags)) args.push(`--${name}`, value);
  const { lines } = await run(bench.program('http_load'), args, { core });
  const [result] = lines;
  if (result.errors > 0) throw new Error(`${operation}: ${result.errors} of ${result.requests} requests failed`);
  return result;
}

// A saved answer of Lapse: its header lines, without those that every server makes itself, and its body.
function readAnswer(file) {
  const text = fs.readFileSync(file, 'latin1');
  const end = text.indexOf('\r\n\r\n');
  const own = /^(content-length|content-type|connection|date|server|keep-alive):/i;
  const headers = text.slice(0, end).split('\r\n').slice(1).filter((line) => !own.test(line));
  return { headers: headers.map((line) => line.split(/: ?(.*)/s, 2)), body: text.slice(end + 4) };
}

// Quotes for nginx's configuration; a dollar sign would begin a variable and is not in any of our texts.
function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function nginxConfiguration(dir, port, answer) {
  const headers = answer.headers.map(([name, value]) => `      add_header ${name} ${quoted(value)};`);
  return `daemon off;
master_process off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  client_body_temp_path ${dir}/body;
  server {
    listen 127.0.0.1:${port};
    location / {
      default_type application/json;
${headers.join('\n')}
      return 200 ${quoted(answer.body)};
    }
  }
}
`;
}

// nginx with one worker, which answers every request with the bytes of the saved answer.
export async function startNginx(dir, answerFile, { core } = {}) {
  fs.mkdirSync(dir);
  const port = await freePort();
  const file = path.join(dir, 'nginx.conf');
  fs.writeFileSync(file, nginxConfiguration(dir, port, readAnswer(answerFile)), 'latin1');
  return serve('nginx', ['-p', dir, '-e', 'stderr', '-c', file], { core, port });
}

export function startBare(bench, dir, answerFile, items, { core } = {}) {
  const args = ['--dir', dir, '--items', items, '--answer', answerFile];
  return serve(bench.program('bare_server'), args, { core, ready: /^port (\d+)/m });
}
