// A database of a few maps, with one bug that the checker must find, or with none.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/linearizability/database.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

enum class Bug {
  kNone,
  kLostUpdate,        // a patch or a replace is sometimes answered and not stored
  kIgnoredEtag,       // a condition is sometimes ignored
  kStaleRead,         // a read sometimes shows the state before the last write
  kHalfBatch,         // a list sometimes shows the last batch without its end
  kFailedBatchStays,  // a batch that fails sometimes leaves its beginning
  kDuplicateKey,      // a unique key is sometimes ignored
  kLateExpiry,        // a read sometimes shows an item that expired a second ago
  kExpiredComesBack,  // a patch sometimes finds an expired item
  kRefusedHappens,    // a write is sometimes refused and done
  kLostAtRestart,     // the last write of a partition is lost in a restart
};

// Threads: any. Every operation runs under a lock. Some are reported as unknown, whether done or not.
class ToyDatabase : public Database {
 public:
  explicit ToyDatabase(Bug bug) : bug_(bug) {}

  std::optional<int64_t> default_ttl() const override { return kDefaultTtl; }
  std::unique_ptr<Connection> Connect() override;
  int64_t NowSeconds() override;
  std::optional<int64_t> MoveClock(int64_t seconds) override;
  void Disturb(uint64_t seed) override;
  bool crashed() const override { return false; }
  Status Restart(uint64_t seed) override;

 private:
  static constexpr int64_t kDefaultTtl = -1;

  struct Partition {
    PartitionState state;
    PartitionState before;   // before the last write
    PartitionState halfway;  // within the last batch
  };
  class ToyConnection;

  Answer Execute(const std::string& name, const std::vector<Action>& actions, bool batch);
  std::vector<ActionResult> Run(const std::vector<Action>& actions, bool batch, Partition* partition);
  std::vector<ActionResult> RunRightly(const std::vector<Action>& actions, int64_t now_s, PartitionState* state);
  // Whether the bug shows now.
  bool Shows(Bug bug);

  const Bug bug_;
  const PartitionModel model_{kDefaultTtl};
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, Partition> partitions_;
  int64_t now_s_ = 1000;
  int64_t etags_ = 0;
  int64_t chances_ = 0;
  int64_t operations_ = 0;
  bool disturbed_ = false;
};

}  // namespace lapse::linearizability
