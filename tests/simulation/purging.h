// Sweeps and compactions at any moment, beneath whatever is open. Nothing that the model knows of may change.
#pragma once

#include "tests/simulation/world.h"

namespace lapse::simulation {

// Runs a few turns of the sweeper.
void Sweep(World* world);
// Sweeps, then compacts every family or what the reclaimer chooses; sometimes with a snapshot and with iterators that
// were opened before and continue afterwards.
void SweepAndCompact(World* world);
// Reads a feed, of either kind, while time passes and expired items are purged under it. The feed must show nothing
// that was dead when the read began, and must include everything that still lives when it ends.
void ReadWhilePurging(World* world, int container);

}  // namespace lapse::simulation
