// Indexes of the simulated containers: random policies, steps of building new ones, and what must hold of all.
#pragma once

#include <functional>

#include "engine/records/index/derivation.h"
#include "engine/records/index/indexing_definition.h"
#include "tests/simulation/world.h"

namespace lapse::simulation {

// Often no index at all, or an index of everything.
engine::IndexingDefinition RandomIndexing(Dice* dice);
// The meaning of the rules in such a definition.
const engine::Derivation& RulesOfIndexes();

// Runs a few turns of the builder.
void BuildIndexes(World* world);
// Scans an index and learns which of its entries are dead, at any moment, also within a commit. `meanwhile` runs
// between the start of the page and its scan.
void LearnDeadRuns(World* world, int container, const std::function<void()>& meanwhile);
// Checks that queries by the index in use find what the model has, in its order. Only while the store does not fail.
void CheckIndexQuery(World* world, int container);
// Checks that few entries of dead items are left after compactions. See CheckOnlyTheLivingAreStored.
void CheckIndexEntriesLeft(World* world, int container);

}  // namespace lapse::simulation
