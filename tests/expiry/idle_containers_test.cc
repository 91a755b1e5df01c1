// Idle containers cost nothing as time passes, however many there are.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::expiry {
namespace {

constexpr int kFew = 5;
constexpr int kMany = 5000;
constexpr int kSeconds = 100;
constexpr int kTurnsPerSecond = 10;  // as often as an idle sweeper looks

// Counts of calls: to the store by name, to the threads that commit, and to the steady clock, which the sweeper reads
// for every partition that it looks at.
using Work = std::map<std::string, int64_t, std::less<>>;

class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Work* work) : work_(work) {}
  void Run(std::function<void()> piece) override {
    ++(*work_)["commit"];
    piece();
  }

 private:
  Work* const work_;
};

class CountingClock final : public SteadyClock {
 public:
  explicit CountingClock(Work* work) : work_(work) {}
  int64_t NowNs() const override {
    ++(*work_)["steady clock"];
    return clock_.NowNs();
  }
  void AdvanceMs(int64_t ms) { clock_.AdvanceMs(ms); }

 private:
  Work* const work_;
  ManualSteadyClock clock_;
};

// An engine with empty containers that have a TTL, on one thread.
class IdleEngine {
 public:
  explicit IdleEngine(int containers) {
    store::FaultyOptions counting;
    counting.on_call = [this](std::string_view call) { ++work_[std::string(call)]; };
    shard_ = std::make_unique<store::FaultyShard>(std::move(counting), engine::EngineFamilies(&filter_));
    Open();
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    for (int i = 0; i < containers; ++i) {
      engine::ContainerDefinition definition;
      definition.name = "c" + std::to_string(i);
      definition.partition_key.paths = {doc::Path({"pk"})};
      definition.default_ttl = 1 + i % 10;
      EXPECT_TRUE(engine_->catalog_store().CreateContainer("db", std::move(definition)).ok());
    }
  }
  ~IdleEngine() { engine_.reset(); }

  void Open() {
    engine_.reset();
    engine::EngineOptions options;
    options.background_clock = false;
    options.background_sweeper = false;
    options.wall = &wall_;
    options.steady = &steady_;
    auto opened = engine::Engine::Open(options, {{shard_.get(), &filter_}}, &executor_);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    engine_ = *std::move(opened);
  }

  // Returns the work that these seconds cost.
  Work PassSeconds(int seconds) {
    work_.clear();
    for (int turn = 0; turn < seconds * kTurnsPerSecond; ++turn) {
      wall_.Advance(1000 / kTurnsPerSecond);
      steady_.AdvanceMs(1000 / kTurnsPerSecond);
      engine_->clock().NowMs();
      engine_->SweepTurn();
      engine_->ReclaimTurn();
    }
    return work_;
  }

 private:
  Work work_;
  ManualWallClock wall_{1'750'000'000'000};
  CountingClock steady_{&work_};
  CountingExecutor executor_{&work_};
  engine::PurgeFilter filter_;
  std::unique_ptr<store::FaultyShard> shard_;
  std::unique_ptr<engine::Engine> engine_;
};

TEST(IdleContainersTest, ManyCostAsMuchAsFew) {
  IdleEngine few(kFew);
  IdleEngine many(kMany);
  const Work cost = few.PassSeconds(kSeconds);
  EXPECT_EQ(cost.at("Write"), kSeconds) << "the clock's marks";
  EXPECT_EQ(many.PassSeconds(kSeconds), cost);

  // After a start each container is looked at once, and then no more.
  for (IdleEngine* engine : {&few, &many}) ASSERT_NO_FATAL_FAILURE(engine->Open());
  EXPECT_EQ(few.PassSeconds(kSeconds)["commit"], kFew);
  EXPECT_EQ(many.PassSeconds(kSeconds)["commit"], kMany);
  EXPECT_EQ(few.PassSeconds(kSeconds), cost);
  EXPECT_EQ(many.PassSeconds(kSeconds), cost);
}

}  // namespace
}  // namespace lapse::expiry
