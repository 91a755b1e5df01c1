// Indexes of the simulated containers: random policies, steps in the making of new ones, and what must hold of all.
#pragma once

#include <functional>

#include "engine/records/index/derivation.h"
#include "engine/records/index/indexing_definition.h"
#include "tests/simulation/world.h"

namespace lapse::simulation {

// Often nothing at all, or everything.
engine::IndexingDefinition RandomIndexing(Dice* dice);
// What the rules of such a definition mean.
const engine::Derivation& RulesOfIndexes();

// A few turns.
void BuildIndexes(World* world);
// Somebody walks over an index and learns which of its entries are dead: at any moment, also within a commit.
// `meanwhile` happens between the page's beginning and its walk.
void LearnDeadRuns(World* world, int container, const std::function<void()>& meanwhile);
// What queries find by the index in use is what the model has, in its order. Only while the store does not fail.
void CheckIndexQuery(World* world, int container);
// Once compactions have been by, there are few entries of items that are gone. See CheckOnlyTheLivingAreStored.
void CheckIndexEntriesLeft(World* world, int container);

}  // namespace lapse::simulation
