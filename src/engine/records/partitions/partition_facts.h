// Facts about a partition in the catalog that never change.
#pragma once

#include <cstdint>

#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

struct PartitionFacts {
  PartitionId id;
  EpkRange range;         // of the effective keys that it holds
  ShardNumber shard = 0;  // that holds all of the partition's data

  PartitionNumber number() const { return id.number; }
};

}  // namespace lapse::engine
