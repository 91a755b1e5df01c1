// The erasures of a partition, for readers of single items that hold no snapshot.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/ids.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: any may read; the partition's leader publishes.
class ShownErasures {
 public:
  // Publishes erasures that are certainly stored.
  void Publish(const ErasedKeysPtr& keys);
  // Publishes the erasures that will be stored if the commit that begins now succeeds. Those above `certain_up_to` are
  // uncertain. To be called before the batch is written, so that no reader sees a write made after an erasure without
  // the erasure.
  void PublishUncertain(ErasedKeysPtr keys, Sequence certain_up_to);

  // Returns true if there are no erasures. Nearly free.
  bool empty() const { return !any_.load(std::memory_order_acquire); }
  // Returns the sequence up to which the items of this key were deleted, or 0. Call it before the item is read. The
  // store is read only while a commit of an erasure of this key is in flight, or after one has failed. Fails: what the
  // store says.
  Result<Sequence> UpTo(PartitionId partition, std::string_view prefix, store::Shard* shard, store::Reach reach) const;

 private:
  struct Shown {
    ErasedKeysPtr keys;
    Sequence certain_up_to;
  };
  void Store(std::shared_ptr<const Shown> shown);

  std::atomic<bool> any_{false};
  std::atomic<std::shared_ptr<const Shown>> shown_;  // null: none
};

}  // namespace lapse::engine
