// Compares what a container shows with its model.
#pragma once

#include "tests/simulation/world.h"

namespace lapse::simulation {

// Returns the outcome of the read. The meter may be null.
Status CheckItem(World* world, int container, const ModelKey& key, engine::RequestMeter* meter = nullptr);
// Reads a feed of everything, of one partition, of one logical partition, or of a range of keys. Items must come in the
// order in which they were created.
Status CheckFeed(World* world, int container);
// Checks that every live item has its records, and that all of them lead to it. Only while the store does not fail.
void CheckRecords(World* world, int container);
// To be called when everything that has expired was purged. After compactions the store must hold only the records of
// live items, and a few members and entries of unique keys of purged ones. Only for a store that never failed.
void CheckOnlyTheLivingAreStored(World* world, int container);
// Runs the checks of `lapse check`: all records, counts and index entries of the store must agree, also those of an
// index being built. Only while the store does not fail.
void CheckStore(World* world);
// Compares counts from cohorts with the model, which looks at every item.
void CheckCensus(World* world, int container);
// Whether any item has expired and is not purged yet, or was deleted with its partition key and is not removed yet.
bool AnyBacklog(World* world);
// Purges everything that has expired; only budgets may make that take time. Returns false if a held clock prevents it.
bool DrainBacklog(World* world);

}  // namespace lapse::simulation
