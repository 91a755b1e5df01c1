// Reads one item of a partition: by key and id from the cache, or from its head and body; by number from its record and
// body.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "engine/memory/item_cache.h"
#include "engine/partition/view/partition_state.h"
#include "engine/partition/view/read_moment.h"
#include "engine/records/items/item.h"
#include "engine/records/prices/meter.h"
#include "store/shard.h"

namespace lapse::engine {

struct ReadItemOptions {
  store::Reach reach = store::Reach::kDisk;
  // What the reader already has: kDiffers with a version, or kAbsent for any version. If the reader is up to date,
  // Item::unchanged is set.
  Precondition unless;
};

// Reads at one moment of the partition, which was taken before. With Reach::kMemory a read never waits for the disk, so
// event loops use it. Fails: kNotFound; kWouldBlock with Reach::kMemory; what the store says. The arguments must
// outlive the reader.
class PointReader {
 public:
  PointReader(const PartitionState& partition, const ReadMoment& moment, ItemCache* cache)
      : partition_(partition), moment_(moment), cache_(cache) {}

  // Each call charges its cost. kWouldBlock, which asks for a retry, is free. The meter may be null.
  Result<Item> Read(const ItemAddress& address, const ReadItemOptions& options, Meter* meter) const;
  // The same by number. Also fails with kNotFound if the item has another key.
  Result<Item> Read(const NumberedItem& numbered, const ReadItemOptions& options, Meter* meter) const;
  // Returns the typed id of the live item, which never changes. Charges only if there is no such item.
  Result<std::string> FindId(const NumberedItem& numbered, store::Reach reach, Meter* meter) const;

 private:
  // Returns the sequence up to which the key's items were deleted as a whole. To be called before the item is looked
  // up: see ShownErasures.
  Result<Sequence> ErasedUpTo(const LogicalKey& key, store::Reach reach) const;
  Result<Item> Find(const ItemAddress& address, const ReadItemOptions& options) const;
  Result<std::shared_ptr<const CachedItem>> FindNumbered(const NumberedItem& numbered, store::Reach reach) const;
  void Charge(const Result<Item>& item, Meter* meter) const;

  const PartitionState& partition_;
  const ReadMoment& moment_;
  ItemCache* const cache_;
};

}  // namespace lapse::engine
