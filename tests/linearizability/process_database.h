// The server's program, which is killed with SIGKILL.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/temporary_directory.h"
#include "tests/linearizability/crash_countdown.h"
#include "tests/linearizability/database.h"
#include "tests/server/server_process.h"

namespace lapse::linearizability {

// Threads: as Database. Owns: the process and its directory.
class ProcessDatabase : public Database {
 public:
  explicit ProcessDatabase(std::optional<int64_t> default_ttl);

  std::optional<int64_t> default_ttl() const override { return default_ttl_; }
  std::unique_ptr<Connection> Connect() override;
  int64_t NowSeconds() override;
  std::optional<int64_t> MoveClock(int64_t seconds) override;
  void Disturb(uint64_t seed) override;
  void BeforeOperation() override;
  bool crashed() const override { return crashed_; }
  Status Restart(uint64_t seed) override;

 private:
  Status Start();

  const std::optional<int64_t> default_ttl_;
  TemporaryDirectory directory_;
  std::unique_ptr<tests::ServerProcess> server_;
  CrashCountdown countdown_;
  std::atomic<bool> crashed_{false};
};

}  // namespace lapse::linearizability
