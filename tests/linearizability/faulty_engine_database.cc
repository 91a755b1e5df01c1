#include "tests/linearizability/faulty_engine_database.h"

#include <stdexcept>
#include <utility>

#include "engine/shard/purge/engine_families.h"
#include "server/options.h"
#include "tests/linearizability/cosmos_connection.h"

namespace lapse::linearizability {
namespace {

constexpr int64_t kStart_ms = 1'750'000'000'000;
constexpr int kThreads = 3;
constexpr int kStopGrace_ms = 1000;

}  // namespace

FaultyEngineDatabase::FaultyEngineDatabase(std::optional<int64_t> default_ttl)
    : default_ttl_(default_ttl), wall_(kStart_ms), shard_(NewShard(1)) {
  shard_->set_faults(false);
  Status made = Open();
  if (made.ok()) made = engine_->clock().Freeze();
  if (made.ok()) made = MakeContainer(http_->port(), default_ttl);
  if (!made.ok()) throw std::runtime_error("cannot be made: " + made.ToString());
}

FaultyEngineDatabase::~FaultyEngineDatabase() {
  Close();
}

std::unique_ptr<store::FaultyShard> FaultyEngineDatabase::NewShard(uint64_t seed) {
  store::FaultyOptions faults;
  faults.seed = seed;
  faults.fail_before_per_mille = 30;
  faults.fail_after_per_mille = 30;
  faults.read_fail_per_mille = 10;
  faults.would_block_per_mille = 100;
  return std::make_unique<store::FaultyShard>(faults, engine::EngineFamilies(&purge_filter_));
}

Status FaultyEngineDatabase::Open() {
  commits_ = std::make_unique<ThreadPool>("commits", kThreads);
  engine::EngineOptions options;
  options.test_clock = true;
  options.background_clock = false;
  options.item_cache_bytes = 1 << 20;
  options.wall = &wall_;
  options.steady = &steady_;
  options.rate_limiting = engine::RateLimiting::kOff;
  LAPSE_ASSIGN_OR_RETURN(engine_, engine::Engine::Open(options, {{shard_.get(), &purge_filter_}}, commits_.get()));
  blocking_ = std::make_unique<ThreadPool>("blocking", kThreads);
  turning_ = std::make_unique<ThreadPool>("turning", 1);
  changing_ = std::make_unique<ThreadPool>("changing", 1);
  api::cosmos::CosmosOptions api;
  api.engine = engine_.get();
  api.blocking = blocking_.get();
  api.turning = turning_.get();
  api.changing = changing_.get();
  api.keys.primary = server::kWellKnownKey;
  api.hosts = api::cosmos::AnyHost();
  LAPSE_ASSIGN_OR_RETURN(api_, api::cosmos::CosmosApi::Create(api));
  net::HttpServerOptions http;
  http.threads = 2;
  LAPSE_ASSIGN_OR_RETURN(http_, net::HttpServer::Start(std::move(http), api_.get()));
  return Status::Ok();
}

void FaultyEngineDatabase::Close() {
  if (http_ != nullptr) http_->Stop(kStopGrace_ms);
  changing_.reset();
  turning_.reset();
  blocking_.reset();
  engine_.reset();
  commits_.reset();
  http_.reset();
  api_.reset();
}

std::unique_ptr<Connection> FaultyEngineDatabase::Connect() {
  return std::make_unique<CosmosConnection>([this] { return http_->port(); });
}

int64_t FaultyEngineDatabase::NowSeconds() {
  return engine_->clock().NowMs() / 1000;
}

std::optional<int64_t> FaultyEngineDatabase::MoveClock(int64_t seconds) {
  // If the mark cannot be kept, the clock stays as it was.
  static_cast<void>(engine_->clock().Advance(seconds * 1000));
  return NowSeconds();
}

void FaultyEngineDatabase::Disturb(uint64_t seed) {
  shard_->set_faults(seed % 4 != 0);
  crash_seed_ = seed;
  countdown_.Start(seed % 3 == 0 ? 0 : 1 + seed / 12 % CrashCountdown::kOperationsMost);
}

// Voids the answers before it inspects the shard, so that each answer that counts is about synced writes.
void FaultyEngineDatabase::BeforeOperation() {
  if (!countdown_.IsNow()) return;
  crashed_ = true;
  survivor_ = shard_->Crash(crash_seed_);
}

Status FaultyEngineDatabase::Restart(uint64_t) {
  Close();
  if (crashed_.exchange(false)) shard_ = std::move(survivor_);
  shard_->set_faults(false);
  countdown_.Start(0);
  return Open();
}

}  // namespace lapse::linearizability
