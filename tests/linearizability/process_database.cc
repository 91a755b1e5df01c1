#include "tests/linearizability/process_database.h"

#include <signal.h>

#include <stdexcept>
#include <string>

#include "tests/linearizability/cosmos_connection.h"
#include "tests/linearizability/test_clock.h"

namespace lapse::linearizability {

ProcessDatabase::ProcessDatabase(std::optional<int64_t> default_ttl) : default_ttl_(default_ttl) {
  Status made = Start();
  if (made.ok()) made = MakeContainer(server_->port(), default_ttl);
  if (made.ok() && !AskTestClock(server_->port(), R"({"freeze":true})").has_value()) made = {Code::kInternal, "clock"};
  if (!made.ok()) throw std::runtime_error("cannot be made: " + made.ToString());
}

Status ProcessDatabase::Start() {
  server_ = std::make_unique<tests::ServerProcess>(std::vector<std::string>{
      "--data-dir", directory_.PathOf("data"), "--test-clock", "--rate-limiting", "off", "--cache-size", "8M"});
  return server_->ready() ? Status::Ok() : Status(Code::kInternal, server_->log());
}

std::unique_ptr<Connection> ProcessDatabase::Connect() {
  return std::make_unique<CosmosConnection>([this] { return server_->port(); });
}

int64_t ProcessDatabase::NowSeconds() {
  return AskTestClock(server_->port(), "").value_or(0);
}

std::optional<int64_t> ProcessDatabase::MoveClock(int64_t seconds) {
  return AskTestClock(server_->port(), R"({"advance":)" + std::to_string(seconds) + "}");
}

void ProcessDatabase::Disturb(uint64_t seed) {
  countdown_.Start(seed % 4 == 0 ? 0 : 1 + seed / 4 % CrashCountdown::kOperationsMost);
}

void ProcessDatabase::BeforeOperation() {
  if (!countdown_.IsNow()) return;
  crashed_ = true;
  server_->Signal(SIGKILL);
}

Status ProcessDatabase::Restart(uint64_t) {
  if (!crashed_) server_->Signal(SIGTERM);
  const int code = server_->Wait();
  if (!crashed_.exchange(false) && code != 0) return {Code::kInternal, "no clean end: " + server_->log()};
  countdown_.Start(0);
  return Start();
}

}  // namespace lapse::linearizability
