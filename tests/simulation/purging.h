// Sweeps and compactions at any moment, under everything that may be open: nothing that the model knows of changes.
#pragma once

#include "tests/simulation/world.h"

namespace lapse::simulation {

// A few turns.
void Sweep(World* world);
// Every family, or what the reclaimer chooses; sometimes with a snapshot and with iterators that began before and go on
// afterwards.
void SweepAndCompact(World* world);
// A feed, of either kind, that is read while time goes on and what has expired goes away under it: it shows nothing
// that was dead when the read began, and leaves out nothing that still lives when it ends.
void ReadWhilePurging(World* world, int container);

}  // namespace lapse::simulation
