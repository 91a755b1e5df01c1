// An engine on RocksDB on a disk that can be filled, and whose power can be cut, with clocks that stand still until
// moved. Directory and disk outlive the engine.
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

// Where all containers of these tests are, and how long the items of most live.
constexpr std::string_view kDatabase = "db";
constexpr int32_t kDefaultTtl_s = 10;

// Threads: any may use the engine and the disk; one opens and closes. Owns: all of it.
class DurableStore {
 public:
  static constexpr int64_t kStart_ms = 1'750'000'000'000;
  static constexpr uint64_t kDiskReserve_bytes = 16 << 20;

  ~DurableStore() { Close(); }

  // Where the second is turned over: by whoever asks for the time, or by the engine's own thread.
  enum class Clock { kForeground, kBackground };

  Status Open(store::Durability durability, Clock clock = Clock::kForeground);
  // Waits for the writes that are queued.
  void Close();
  // Closes, and leaves of the files what a machine could find after a power cut.
  void LosePower(uint64_t seed, store::UnsyncedBytes unsynced);

  engine::Engine& engine() { return *engine_; }
  // Of the database "db", partitioned by /pk.
  void MakeContainer(int32_t default_ttl, int64_t change_log_retention_s = 0);
  engine::ContainerPtr container();
  store::FaultFileSystem& disk() { return *disk_; }

  // Both clocks, and waits until store time has followed.
  void PassSeconds(int64_t seconds);
  // The machine comes back with a calendar that is this much behind.
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
