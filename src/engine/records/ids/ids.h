// The numbers that things are known by. None is ever given twice.
#pragma once

#include <cstdint>
#include <utility>

namespace lapse::engine {

using DatabaseId = uint32_t;
using ContainerId = uint32_t;

// What a database owns beside its containers; below 2^31.
using ResourceNumber = uint32_t;

// Which of the engine's shards: its place in their list. The catalog is in the first one.
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

// Counts the changes of a partition: each change of an item has its own. Keys, floors, cohorts and etags are made of
// it.
using Sequence = uint64_t;

// Counts the writes of a partition. One write may change several items; all of them share its LSN. It is only shown.
using Lsn = uint64_t;

// An item for as long as it lives: the partition that it was created in, and which of that partition's items it is.
// It rises in the order of creation within a partition and is unique in a container. An API shows it as `_rid`, which
// leaves it 60 bits.
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
