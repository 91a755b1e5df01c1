// An engine on RocksDB, on a disk that can be filled and whose power can be cut. Its clocks move only when told to.
// Directory and disk outlive the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/executor.h"
#include "base/status.h"
#include "base/temporary_directory.h"
#include "engine/engine.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/rocks/faults/fault_file_system.h"
#include "store/shard.h"

namespace lapse::durability {

// The database of all containers in these tests, and the lifetime of most items.
constexpr std::string_view kDatabase = "db";
constexpr int32_t kDefaultTtl_s = 10;

// Threads: any may use the engine and the disk; only one opens and closes. Owns: everything it opens.
class DurableStore {
 public:
  static constexpr int64_t kStart_ms = 1'750'000'000'000;
  static constexpr uint64_t kDiskReserve_bytes = 16 << 20;

  ~DurableStore() { Close(); }

  // Where the second turns over: on the thread that asks for the time, or on the engine's own thread.
  enum class Clock { kForeground, kBackground };

  Status Open(store::Durability durability, Clock clock = Clock::kForeground);
  // Waits for queued writes.
  void Close();
  // Closes the engine, and leaves of the files what a machine could find after a power cut.
  void LosePower(uint64_t seed, store::UnsyncedBytes unsynced);

  engine::Engine& engine() { return *engine_; }
  // Creates a container in the database "db", partitioned by /pk.
  void MakeContainer(int32_t default_ttl, int64_t change_log_retention_s = 0);
  engine::ContainerPtr container();
  store::FaultFileSystem& disk() { return *disk_; }

  // Advances both clocks, and waits until store time has followed.
  void PassSeconds(int64_t seconds);
  // Sets the wall clock back by this much, as if the machine had restarted with a wrong calendar.
  void SetCalendarBack(int64_t ms) { wall_.Advance(-ms); }

 private:
  TemporaryDirectory directory_;
  const std::shared_ptr<store::FaultFileSystem> disk_ = store::FaultFileSystem::New();
  ManualWallClock wall_{kStart_ms};
  ManualSteadyClock steady_;
  std::unique_ptr<ThreadPool> commits_;
  std::unique_ptr<engine::PurgeFilter> purge_filter_;
  std::unique_ptr<store::Shard> shard_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace lapse::durability
