// An in-memory shard that injects failures by seed and forgets unsynced writes, for tests of everything built on
// shards.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "store/shard.h"

namespace lapse::store {

struct FaultyOptions {
  uint64_t seed = 1;
  uint32_t fail_before_per_mille = 0;  // writes refused with kUnavailable, changing nothing
  uint32_t fail_after_per_mille = 0;   // writes that succeed but return kUnknownOutcome
  uint32_t read_fail_per_mille = 0;    // Get, each key of MultiGet, and NewIterator return kUnavailable
  uint32_t would_block_per_mille = 0;  // with Reach::kMemory, Get and each key of MultiGet return kWouldBlock
  // Called at the start of every call with its name, for example to advance a virtual clock. May be empty.
  std::function<void(std::string_view call)> on_call = {};
};

// Threads: any. The same calls in the same order fail in the same places.
class FaultyShard : public Shard {
 public:
  FaultyShard(FaultyOptions options, std::vector<FamilyOptions> families);

  // If off, it behaves like any shard, but a crash still loses unsynced writes. Initially on.
  void set_faults(bool on);

  // Simulates a nearly full disk, which accepts only writes that may use the reserve. Initially off.
  void set_full(bool full);

  // Returns what a machine would find after a crash now: all synced writes and a prefix, chosen by `seed`, of the
  // relaxed ones after them. Leaves this shard, the crashed one, unchanged.
  std::unique_ptr<FaultyShard> Crash(uint64_t seed) const;

  using Shard::Write;
  Status Write(const Batch& batch, Durability durability, Room room) override;
  Status Writable() override;
  using Shard::Get;
  Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) override;
  void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                std::vector<Status>* statuses, const ReadOptions& options) override;
  std::unique_ptr<Snapshot> NewSnapshot() override;
  std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) override;
  uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) override;
  Status Compact(FamilyId family, std::string_view begin, std::string_view end) override;
  Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) override;
  Status DropFiles(FamilyId family, std::string_view begin, std::string_view end) override;
  Status Flush() override;
  void StopCompactions() override;
  ShardStats Stats() override;

 private:
  enum class WriteFault { kNone, kBefore, kAfter };

  void Called(std::string_view call) const;
  WriteFault DrawWriteFault();  // requires mutex_
  Status DrawReadFault(Reach reach);
  bool Draw(uint32_t per_mille);                                       // requires mutex_
  Status Apply(const Batch& batch, Durability durability, Room room);  // requires mutex_

  const FaultyOptions options_;
  const std::vector<FamilyOptions> families_;
  const std::unique_ptr<Shard> live_;  // what the process sees

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  bool full_ = false;
  const std::unique_ptr<Shard> durable_;  // what is on disk
  std::vector<Batch> unsynced_;           // in live_ and not in durable_, oldest first
  std::mt19937_64 random_;
  bool faults_ = true;
};

}  // namespace lapse::store
