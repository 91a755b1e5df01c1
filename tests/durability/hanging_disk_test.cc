// The disk that holds the clock's mark hangs: time must go on for readers, and items must expire.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <utility>

#include "base/log.h"
#include "tests/durability/durable_store.h"

namespace lapse::durability {
namespace {

using store::Durability;
using store::HangingCalls;

// A test that waits longer than this has failed.
constexpr std::chrono::seconds kPatience{30};

class HangingDiskClockTest : public ::testing::Test {
 protected:
  HangingDiskClockTest() {
    SetLogLevel(LogLevel::kOff);
    Open();
    store_.MakeContainer(kDefaultTtl_s);
  }
  ~HangingDiskClockTest() override {
    store_.disk().Hang(HangingCalls::kNone);
    store_.Close();
    SetLogLevel(LogLevel::kInfo);
  }

  void Open() {
    Status opened = store_.Open(Durability::kSync, DurableStore::Clock::kBackground);
    ASSERT_TRUE(opened.ok()) << opened.ToString();
  }

  static engine::ItemAddress AddressOf(const engine::Container& container) {
    auto key = engine::PartitionKeyComponent::String("pk");
    return {engine::LogicalKeyOf(container.partition_key(), {&key, 1}), engine::StringItemId("item")};
  }

  std::future<Code> Create() {
    engine::ContainerPtr container = store_.container();
    engine::ItemWrite write;
    write.kind = engine::ItemWrite::Kind::kCreate;
    write.address = AddressOf(*container);
    write.document = "document";
    auto outcome = std::make_shared<std::promise<Code>>();
    container->Write(std::move(write),
                     [outcome](const Result<engine::ItemWritten>& done) { outcome->set_value(done.status().code()); });
    return outcome->get_future();
  }

  // Runs work that must end although the disk hangs.
  template <typename Work>
  void MustEnd(const char* what, Work work) {
    auto done = std::async(std::launch::async, std::move(work));
    const bool ended = done.wait_for(kPatience) == std::future_status::ready;
    EXPECT_TRUE(ended) << what;
    if (!ended) store_.disk().Hang(HangingCalls::kNone);
    done.get();
  }
  void PassSeconds(int64_t seconds) {
    MustEnd("time goes on", [&] { store_.PassSeconds(seconds); });
  }
  void ExpectRead(Code code) {
    MustEnd("a read ends", [&] {
      engine::ContainerPtr container = store_.container();
      EXPECT_EQ(container->Read(AddressOf(*container)).status().code(), code);
    });
  }

  DurableStore store_;
};

TEST_F(HangingDiskClockTest, AnItemExpiresWhileNoMarkCanBeWritten) {
  ASSERT_EQ(Create().get(), Code::kOk);
  ExpectRead(Code::kOk);
  store_.disk().Hang(HangingCalls::kSyncs);
  PassSeconds(kDefaultTtl_s - 1);
  ExpectRead(Code::kOk);
  PassSeconds(1);
  ExpectRead(Code::kNotFound);
  EXPECT_GT(store_.engine().clock().mark_failures(), 0);

  std::future<Code> created = Create();
  ASSERT_TRUE(store_.disk().WaitUntilHanging());
  ExpectRead(Code::kNotFound);
  store_.disk().Hang(HangingCalls::kNone);
  EXPECT_EQ(created.get(), Code::kOk) << "the expired item is not in the way";
  ExpectRead(Code::kOk);

  // A mark that is written after the hang covers the time that was shown.
  PassSeconds(1);
  const int64_t shown_ms = store_.engine().clock().NowMs();
  store_.SetCalendarBack(3'600'000);
  store_.LosePower(1, store::UnsyncedBytes::kLost);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_GE(store_.engine().clock().NowMs() / 1000, shown_ms / 1000);
  ExpectRead(Code::kOk);
}

}  // namespace
}  // namespace lapse::durability
