#include "base/persistent_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lapse {
namespace {

using TestMap = PersistentMap<std::string, int>;

std::vector<std::pair<std::string, int>> AllOf(const TestMap& map) {
  std::vector<std::pair<std::string, int>> all;
  map.ForEach([&](const std::string& key, int value) { all.emplace_back(key, value); });
  return all;
}

TEST(PersistentMap, ACopyKeepsWhatItHad) {
  const TestMap empty;
  const TestMap one = empty.With("a", 1);
  const TestMap two = one.With("b", 2);
  const TestMap changed = two.With("a", 7);
  const TestMap without = changed.Without("a");
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(one.Find("b"), nullptr);
  EXPECT_EQ(*two.Find("a"), 1);
  EXPECT_EQ(*changed.Find("a"), 7);
  EXPECT_FALSE(without.contains("a"));
  EXPECT_EQ(without.size(), 1U);
  EXPECT_EQ(without.Without("nothing").size(), 1U);
}

TEST(PersistentMap, IsWhatASortedMapIs) {
  std::mt19937 random(7);
  std::map<std::string, int> expected;
  TestMap map;
  for (int step = 0; step < 20'000; ++step) {
    const std::string key = std::to_string(random() % 500);
    if (random() % 3 == 0) {
      expected.erase(key);
      map = map.Without(key);
    } else {
      expected[key] = step;
      map = map.With(key, step);
    }
    ASSERT_EQ(map.size(), expected.size());
  }
  EXPECT_EQ(AllOf(map), (std::vector<std::pair<std::string, int>>(expected.begin(), expected.end())));
}

// An unbalanced tree would need as many nested calls as it has keys, and overflow the stack.
TEST(PersistentMap, StaysBalancedWhenKeysRise) {
  PersistentMap<int, int> map;
  for (int i = 0; i < 20'000; ++i) map = map.With(i, i);
  for (int i = 0; i < 15'000; ++i) map = map.Without(i);
  EXPECT_EQ(map.size(), 5'000U);
  EXPECT_EQ(*map.Find(19'999), 19'999);
}

}  // namespace
}  // namespace lapse
