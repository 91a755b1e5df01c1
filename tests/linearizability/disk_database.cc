#include "tests/linearizability/disk_database.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "tests/linearizability/cosmos_connection.h"
#include "tests/linearizability/test_clock.h"

namespace lapse::linearizability {
namespace {

// Changes of the disk (appends, syncs and so on) within which a fault happens, if at all.
constexpr uint64_t kChangesMost = 300;

}  // namespace

DiskDatabase::DiskDatabase(std::optional<int64_t> default_ttl) : default_ttl_(default_ttl) {
  Status made = Start();
  if (made.ok()) made = MakeContainer(server_->port(), default_ttl);
  if (made.ok() && !AskTestClock(server_->port(), R"({"freeze":true})").has_value()) made = {Code::kInternal, "clock"};
  if (!made.ok()) throw std::runtime_error("cannot be made: " + made.ToString());
}

Status DiskDatabase::Start() {
  server::ServerOptions options;
  options.data_dir = (directory_.path() / "data").string();
  options.port = 0;
  options.threads = 2;
  options.test_clock = true;
  options.rate_limiting = engine::RateLimiting::kOff;
  options.cache_bytes = 8 << 20;
  LAPSE_ASSIGN_OR_RETURN(server_, server::Server::Start(options, nullptr, disk_));
  return Status::Ok();
}

std::unique_ptr<Connection> DiskDatabase::Connect() {
  return std::make_unique<CosmosConnection>([this] { return server_->port(); });
}

int64_t DiskDatabase::NowSeconds() {
  return AskTestClock(server_->port(), "").value_or(0);
}

std::optional<int64_t> DiskDatabase::MoveClock(int64_t seconds) {
  return AskTestClock(server_->port(), R"({"advance":)" + std::to_string(seconds) + "}");
}

void DiskDatabase::Disturb(uint64_t seed) {
  const uint64_t change = 1 + seed / 8 % kChangesMost;
  switch (seed % 8) {
    case 0: break;
    case 1: disk_->FailSync(change / 2 + 1, store::DiskError::kInputOutput); break;
    case 2: disk_->FailAppend(change, store::DiskError::kInputOutput); break;
    case 3: disk_->FailAppend(change, store::DiskError::kNoSpace); break;
    default: disk_->CutPowerAt(change); break;
  }
}

Status DiskDatabase::Restart(uint64_t seed) {
  server_.reset();
  // Cancels a failure that has not happened yet.
  disk_->FailSync(0, store::DiskError::kNone);
  disk_->FailAppend(0, store::DiskError::kNone);
  if (disk_->power_is_cut() || seed % 2 == 0) {
    constexpr store::UnsyncedBytes kWays[] = {store::UnsyncedBytes::kLost, store::UnsyncedBytes::kPrefix,
                                              store::UnsyncedBytes::kGarbled};
    disk_->DropUnsynced(seed, kWays[seed / 2 % 3]);
  }
  return Start();
}

}  // namespace lapse::linearizability
