// What a container shows, against what its model has.
#pragma once

#include "tests/simulation/world.h"

namespace lapse::simulation {

// The outcome of the read.
Status CheckItem(World* world, int container, const ModelKey& key);
Status CheckFeed(World* world, int container);
// The counts come from cohorts; the model looks at every item.
void CheckCensus(World* world, int container);
// Whether anything has expired and is not purged yet.
bool AnyBacklog(World* world);
// Purges everything that has expired; only budgets may make that take time. False: a held clock keeps it.
bool DrainBacklog(World* world);

}  // namespace lapse::simulation
