#include "engine/memory/item_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

std::shared_ptr<const CachedItem> ItemWith(std::string_view key, std::string document) {
  auto item = std::make_shared<CachedItem>();
  item->head_key = key;
  item->document = std::move(document);
  return item;
}

class ItemCacheTest : public ::testing::Test {
 protected:
  // "" if the key is not cached.
  std::string Cached(std::string_view key) {
    const std::shared_ptr<const CachedItem> item = cache_.Peek(key);
    return item == nullptr ? "" : item->document;
  }

  void Bring(std::string_view key, std::string document) {
    ItemCache::Load load;
    ASSERT_EQ(cache_.Find(key, &load), nullptr);
    load.Insert(ItemWith(key, std::move(document)));
  }

  ItemCache cache_{1 << 20};
};

TEST_F(ItemCacheTest, KeepsWhatWasBroughtIn) {
  Bring("a", "1");
  EXPECT_EQ(Cached("a"), "1");
  EXPECT_EQ(Cached("b"), "");
}

TEST_F(ItemCacheTest, ACommitKeepsItsOwnItemsOutAndNoOthers) {
  // Enough keys for each slice of the cache to have some of both kinds.
  std::vector<std::string> written, others;
  for (int i = 0; i < 500; ++i) {
    written.push_back("written " + std::to_string(i));
    others.push_back("other " + std::to_string(i));
    Bring(written.back(), "old");
  }
  cache_.BeginCommit(written);
  for (const std::string& key : written) {
    EXPECT_EQ(Cached(key), "");
    Bring(key, "old or new, nobody knows");
    EXPECT_EQ(Cached(key), "");
  }
  for (const std::string& key : others) {
    Bring(key, "not concerned");
    EXPECT_EQ(Cached(key), "not concerned");
  }
  cache_.EndCommit(written);
  for (const std::string& key : written) {
    Bring(key, "new");
    EXPECT_EQ(Cached(key), "new");
  }
}

TEST_F(ItemCacheTest, WhatWasReadBeforeACommitDoesNotComeInAfterIt) {
  ItemCache::Load before;
  ASSERT_EQ(cache_.Find("a", &before), nullptr);
  cache_.BeginCommit({"a"});
  ItemCache::Load during;
  ASSERT_EQ(cache_.Find("a", &during), nullptr);
  cache_.EndCommit({"a"});
  before.Insert(ItemWith("a", "old"));
  EXPECT_EQ(Cached("a"), "");
  during.Insert(ItemWith("a", "old"));
  EXPECT_EQ(Cached("a"), "");
  ItemCache::Load after;
  ASSERT_EQ(cache_.Find("a", &after), nullptr);
  after.Insert(ItemWith("a", "new"));
  EXPECT_EQ(Cached("a"), "new");
}

TEST_F(ItemCacheTest, HasAnItemByNumberForAsLongAsByKey) {
  const std::string key = ContainerPrefix(7) + "a";
  auto item = std::make_shared<CachedItem>();
  item->head_key = key;
  item->head.number = MakeItemNumber(3, 5);
  item->document = "1";
  {
    ItemCache::Load load;
    ASSERT_EQ(cache_.Find(key, &load), nullptr);
    load.Insert(item);
  }
  EXPECT_EQ(cache_.Peek(7, MakeItemNumber(3, 5)), item);
  EXPECT_EQ(cache_.Peek(8, MakeItemNumber(3, 5)), nullptr);
  EXPECT_EQ(cache_.Peek(7, MakeItemNumber(3, 6)), nullptr);
  cache_.BeginCommit({key});
  EXPECT_EQ(cache_.Peek(7, MakeItemNumber(3, 5)), nullptr);
  cache_.EndCommit({key});
  EXPECT_EQ(cache_.Peek(7, MakeItemNumber(3, 5)), nullptr);
  // An evicted item can be found neither by key nor by number.
  {
    ItemCache::Load load;
    ASSERT_EQ(cache_.Find(key, &load), nullptr);
    load.Insert(item);
  }
  for (int i = 0; i < 5000; ++i) Bring(std::to_string(i), std::string(1000, 'x'));
  EXPECT_EQ(Cached(key), "");
  EXPECT_EQ(cache_.Peek(7, MakeItemNumber(3, 5)), nullptr);
}

TEST_F(ItemCacheTest, IsBounded) {
  for (int i = 0; i < 5000; ++i) Bring(std::to_string(i), std::string(1000, 'x'));
  int kept = 0;
  for (int i = 0; i < 5000; ++i) kept += Cached(std::to_string(i)).empty() ? 0 : 1;
  EXPECT_GT(kept, 300);
  EXPECT_LT(kept, 1000);
  Bring("large", std::string(1 << 19, 'x'));
  EXPECT_EQ(Cached("large"), "") << "one item must not push out many";
}

}  // namespace
}  // namespace lapse::engine
