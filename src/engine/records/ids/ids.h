// Identifiers. None is ever reused.
#pragma once

#include <cstdint>
#include <utility>

namespace lapse::engine {

using DatabaseId = uint32_t;
using ContainerId = uint32_t;

// A resource that a database owns besides its containers; below 2^31.
using ResourceNumber = uint32_t;

// A shard of the engine: its index in their list. The catalog is in the first one.
using ShardNumber = uint32_t;

// Counts the partitions of a container; also the API's partition key range id.
using PartitionNumber = uint32_t;

struct PartitionId {
  ContainerId container = 0;
  PartitionNumber number = 0;

  bool operator==(const PartitionId&) const = default;
  bool operator<(const PartitionId& other) const {
    return std::pair(container, number) < std::pair(other.container, other.number);
  }
};

// Counts the changes of a partition: each change of an item has its own. Keys, floors, cohorts and etags are based on
// it.
using Sequence = uint64_t;

// Counts the writes of a partition. All items that one write changes share its LSN. For display only.
using Lsn = uint64_t;

// Identifies an item for as long as it lives: the partition that it was created in, and its creation counter there.
// Numbers rise in the order of creation within a partition and are unique in a container. An API shows them as `_rid`,
// which leaves 60 bits.
//
//   bits 59-40  partition number
//   bits 39-0   the partition's counter of creations, from 1
using ItemNumber = uint64_t;

constexpr int kCreationBits = 40;
constexpr uint64_t kCreationsMax = (uint64_t{1} << kCreationBits) - 1;
constexpr PartitionNumber kPartitionNumberMax = (1U << 20) - 1;

constexpr ItemNumber MakeItemNumber(PartitionNumber partition, uint64_t creation) {
  return uint64_t{partition} << kCreationBits | creation;
}
constexpr PartitionNumber PartitionOf(ItemNumber item) {
  return static_cast<PartitionNumber>(item >> kCreationBits);
}
constexpr uint64_t CreationOf(ItemNumber item) {
  return item & kCreationsMax;
}

}  // namespace lapse::engine
