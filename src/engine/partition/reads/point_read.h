// Reads one item of a partition: by key and id from the cache, or head and body; by number record and body.
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
  // What the reader has already: kDiffers with a version, or kAbsent for any; Item::unchanged says that it still holds.
  Precondition unless;
};

// Reads by one moment of the partition, which was taken before. With Reach::kMemory a read waits for no disk; event
// loops read so. Fails: kNotFound; kWouldBlock with Reach::kMemory; what the store says. What is given must outlive it.
class PointReader {
 public:
  PointReader(const PartitionState& partition, const ReadMoment& moment, ItemCache* cache)
      : partition_(partition), moment_(moment), cache_(cache) {}

  // Each charges what it costs; kWouldBlock, which asks for another try, costs nothing. The meter may be null.
  Result<Item> Read(const ItemAddress& address, const ReadItemOptions& options, MeterInterface* meter) const;
  // The same by number. Also kNotFound when the item has another key.
  Result<Item> Read(const NumberedItem& numbered, const ReadItemOptions& options, MeterInterface* meter) const;
  // The typed id of the live item, which it keeps for as long as it lives. Charges only if there is none.
  Result<std::string> FindId(const NumberedItem& numbered, store::Reach reach, MeterInterface* meter) const;

 private:
  // The sequence up to which what the key has was deleted as a whole; before the item is looked up: see ShownErasures.
  Result<Sequence> ErasedUpTo(const LogicalKey& key, store::Reach reach) const;
  Result<Item> Find(const ItemAddress& address, const ReadItemOptions& options) const;
  Result<std::shared_ptr<const CachedItem>> FindNumbered(const NumberedItem& numbered, store::Reach reach) const;
  void Charge(const Result<Item>& item, MeterInterface* meter) const;

  const PartitionState& partition_;
  const ReadMoment& moment_;
  ItemCache* const cache_;
};

}  // namespace lapse::engine
