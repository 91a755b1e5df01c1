// The command: any number of rounds, one line at the end, more only when something is wrong.
//
//   --rounds N        200
//   --seed N          decides what is sent and how long a round lasts (not how the server's threads take turns)
//   --durability D    sync or relaxed: a killed process must lose nothing in either
//   --connections N   32
//
// The program is taken from the environment variable LAPSED; without it, from build/release.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Campaign } from './campaign.mjs';

const kFailedRoundsMax = 5;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    durability: { type: 'string', default: 'sync' },
    connections: { type: 'string', default: '32' },
  },
});

const campaign = new Campaign({
  seed: Number(values.seed),
  durability: values.durability,
  connections: Number(values.connections),
});
let passed = 0;
let failed = 0;
try {
  for (let round = 1; round <= Number(values.rounds) && failed < kFailedRoundsMax; round += 1) {
    const violations = await campaign.round();
    if (violations.length === 0) {
      passed += 1;
      continue;
    }
    failed += 1;
    console.log(`round ${round} of seed ${values.seed}: ${campaign.describe()}`);
    for (const violation of violations) console.log(`  ${violation}`);
  }
} catch (error) {
  failed += 1;
  console.log(`round ${passed + failed} of seed ${values.seed}: ${error.stack}`);
} finally {
  await campaign.end({ keepData: failed > 0 });
}
console.log(`${campaign.describe()}: ${passed} passed, ${failed} failed`);
if (failed > 0) console.log(`seed ${values.seed}; the data is in ${campaign.dataDirectory}`);
process.exitCode = failed > 0 ? 1 : 0;
