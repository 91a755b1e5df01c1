#include "server/server_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lapse::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Keeps the work until a test runs it, like a disk that hangs.
class HangingExecutor final : public Executor {
 public:
  void Run(std::function<void()> work) override { held_.push_back(std::move(work)); }
  void Release() {
    for (auto& work : std::exchange(held_, {})) work();
  }

 private:
  std::vector<std::function<void()>> held_;
};

class ServerMetricsTest : public testing::Test {
 protected:
  ServerMetricsTest()
      : clock_(wall_, steady_, {}, std::nullopt, false, [](const ttl::StoreTimeMark&) { return Status::Ok(); }),
        store_(
            [this] {
              return StoreFigures{writable_, {.disk_bytes = 4096, .memory_bytes = 512}};
            },
            {.executor = &disk_, .steady = &steady_, .patience_ms = 0}) {
    AddServerMetrics({.store = &store_, .clock = &clock_, .http = &http_}, &metrics_);
  }

  ManualWallClock wall_{1'790'000'000'000};
  ManualSteadyClock steady_;
  HangingExecutor disk_;
  Status writable_;
  engine::StoreClock clock_;
  StoreReading store_;
  std::atomic<net::HttpServer*> http_{nullptr};
  MetricsRegistry metrics_;
};

TEST_F(ServerMetricsTest, AScrapeDoesNotWaitForADiskThatHangs) {
  EXPECT_THAT(metrics_.PrometheusText(), Not(HasSubstr("lapse_store_disk_bytes"))) << "nothing is known yet";
  disk_.Release();
  writable_ = Status(Code::kNoSpace, "the disk is full");
  steady_.AdvanceMs(7500);
  const std::string text = metrics_.PrometheusText();
  EXPECT_THAT(text, HasSubstr("\nlapse_store_disk_bytes 4096\n"));
  EXPECT_THAT(text, HasSubstr("\nlapse_store_memory_bytes 512\n"));
  EXPECT_THAT(text, HasSubstr("\nlapse_writable 1\n"));
  EXPECT_THAT(text, HasSubstr("\nlapse_store_metrics_age_seconds 7.5\n"));
}

TEST_F(ServerMetricsTest, WhatIsCalledTotalIsACounter) {
  const std::string text = metrics_.PrometheusText();
  EXPECT_THAT(text, HasSubstr("# TYPE lapse_clock_mark_failures_total counter\n"));
  size_t types = 0;
  for (size_t at = text.find("# TYPE "); at != std::string::npos; at = text.find("# TYPE ", at + 1), ++types) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_EQ(line.find("_total ") != std::string::npos, line.ends_with(" counter")) << line;
  }
  EXPECT_GT(types, 5U);
}

}  // namespace
}  // namespace lapse::server
