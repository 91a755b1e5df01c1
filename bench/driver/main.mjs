// Runs the benchmarks and prints the table; tools/bench says how it is called.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { batches } from './figures/batches.mjs';
import { busyReads } from './figures/busy_reads.mjs';
import { expiryCost } from './figures/expiry_cost.mjs';
import { layout } from './figures/layout.mjs';
import { massExpiry } from './figures/mass_expiry.mjs';
import { memory } from './figures/memory.mjs';
import { micro } from './figures/micro.mjs';
import { policyChange } from './figures/policy_change.mjs';
import { query } from './figures/query.mjs';
import { readCost } from './figures/read_cost.mjs';
import { reads } from './figures/reads.mjs';
import { requestMemory } from './figures/request_memory.mjs';
import { startup } from './figures/startup.mjs';
import { writes } from './figures/writes.mjs';
import { stopAll } from './processes.mjs';
import { formatTable, ratioOf, verdictOf } from './table.mjs';

// In this order; `long` ones only with --long or by name.
const kFigures = {
  startup: { run: startup },
  reads: { run: reads },
  writes: { run: writes },
  batches: { run: batches },
  memory: { run: memory },
  request_memory: { run: requestMemory },
  read_cost: { run: readCost },
  busy_reads: { run: busyReads },
  query: { run: query, long: true },
  mass_expiry: { run: massExpiry },
  expiry_cost: { run: expiryCost },
  policy_change: { run: policyChange },
  micro: { run: micro },
  layout: { run: layout, long: true },
};

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');

function parse() {
  const { values } = parseArgs({
    options: {
      long: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      scale: { type: 'string', default: '1' },
      build: { type: 'string', default: path.join(root, 'build/release') },
      out: { type: 'string', default: path.join(root, 'bench/results/bench.json') },
    },
  });
  const standard = Object.keys(kFigures).filter((name) => values.long || !kFigures[name].long);
  const names = values.only ? values.only.split(',') : standard;
  for (const name of names) {
    if (!kFigures[name]) throw new Error(`no figure '${name}' (there are: ${Object.keys(kFigures).join(', ')})`);
  }
  const rounds = Number(values.rounds ?? (values.long ? 5 : 3));
  const scale = Number(values.scale);
  if (!(rounds >= 1) || !(scale > 0)) throw new Error('--rounds and --scale must be positive numbers');
  return { ...values, build: path.resolve(values.build), names, rounds, scale };
}

function makeBench(options, temp) {
  return {
    temp,
    long: options.long,
    rounds: options.rounds,
    lapsed: path.join(options.build, 'lapsed'),
    program: (name) => path.join(options.build, 'bench', name),
    scaled: (count) => Math.max(100, Math.round(count * options.scale)),
  };
}

function save(options, figures) {
  const rows = figures.flatMap(({ name, rows: own }) =>
    own.map((row) => ({ ...row, of: name, figure: row.figure.trim(), quotient: ratioOf(row), ok: verdictOf(row) })));
  const cpus = os.cpus();
  const machine = { cpu: cpus[0].model, cores: cpus.length, memory_bytes: os.totalmem(), kernel: os.release() };
  const text = JSON.stringify(
    { when: new Date().toISOString(), machine, long: options.long, rounds: options.rounds, scale: options.scale, rows,
      details: Object.fromEntries(figures.map(({ name, results }) => [name, results])) }, null, 1);
  fs.mkdirSync(path.dirname(options.out), { recursive: true });
  fs.writeFileSync(options.out, `${text}\n`);
}

async function measure(options, temp) {
  const figures = [];
  for (const name of options.names) {
    process.stderr.write(`bench: ${name} ...`);
    const begin = Date.now();
    // A folder for each figure, gone before the next one: they need many gigabytes.
    const own = path.join(temp, name);
    fs.mkdirSync(own);
    figures.push({ name, ...(await kFigures[name].run(makeBench(options, own))) });
    fs.rmSync(own, { recursive: true, force: true });
    process.stderr.write(` ${Math.round((Date.now() - begin) / 1000)} s\n`);
  }
  return figures;
}

async function main() {
  const options = parse();
  // In the build folder, since that is on a disk: a file system in memory would sync for nothing.
  const temp = fs.mkdtempSync(path.join(options.build, 'bench-'));
  const cleanUp = async () => {
    await stopAll();
    fs.rmSync(temp, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => cleanUp().finally(() => process.exit(130)));
  }
  try {
    const figures = await measure(options, temp);
    save(options, figures);
    console.log(formatTable(figures.flatMap((figure) => figure.rows)));
    console.log(`\nwritten to ${path.relative(process.cwd(), options.out)}`);
  } finally {
    await cleanUp();
  }
}

main().catch((error) => {
  console.error(`\nbench: ${error.message}`);
  process.exitCode = 1;
});
