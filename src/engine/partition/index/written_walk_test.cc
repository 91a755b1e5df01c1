#include "engine/partition/index/written_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/partition/index/index_fixture.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

using Direction = IndexRange::Direction;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WrittenWalkTest : public IndexFixture {
 protected:
  // The second after the start, and the creation.
  using Entry = std::pair<int64_t, uint64_t>;

  std::vector<Entry> Walk(IndexRange range, size_t held_max = 2) {
    const ContainerPtr container = Find("c");
    const auto page = container->OpenIndexPage();
    EXPECT_TRUE(page.ok());
    const IndexReader& reader = (*page)->Partition(0);
    range.path = kWrittenPath;
    WrittenBodies bodies{reader.store(), &reader.snapshot(), &reader.moment(), reader.partition().id(), held_max};
    WrittenWalk walk(bodies, range);
    std::vector<Entry> found;
    for (; walk.Valid(); walk.Next()) {
      IndexValue value;
      std::string_view bytes = walk.value();
      EXPECT_TRUE(TakeIndexValue(&bytes, &value) && bytes.empty());
      found.emplace_back(static_cast<int64_t>(value.number) - kStart_s, CreationOf(walk.item()));
    }
    EXPECT_TRUE(walk.status().ok()) << walk.status().ToString();
    return found;
  }

  static std::string Second(int64_t second) { return ValueOf(std::to_string(kStart_s + second)); }
  static IndexRange Between(std::string lower, std::string upper, Direction direction = Direction::kForward) {
    IndexRange range;
    range.lower = std::move(lower);
    range.upper = std::move(upper);
    range.direction = direction;
    return range;
  }
};

TEST_F(WrittenWalkTest, GoesBySecondAndNumberWhateverTheClassOfTheBody) {
  MakeIndexed(Policy({"*"}), -1);
  Create("1", "{}", 1000);
  Create("2", "{}");
  PassSeconds(1);
  Create("3", "{}");
  Create("4", "{}", 1000);
  Create("5", "{}", 1000);
  Replace("2", "{}");
  PassSeconds(1);
  Replace("4", "{}");
  EXPECT_THAT(Walk({}), ElementsAre(Entry(0, 1), Entry(1, 2), Entry(1, 3), Entry(1, 5), Entry(2, 4)));
  EXPECT_THAT(Walk(Between("", "", Direction::kBackward)),
              ElementsAre(Entry(2, 4), Entry(1, 5), Entry(1, 3), Entry(1, 2), Entry(0, 1)));
  EXPECT_THAT(Walk(Between(Second(1), Second(2))), ElementsAre(Entry(1, 2), Entry(1, 3), Entry(1, 5)));
  EXPECT_THAT(Walk(Between(Second(2), "")), ElementsAre(Entry(2, 4)));
  EXPECT_THAT(Walk(Between(Second(3), "")), IsEmpty());
  EXPECT_THAT(Walk(Between("", Second(0))), IsEmpty());
  EXPECT_THAT(Walk(Between("\x06", "")), IsEmpty());
  EXPECT_THAT(Walk(Between("", "\x05")), IsEmpty());
  EXPECT_EQ(Walk(Between("\x01", "\x09")).size(), 5u);
}

TEST_F(WrittenWalkTest, BoundsMayLieWithinASecond) {
  MakeIndexed(Policy({"*"}));
  for (int i = 1; i <= 9; ++i) Create(std::to_string(i), "{}");
  std::string lower = Second(0);
  PutCreation(&lower, MakeItemNumber(0, 4));
  EXPECT_THAT(Walk(Between(lower, "")),
              ElementsAre(Entry(0, 4), Entry(0, 5), Entry(0, 6), Entry(0, 7), Entry(0, 8), Entry(0, 9)));
  EXPECT_THAT(Walk(Between("", lower, Direction::kBackward)), ElementsAre(Entry(0, 3), Entry(0, 2), Entry(0, 1)));
}

TEST_F(WrittenWalkTest, ASecondMayHaveMoreItemsThanAreHeld) {
  MakeIndexed(Policy({"*"}), -1);
  std::vector<Entry> all;
  for (int second = 0; second < 3; ++second) {
    for (uint64_t i = 1; i <= 20; ++i) {
      const uint64_t creation = static_cast<uint64_t>(second) * 20 + i;
      Create(std::to_string(creation), "{}", i % 3 == 0 ? std::optional<int32_t>(1000) : std::nullopt);
      all.emplace_back(second, creation);
    }
    PassSeconds(1);
  }
  for (size_t held_max : {1, 2, 3, 5, 10, 20, 100}) {
    EXPECT_EQ(Walk({}, held_max), all) << held_max;
    std::vector<Entry> turned(all.rbegin(), all.rend());
    EXPECT_EQ(Walk(Between("", "", Direction::kBackward), held_max), turned) << held_max;
  }
}

TEST_F(WrittenWalkTest, WhatIsDeadHasNoItem) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", "{}");
  PassSeconds(1);
  Create("2", "{}");
  PassSeconds(9);
  EXPECT_THAT(Walk({}), ElementsAre(Entry(1, 2)));
  IndexRange range;
  range.any_order = true;
  EXPECT_THAT(Walk(range), ElementsAre(Entry(0, 0), Entry(1, 2)));
  PurgeAll();
  EXPECT_THAT(Walk({}), ElementsAre(Entry(1, 2)));
}

}  // namespace
}  // namespace lapse::engine
