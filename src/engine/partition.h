// One range of effective partition keys of one container, with one commit order.
//
// Writes queue; a leader takes what is there, validates each against the state and those before it, and commits all as
// one batch with one sync. Readers never wait for writers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "engine/container.h"
#include "engine/item.h"
#include "engine/partition_key.h"
#include "ttl/policy.h"

namespace lapse::engine {

struct EngineParts;

// Counted since the partition began; durable with every commit.
struct PartitionTally {
  uint64_t last_lsn = 0;
  int64_t items = 0;
  int64_t bytes = 0;
};

struct PendingWrite {
  ItemWrite write;
  ItemWriteDone done;
};

// Threads: any. Owns: its queue of writes.
class Partition {
 public:
  Partition(Container* container, uint32_t stream, EpkRange range, const PartitionTally& tally, EngineParts* parts);
  ~Partition();

  // Never reused within a container; also the API's partition key range id.
  uint32_t stream() const { return stream_; }
  const EpkRange& range() const { return range_; }
  // The newest commit a reader of this partition may have seen.
  uint64_t last_lsn() const { return last_lsn_.load(std::memory_order_acquire); }
  PartitionTally tally() const;

  void Write(ItemWrite write, ItemWriteDone done);

 private:
  void CallLeader();
  // Commits one group.
  void Lead();
  std::vector<PendingWrite> TakeGroup();
  // Whether more is waiting, which the next leader must take.
  bool Finish(const Result<PartitionTally>& stored);

  Container* const container_;
  const uint32_t stream_;
  const EpkRange range_;
  EngineParts* const parts_;

  std::atomic<uint64_t> last_lsn_;
  bool tally_suspect_ = false;  // the leader's own: to be asked of the store

  mutable std::mutex mutex_;
  std::vector<PendingWrite> queue_;  // guarded by mutex_
  bool leading_ = false;             // guarded by mutex_: a leader is at work or about to be
  PartitionTally tally_;             // guarded by mutex_; written by the leader alone
};

}  // namespace lapse::engine
