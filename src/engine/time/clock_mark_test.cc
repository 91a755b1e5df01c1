#include "engine/time/clock_mark.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/shard/purge/engine_families.h"
#include "store/mem/mem_shard.h"

namespace lapse::engine {
namespace {

class MemSlot : public store::Slot {
 public:
  const std::string& value() const override { return value_; }
  Status Write(std::string_view value) override {
    if (!error.ok()) return error;
    value_ = value;
    return Status::Ok();
  }

  Status error;

 private:
  std::string value_;
};

class ClockMarkTest : public ::testing::Test {
 protected:
  static constexpr int64_t kStart_ms = 1'750'000'000'000;

  Result<std::optional<ttl::StoreTimeMark>> Load(store::Slot* slot) { return ClockMark(shard_.get(), slot).Load(); }

  std::unique_ptr<store::Shard> shard_ = store::NewMemShard(EngineFamilies());
  MemSlot slot_;
};

TEST_F(ClockMarkTest, IsKeptInEitherPlace) {
  const ttl::StoreTimeMark mark{
      .high_water_ms = kStart_ms, .test_clock = true, .test_offset_ms = -5, .frozen = true, .held = true};
  for (store::Slot* slot : {static_cast<store::Slot*>(nullptr), static_cast<store::Slot*>(&slot_)}) {
    shard_ = store::NewMemShard(EngineFamilies());
    EXPECT_EQ(*Load(slot), std::nullopt);
    ASSERT_TRUE(ClockMark(shard_.get(), slot).Save(mark).ok());
    EXPECT_EQ(*Load(slot), mark);
  }
}

TEST_F(ClockMarkTest, ASlotIsTheOnlyPlaceOnceItWasWritten) {
  const ttl::StoreTimeMark old{.high_water_ms = kStart_ms}, later{.high_water_ms = kStart_ms + 1};
  ASSERT_TRUE(ClockMark(shard_.get(), nullptr).Save(old).ok());
  EXPECT_EQ(*Load(&slot_), old) << "taken over from the meta family";
  ASSERT_TRUE(ClockMark(shard_.get(), &slot_).Save(later).ok());
  EXPECT_EQ(*Load(&slot_), later);
  EXPECT_EQ(*Load(nullptr), old);
}

TEST_F(ClockMarkTest, AMalformedOneIsReported) {
  for (const char* value : {"x", "\x02\x01", "\x01"}) {
    ASSERT_TRUE(slot_.Write(value).ok());
    EXPECT_EQ(Load(&slot_).status().code(), Code::kCorruption);
  }
}

class EngineClockSlotTest : public ClockMarkTest {
 protected:
  std::unique_ptr<Engine> Open() {
    EngineOptions options;
    options.test_clock = true;
    options.background_clock = false;
    options.clock_slot = &slot_;
    options.wall = &wall_;
    options.steady = &steady_;
    auto engine = Engine::Open(options, {{shard_.get(), nullptr}}, &executor_);
    EXPECT_TRUE(engine.ok()) << engine.status().ToString();
    return *std::move(engine);
  }

  ManualWallClock wall_{kStart_ms};
  ManualSteadyClock steady_;
  InlineExecutor executor_;
};

TEST_F(EngineClockSlotTest, KeepsTheTimeInTheSlotAlone) {
  auto engine = Open();
  ASSERT_TRUE(engine->clock().Freeze().ok());
  ASSERT_TRUE(engine->clock().Advance(5000).ok());
  engine.reset();
  EXPECT_EQ(Open()->clock().NowMs(), kStart_ms + 5000);
  store::PinnedValue value;
  EXPECT_EQ(shard_->Get(kMetaFamily, ClockKey(), &value).code(), Code::kNotFound);
}

TEST_F(EngineClockSlotTest, WhatTheSlotDoesNotTakeIsNotShown) {
  auto engine = Open();
  ASSERT_TRUE(engine->clock().Freeze().ok());
  slot_.error = Status(Code::kUnavailable, "input/output error");
  EXPECT_EQ(engine->clock().Advance(5000).code(), Code::kUnavailable);
  EXPECT_EQ(engine->clock().NowMs(), kStart_ms);
  engine.reset();
  EXPECT_EQ(Open()->clock().NowMs(), kStart_ms);
}

}  // namespace
}  // namespace lapse::engine
