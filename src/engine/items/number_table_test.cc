#include "engine/items/number_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "engine/items/item_cache.h"

namespace lapse::engine {
namespace {

NumberTable::Item NewItem() {
  return std::make_shared<const CachedItem>();
}

TEST(NumberTableTest, AnEmptyOneHasNothing) {
  NumberTable table;
  EXPECT_EQ(table.Find({1, 1}), nullptr);
  table.Erase({1, 1});
  EXPECT_EQ(table.size(), 0U);
}

TEST(NumberTableTest, ANumberOfAnotherContainerIsAnother) {
  NumberTable table;
  const NumberTable::Item one = NewItem(), other = NewItem();
  table.Put({1, 5}, one);
  EXPECT_EQ(table.Find({2, 5}), nullptr);
  table.Put({2, 5}, other);
  EXPECT_EQ(table.Find({1, 5}), one);
  EXPECT_EQ(table.Find({2, 5}), other);
}

TEST(NumberTableTest, TheSameNumberIsReplaced) {
  NumberTable table;
  const NumberTable::Item newer = NewItem();
  table.Put({1, 5}, NewItem());
  table.Put({1, 5}, newer);
  EXPECT_EQ(table.Find({1, 5}), newer);
  EXPECT_EQ(table.size(), 1U);
}

// Against a map: few numbers, so that the table is small and what is erased stands among others.
TEST(NumberTableTest, IsRightAfterAnyHistory) {
  for (uint32_t seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    NumberTable table;
    std::map<std::pair<ContainerId, ItemNumber>, NumberTable::Item> expected;
    const uint32_t numbers = 8 << seed % 6;
    for (int step = 0; step < 2000; ++step) {
      const NumberTable::Number number{1 + static_cast<ContainerId>(random() % 2), random() % numbers};
      if (random() % 2 == 0) {
        const NumberTable::Item item = NewItem();
        table.Put(number, item);
        expected[{number.container, number.item}] = item;
      } else {
        table.Erase(number);
        expected.erase({number.container, number.item});
      }
      const NumberTable::Number asked{1 + static_cast<ContainerId>(random() % 2), random() % numbers};
      const auto found = expected.find({asked.container, asked.item});
      ASSERT_EQ(table.Find(asked), found == expected.end() ? nullptr : found->second) << "seed " << seed;
      ASSERT_EQ(table.size(), expected.size()) << "seed " << seed;
    }
    for (const auto& [number, item] : expected) {
      ASSERT_EQ(table.Find({number.first, number.second}), item) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace lapse::engine
