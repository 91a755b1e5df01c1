// Containers as a store has them, for those who look at a store that no engine has open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "store/shard.h"

namespace lapse::engine {

struct StoredContainer {
  ContainerId id = 0;
  std::string database;  // its name
  std::shared_ptr<const ContainerState> state;
  std::vector<PartitionId> partitions;

  // For people.
  std::string Name() const { return database + "/" + state->definition.name; }
};

// In the order of their ids. The derivation may be null, as that of an engine. Fails: kCorruption for a catalog that
// an engine would refuse.
Result<std::vector<StoredContainer>> LoadStoredContainers(store::Shard* shard, const Derivation* derivation);

}  // namespace lapse::engine
