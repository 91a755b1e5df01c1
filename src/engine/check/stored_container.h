// Containers as stores hold them, for checking stores that no engine has open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/derivation.h"
#include "engine/records/partitions/partition_facts.h"
#include "engine/records/partitions/partition_policy.h"
#include "store/shard.h"

namespace lapse::engine {

struct StoredPartition {
  PartitionFacts facts;
  store::Shard* store = nullptr;  // the store that holds it
  PartitionPolicy policy;

  PartitionId id() const { return facts.id; }
};

struct StoredContainer {
  ContainerId id = 0;
  std::string database;  // the database's name
  std::shared_ptr<const ContainerState> state;
  std::vector<StoredPartition> partitions;

  // For messages.
  std::string Name() const { return database + "/" + state->definition.name; }
};

// Returns the containers in the order of their ids. The catalog is in the first of the stores. The derivation may be
// null, as for an engine. Fails: kCorruption for a catalog that an engine would refuse.
Result<std::vector<StoredContainer>> LoadStoredContainers(const std::vector<store::Shard*>& stores,
                                                          const Derivation* derivation);

}  // namespace lapse::engine
