// Engine and API behind a socket, on a shard that fails and crashes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "api/cosmos/cosmos_api.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/shard/purge/purge_filter.h"
#include "net/http_server.h"
#include "store/faulty/faulty_shard.h"
#include "tests/linearizability/crash_countdown.h"
#include "tests/linearizability/database.h"

namespace lapse::linearizability {

// Threads: as Database. Owns: server, engine and shard.
class FaultyEngineDatabase : public Database {
 public:
  explicit FaultyEngineDatabase(std::optional<int64_t> default_ttl);
  ~FaultyEngineDatabase() override;

  std::optional<int64_t> default_ttl() const override { return default_ttl_; }
  std::unique_ptr<Connection> Connect() override;
  int64_t NowSeconds() override;
  std::optional<int64_t> MoveClock(int64_t seconds) override;
  void Disturb(uint64_t seed) override;
  void BeforeOperation() override;
  bool crashed() const override { return crashed_; }
  Status Restart(uint64_t seed) override;

 private:
  std::unique_ptr<store::FaultyShard> NewShard(uint64_t seed);
  Status Open();
  void Close();

  const std::optional<int64_t> default_ttl_;
  ManualWallClock wall_;
  ManualSteadyClock steady_;
  engine::PurgeFilter purge_filter_;
  std::unique_ptr<store::FaultyShard> shard_;
  std::unique_ptr<ThreadPool> commits_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<ThreadPool> blocking_;
  std::unique_ptr<ThreadPool> turning_;
  std::unique_ptr<ThreadPool> changing_;
  std::unique_ptr<api::cosmos::CosmosApi> api_;
  std::unique_ptr<net::HttpServer> http_;

  CrashCountdown countdown_;
  uint64_t crash_seed_ = 0;
  std::atomic<bool> crashed_{false};
  std::unique_ptr<store::FaultyShard> survivor_;  // what the crash left
};

}  // namespace lapse::linearizability
