#include "engine/memory/known_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/partition/index/index_fixture.h"

namespace lapse::engine {
namespace {

using testing::Contains;
using testing::IsNull;
using testing::NotNull;

// The place of a value at some path.
std::string Place(std::string_view value) {
  return IndexPathPrefix(1, 0, PathOfName(kRootPath, "path")).append(value);
}

KnownLists::Numbers ManyNumbers(ItemNumber first = 1) {
  KnownLists::Numbers numbers(KnownListsMemory::kItemsMin);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

class KnownListsTest : public testing::Test {
 protected:
  // The first offer starts a watch, and the second one builds the list.
  void OfferTwice() {
    lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
    lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  }
  // A commit that puts entries of these items at these places.
  std::unique_ptr<KnownLists::Commit> Put(const std::vector<std::pair<std::string, ItemNumber>>& entries) {
    return std::make_unique<KnownLists::Commit>(&lists_, [&](const auto& take) {
      for (const auto& [place, item] : entries) {
        std::string key = Place(place);
        PutCreation(&key, item);
        take(key);
      }
    });
  }
  auto FindNow() { return lists_.Find(Place("a"), lists_.Begin()); }

  ManualSteadyClock steady_;
  KnownListsMemory memory_{1 << 20};
  KnownLists lists_{&memory_, &steady_};
};

TEST_F(KnownListsTest, TheSecondPageMakesTheList) {
  lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  EXPECT_THAT(FindNow(), IsNull());
  lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  ASSERT_THAT(FindNow(), NotNull());
  EXPECT_EQ(*FindNow(), ManyNumbers());
  EXPECT_THAT(lists_.Find(Place("b"), lists_.Begin()), IsNull());
}

TEST_F(KnownListsTest, APageThatBeganBeforeDoesNotUseIt) {
  const KnownLists::Start before = lists_.Begin();
  OfferTwice();
  EXPECT_THAT(lists_.Find(Place("a"), before), IsNull());
}

TEST_F(KnownListsTest, WhatCommitsPutIsInTheList) {
  lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  Put({{"a", 9'000}});
  lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  Put({{"a", 5'000}, {"a", 3}, {"b", 7'000}});
  Put({{"a", 5'000}});
  KnownLists::Numbers expected = ManyNumbers();
  expected.push_back(5'000);
  expected.push_back(9'000);
  ASSERT_THAT(FindNow(), NotNull());
  EXPECT_EQ(*FindNow(), expected);
}

// The commit may have skipped its notes before the watch began, and reached the store only after the page's snapshot.
TEST_F(KnownListsTest, APageThatMayNotHaveSeenACommitMakesNoList) {
  KnownLists::Start during;
  {
    const auto commit = Put({{"a", 9'000}});
    lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
    during = lists_.Begin();
    lists_.Offer(Place("a"), during, ManyNumbers());
    EXPECT_THAT(FindNow(), IsNull());
  }
  lists_.Offer(Place("a"), during, ManyNumbers());
  EXPECT_THAT(FindNow(), IsNull());
  lists_.Offer(Place("a"), lists_.Begin(), ManyNumbers());
  EXPECT_THAT(FindNow(), NotNull());
}

TEST_F(KnownListsTest, AListThatChangesMuchIsForgotten) {
  OfferTwice();
  for (size_t i = 0; i <= KnownLists::kNotedMax; ++i) Put({{"a", 10'000 + i}});
  EXPECT_THAT(FindNow(), IsNull());
  EXPECT_EQ(memory_.bytes(), 0);
}

TEST_F(KnownListsTest, AListIsMadeAnewAfterAWhile) {
  OfferTwice();
  steady_.AdvanceMs(KnownLists::kKept_ns / 1'000'000);
  EXPECT_THAT(FindNow(), IsNull());
  EXPECT_EQ(memory_.bytes(), 0);
  OfferTwice();
  EXPECT_THAT(FindNow(), NotNull());
}

TEST_F(KnownListsTest, ItsMemoryIsBounded) {
  const size_t bytes = ManyNumbers().size() * sizeof(ItemNumber);
  for (int i = 0; i < 1000; ++i) {
    const std::string place = std::to_string(i);
    for (int times = 0; times < 2; ++times) lists_.Offer(Place(place), lists_.Begin(), ManyNumbers());
  }
  EXPECT_LE(memory_.bytes(), 1U << 20);
  EXPECT_GT(memory_.bytes(), (1U << 20) - bytes);
  // Later lists get the memory of expired ones.
  steady_.AdvanceMs(KnownLists::kKept_ns / 1'000'000);
  for (int times = 0; times < 4; ++times) lists_.Offer(Place("new"), lists_.Begin(), ManyNumbers());
  EXPECT_THAT(lists_.Find(Place("new"), lists_.Begin()), NotNull());
}

TEST_F(KnownListsTest, ShortListsAndTooManyPlacesAreNotKept) {
  for (int times = 0; times < 3; ++times) lists_.Offer(Place("a"), lists_.Begin(), {1, 2, 3});
  EXPECT_FALSE(lists_.watches());
  for (size_t i = 0; i <= KnownLists::kPlacesMax; ++i) {
    lists_.Offer(Place(std::to_string(i)), lists_.Begin(), ManyNumbers());
  }
  for (int times = 0; times < 2; ++times) lists_.Offer(Place("one more"), lists_.Begin(), ManyNumbers());
  EXPECT_THAT(lists_.Find(Place("one more"), lists_.Begin()), IsNull());
}

// --- With the engine: what pages find.

class KnownItemsTest : public IndexFixture {
 protected:
  KnownItemsTest() {
    MakeIndexed(Policy({"*"}));
    for (size_t i = 0; i < KnownListsMemory::kItemsMin; ++i) Create("item" + std::to_string(i), R"({"a":1})");
    range_.path = PathOf("a");
    PutIndexValue(&range_.lower, doc::Find(Bson(R"({"a":1})"), "a"));
    range_.upper = range_.lower + '\xff';
    range_.one_value = true;
  }

  KnownLists::Numbers Walked(const IndexReader& reader) {
    KnownLists::Numbers numbers;
    for (auto walk = reader.Walk(range_); walk->Valid(); walk->Next()) numbers.push_back(walk->item());
    return numbers;
  }
  void Learn() {
    for (int pages = 0; pages < 2; ++pages) {
      auto page = *Find("c")->OpenIndexPage();
      page->Partition(0).OfferItems(range_, Walked(page->Partition(0)));
    }
  }

  IndexRange range_;
};

TEST_F(KnownItemsTest, EveryItemThatAWalkWouldFindIsKnown) {
  Learn();
  Create("new", R"({"a":1})");
  ASSERT_TRUE(PutJson(WriteKind::kReplace, "item3", R"({"a":2})").ok());
  Create("other", R"({"a":2})");
  ASSERT_TRUE(PutJson(WriteKind::kReplace, "other", R"({"a":1})").ok());
  auto page = *Find("c")->OpenIndexPage();
  const auto known = page->Partition(0).KnownItems(range_);
  ASSERT_THAT(known, NotNull());
  for (const ItemNumber item : Walked(page->Partition(0))) EXPECT_THAT(*known, Contains(item));
  EXPECT_EQ(known->size(), KnownListsMemory::kItemsMin + 2) << "one of them has the value no more";
}

TEST_F(KnownItemsTest, AnotherIndexHasOtherLists) {
  Learn();
  IndexingDefinition policy = Policy({"*"});
  policy.composites.push_back({{{"a"}, false}, {{"b"}, false}});
  ASSERT_TRUE(ChangePolicy(policy).ok());
  while (Find("c")->state()->index_in_making.has_value()) {
    steady_.AdvanceMs(1000);
    engine_->BuildTurn();
  }
  auto page = *Find("c")->OpenIndexPage();
  EXPECT_THAT(page->Partition(0).KnownItems(range_), IsNull());
}

}  // namespace
}  // namespace lapse::engine
