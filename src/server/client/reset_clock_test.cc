#include "server/client/reset_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "base/clock.h"
#include "base/temporary_directory.h"
#include "engine/engine.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/time/clock_mark.h"
#include "server/client/commands.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::server::client {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kDay_ms = 86'400'000;

// A data directory that a server has left behind, with the store time that a test needs.
class ResetClockTest : public testing::Test {
 protected:
  void Leave(const ttl::StoreTimeMark& mark) {
    std::unique_ptr<store::DataDirectory> directory =
        *store::DataDirectory::Open(data_dir_, {.create = true, .test_clock = mark.test_clock});
    std::unique_ptr<store::Shard> shard = OpenShard(directory.get());
    Status saved = engine::ClockMark(shard.get(), directory->clock_slot()).Save(mark);
    EXPECT_TRUE(saved.ok()) << saved.message();
  }

  ttl::StoreTimeMark Left(bool test_clock) {
    std::unique_ptr<store::DataDirectory> directory =
        *store::DataDirectory::Open(data_dir_, {.create = false, .test_clock = test_clock});
    std::unique_ptr<store::Shard> shard = OpenShard(directory.get());
    return **engine::ClockMark(shard.get(), directory->clock_slot()).Load();
  }

  int Reset(std::vector<const char*> more = {}) {
    std::vector<const char*> arguments = {"lapse", "clock", "reset", "--data-dir", data_dir_.c_str()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(
        static_cast<int>(arguments.size()), arguments.data(), [](const std::string&) { return std::nullopt; }, out_,
        err_);
  }

  std::ostringstream out_;
  std::ostringstream err_;

 private:
  static std::unique_ptr<store::Shard> OpenShard(store::DataDirectory* directory) {
    return *directory->OpenShard({}, engine::EngineFamilies());
  }

  TemporaryDirectory root_;

 protected:
  std::string data_dir_ = root_.PathOf("data");
};

TEST_F(ResetClockTest, SaysWhatItDoesAndWaitsForYes) {
  ttl::StoreTimeMark ahead{.high_water_ms = RealWallClock().NowMs() + 3650 * kDay_ms};
  Leave(ahead);
  EXPECT_EQ(Reset(), 2);
  EXPECT_THAT(err_.str(), HasSubstr("brings items that expired since back to life"));
  EXPECT_THAT(err_.str(), HasSubstr("--yes"));
  EXPECT_EQ(Left(false), ahead);
}

TEST_F(ResetClockTest, RepairsAMarkThatIsAhead) {
  Leave({.high_water_ms = RealWallClock().NowMs() + 3650 * kDay_ms, .held = true});
  EXPECT_EQ(Reset({"--yes"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("brings items that expired since back to life"));
  ttl::StoreTimeMark left = Left(false);
  EXPECT_LE(left.high_water_ms, RealWallClock().NowMs());
  EXPECT_FALSE(left.held);
}

TEST_F(ResetClockTest, SaysThatGoingForwardExpires) {
  Leave({.high_water_ms = RealWallClock().NowMs() - 10 * kDay_ms});
  EXPECT_EQ(Reset(), 2);
  EXPECT_THAT(err_.str(), HasSubstr("lets all items expire that were to expire by then"));
}

TEST_F(ResetClockTest, KeepsTheStateOfTheTestClock) {
  ttl::StoreTimeMark moved{
      .high_water_ms = 4'000'000'000'000, .test_clock = true, .test_offset_ms = 7 * kDay_ms, .frozen = true};
  Leave(moved);
  EXPECT_EQ(Reset({"--yes"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("is a directory of the test clock"));
  EXPECT_EQ(Left(true), moved);
}

TEST_F(ResetClockTest, MakesADamagedClockFileAnew) {
  Leave({.high_water_ms = RealWallClock().NowMs()});
  std::ofstream(data_dir_ + "/CLOCK") << "garbage";
  EXPECT_EQ(Reset(), 2);
  EXPECT_THAT(err_.str(), HasSubstr("store time is lost"));
  EXPECT_EQ(std::filesystem::file_size(data_dir_ + "/CLOCK"), 7u);
  EXPECT_EQ(Reset({"--yes"}), 0) << err_.str();
  EXPECT_LE(Left(false).high_water_ms, RealWallClock().NowMs());
}

TEST_F(ResetClockTest, NamesADirectoryThatIsNotThere) {
  EXPECT_EQ(Reset({"--yes"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("data"));
}

}  // namespace
}  // namespace lapse::server::client
