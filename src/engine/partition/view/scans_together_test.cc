#include "engine/partition/view/scans_together.h"

#include <gtest/gtest.h>

#include <optional>

namespace lapse::engine {
namespace {

constexpr ItemNumber kFirst = 1'000'000;

TEST(ScansTogetherTest, TheFirstGoesAloneAndTheNextOneHasCompany) {
  ScansTogether scans;
  const ScansTogether::Scan first(&scans, kFirst);
  EXPECT_FALSE(first.has_company());
  const ScansTogether::Scan second(&scans, kFirst);
  EXPECT_TRUE(second.has_company());
}

TEST(ScansTogetherTest, OneThatIsFarAwayIsNoCompany) {
  ScansTogether scans;
  ScansTogether::Scan first(&scans, kFirst);
  first.MoveTo(kFirst + ScansTogether::kNear + 1);
  EXPECT_FALSE(ScansTogether::Scan(&scans, kFirst).has_company());
  first.MoveTo(kFirst + ScansTogether::kNear);
  EXPECT_TRUE(ScansTogether::Scan(&scans, kFirst).has_company()) << "ahead";
  EXPECT_TRUE(ScansTogether::Scan(&scans, kFirst + 2 * ScansTogether::kNear).has_company()) << "behind";
}

TEST(ScansTogetherTest, OneThatHasEndedIsNoCompany) {
  ScansTogether scans;
  std::optional<ScansTogether::Scan> first(std::in_place, &scans, kFirst);
  first.reset();
  EXPECT_FALSE(ScansTogether::Scan(&scans, kFirst).has_company());
}

}  // namespace
}  // namespace lapse::engine
