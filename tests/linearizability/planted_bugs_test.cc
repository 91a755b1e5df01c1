// The same clients against a toy database with a planted bug. Each bug must be found, and without one nothing may be.
#include <gtest/gtest.h>

#include <string>

#include "tests/linearizability/round.h"
#include "tests/linearizability/toy_database.h"

namespace lapse::linearizability {
namespace {

constexpr uint64_t kSoundRounds = 5;
// Thread interleavings vary, so a bug may take some rounds to show.
constexpr uint64_t kRoundsUntilFoundMost = 100;

struct Case {
  std::string name;
  Bug bug;
};

class PlantedBugTest : public ::testing::TestWithParam<Case> {};

TEST_P(PlantedBugTest, IsFound) {
  ToyDatabase toy(GetParam().bug);
  for (uint64_t seed = 1; seed <= kRoundsUntilFoundMost; ++seed) {
    const std::string wrong = Judge(RunRound({.seed = seed}, &toy), toy);
    if (!wrong.empty()) {
      EXPECT_NE(wrong.find("explains the answers"), std::string::npos) << wrong;
      return;
    }
  }
  ADD_FAILURE() << "not found in " << kRoundsUntilFoundMost << " rounds";
}

INSTANTIATE_TEST_SUITE_P(
    Of, PlantedBugTest,
    ::testing::Values(Case{"LostUpdate", Bug::kLostUpdate}, Case{"IgnoredEtag", Bug::kIgnoredEtag},
                      Case{"StaleRead", Bug::kStaleRead}, Case{"HalfBatch", Bug::kHalfBatch},
                      Case{"FailedBatchStays", Bug::kFailedBatchStays}, Case{"DuplicateKey", Bug::kDuplicateKey},
                      Case{"LateExpiry", Bug::kLateExpiry}, Case{"ExpiredComesBack", Bug::kExpiredComesBack},
                      Case{"RefusedHappens", Bug::kRefusedHappens}, Case{"LostAtRestart", Bug::kLostAtRestart}),
    [](const auto& one) { return one.param.name; });

TEST(SoundToyTest, NothingIsFound) {
  ToyDatabase toy(Bug::kNone);
  RoundCounts counts;
  for (uint64_t seed = 1; seed <= kSoundRounds; ++seed) {
    const Round round = RunRound({.seed = seed}, &toy);
    ASSERT_EQ(Judge(round, toy), "") << "seed " << seed;
    counts.Add(round.counts);
  }
  EXPECT_GT(counts.changes, 100) << counts.Describe();
  EXPECT_GT(counts.batches, 50) << counts.Describe();
  EXPECT_GT(counts.conflicts, 50) << counts.Describe();
  EXPECT_GT(counts.changed_before, 20) << counts.Describe();
  EXPECT_GT(counts.unknown, 20) << counts.Describe();
  EXPECT_GT(counts.refused, 20) << counts.Describe();
}

}  // namespace
}  // namespace lapse::linearizability
