// The erasures of a partition for those who read single items and hold no snapshot.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/ids.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: any may ask, the partition's leader publishes.
class ShownErasures {
 public:
  // What the store has for certain.
  void Publish(const ErasedKeysPtr& keys);
  // What it will have if the commit that begins now counts: those above this sequence are uncertain. To be called
  // before the batch is written, so that nobody sees what was written after an erasure and not the erasure itself.
  void PublishUncertain(ErasedKeysPtr keys, Sequence certain_up_to);

  // None at all, which costs next to nothing to ask.
  bool empty() const { return !any_.load(std::memory_order_acquire); }
  // The sequence up to which what this key has was deleted; 0: it was not. To be asked before the item is read. The
  // store is asked only where a commit of an erasure of this key is under way or failed. Fails with what it says.
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
