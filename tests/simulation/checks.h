// What a container shows, against what its model has.
#pragma once

#include "tests/simulation/world.h"

namespace lapse::simulation {

// The outcome of the read. The meter may be null.
Status CheckItem(World* world, int container, const ModelKey& key, engine::RequestMeter* meter = nullptr);
// Of everything, of one partition, of one logical partition, or of a range of keys. Items come in the order in which
// they were created.
Status CheckFeed(World* world, int container);
// Every live item has its records, and all of them lead to it. Only while the store does not fail.
void CheckRecords(World* world, int container);
// To be called when everything that has expired was purged: once compactions have been by, nothing else is stored than
// the records of live items, and a few members and entries of unique keys of purged ones. Only for a store that never
// failed.
void CheckOnlyTheLivingAreStored(World* world, int container);
// What `lapse check` looks at: all records, counts and index entries of the store agree, also those of an index in the
// making. Only while the store does not fail.
void CheckStore(World* world);
// The counts come from cohorts; the model looks at every item.
void CheckCensus(World* world, int container);
// Whether anything has expired and is not purged yet, or was deleted with its partition key and is not removed.
bool AnyBacklog(World* world);
// Purges everything that has expired; only budgets may make that take time. False: a held clock keeps it.
bool DrainBacklog(World* world);

}  // namespace lapse::simulation
