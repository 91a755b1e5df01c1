// A few rounds, for the ordinary run; `make crash` does many.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Campaign } from './campaign.mjs';

const kRounds = 4;
const kTestMaxMs = 120_000;

test('nothing acknowledged is lost, torn or revived by kill -9', { timeout: kTestMaxMs }, async (t) => {
  const campaign = new Campaign({ seed: 1 });
  t.after(() => campaign.end());
  for (let round = 1; round <= kRounds; round += 1) assert.deepEqual(await campaign.round(), [], `round ${round}`);
  assert.ok(campaign.acknowledgedWrites > 0);
});
