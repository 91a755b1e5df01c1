// The whole server on RocksDB, on a disk that fails and loses what was not synced.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "base/temporary_directory.h"
#include "server/server.h"
#include "store/rocks/faults/fault_file_system.h"
#include "tests/linearizability/database.h"

namespace lapse::linearizability {

// Threads: as Database. Owns: server, store and disk.
class DiskDatabase : public Database {
 public:
  explicit DiskDatabase(std::optional<int64_t> default_ttl);

  std::optional<int64_t> default_ttl() const override { return default_ttl_; }
  std::unique_ptr<Connection> Connect() override;
  int64_t NowSeconds() override;
  std::optional<int64_t> MoveClock(int64_t seconds) override;
  void Disturb(uint64_t seed) override;
  bool crashed() const override { return disk_->power_is_cut(); }
  Status Restart(uint64_t seed) override;

 private:
  Status Start();

  const std::optional<int64_t> default_ttl_;
  TemporaryDirectory directory_;
  const std::shared_ptr<store::FaultFileSystem> disk_ = store::FaultFileSystem::New();
  std::unique_ptr<server::Server> server_;
};

}  // namespace lapse::linearizability
