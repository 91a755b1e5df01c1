// Tests what every shard promises of iterators and snapshots.
#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/shard_contract.h"

namespace lapse::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class IteratorContractTest : public ShardContract {};

TEST_P(IteratorContractTest, WalksForwardAndBackward) {
  for (const char* key : {"b", "d", "a", "c"}) Put(key, key);
  EXPECT_THAT(All(), ElementsAre("a=a", "b=b", "c=c", "d=d"));
  EXPECT_THAT(Backward(Walk().get()), ElementsAre("d=d", "c=c", "b=b", "a=a"));
  auto walk = Walk();
  walk->Seek("b");
  walk->Next();
  walk->Prev();
  EXPECT_EQ(At(*walk), "b");
  walk->Prev();
  walk->Next();
  EXPECT_EQ(At(*walk), "b");
}

TEST_P(IteratorContractTest, SeekFindsTheNextKeyAndSeekForPrevTheOneBefore) {
  for (const char* key : {"b", "d"}) Put(key, key);
  auto walk = Walk();
  const struct {
    const char* key;
    const char* seek;
    const char* seek_for_prev;
  } cases[] = {{"", "b", "<end>"}, {"a", "b", "<end>"}, {"b", "b", "b"}, {"c", "d", "b"},
               {"d", "d", "d"},    {"e", "<end>", "d"}, {"bb", "d", "b"}};
  for (const auto& [key, seek, seek_for_prev] : cases) {
    walk->Seek(key);
    EXPECT_EQ(At(*walk), seek) << key;
    walk->SeekForPrev(key);
    EXPECT_EQ(At(*walk), seek_for_prev) << key;
  }
}

TEST_P(IteratorContractTest, BoundsHoldForEveryMove) {
  for (const char* key : {"a", "b", "c", "d", "e"}) Put(key, key);
  auto walk = Walk("b", "d");
  EXPECT_THAT(Forward(walk.get()), ElementsAre("b=b", "c=c"));
  EXPECT_THAT(Backward(walk.get()), ElementsAre("c=c", "b=b"));
  walk->Seek("a");
  EXPECT_EQ(At(*walk), "b");
  walk->Seek("d");
  EXPECT_EQ(At(*walk), "<end>");
  walk->SeekForPrev("e");
  EXPECT_EQ(At(*walk), "c");
  walk->SeekForPrev("d");
  EXPECT_EQ(At(*walk), "c");
  walk->SeekForPrev("a");
  EXPECT_EQ(At(*walk), "<end>");
  walk->Seek("c");
  walk->Next();
  EXPECT_EQ(At(*walk), "<end>");
  walk->Seek("b");
  walk->Prev();
  EXPECT_EQ(At(*walk), "<end>");
}

TEST_P(IteratorContractTest, BoundsMayBeOpenEmptyOrReversed) {
  for (const char* key : {"a", "b", "c"}) Put(key, key);
  EXPECT_THAT(Forward(Walk("b", "").get()), ElementsAre("b=b", "c=c"));
  EXPECT_THAT(Forward(Walk("", "b").get()), ElementsAre("a=a"));
  EXPECT_THAT(Forward(Walk("b", "b").get()), IsEmpty());
  EXPECT_THAT(Backward(Walk("b", "b").get()), IsEmpty());
  EXPECT_THAT(Forward(Walk("c", "a").get()), IsEmpty());
  EXPECT_THAT(Backward(Walk("c", "a").get()), IsEmpty());
  EXPECT_THAT(Forward(Walk("x", "z").get()), IsEmpty());
}

TEST_P(IteratorContractTest, AnIteratorKeepsItsState) {
  Put("a", "1");
  Put("b", "1");
  auto walk = Walk();
  walk->SeekToFirst();
  Put("a", "2");
  Put("ab", "2");
  Delete("b");
  EXPECT_THAT(Forward(walk.get()), ElementsAre("a=1", "b=1"));
  EXPECT_THAT(Backward(walk.get()), ElementsAre("b=1", "a=1"));
  EXPECT_THAT(All(), ElementsAre("a=2", "ab=2"));
}

TEST_P(IteratorContractTest, ASnapshotIsStableUnderLaterWrites) {
  Put("a", "1");
  Put("b", "1");
  Put("c", "1");
  auto before = shard_->NewSnapshot();
  Put("a", "2");
  Delete("b");
  auto between = shard_->NewSnapshot();
  DeleteRange("a", "z");
  Put("d", "3");
  Compact();
  EXPECT_THAT(Forward(Walk("", "", before.get()).get()), ElementsAre("a=1", "b=1", "c=1"));
  EXPECT_THAT(Backward(Walk("", "", between.get()).get()), ElementsAre("c=1", "a=2"));
  EXPECT_THAT(All(), ElementsAre("d=3"));
  auto walk = Walk("", "", before.get());
  before.reset();
  Put("a", "4");
  EXPECT_THAT(Forward(walk.get()), ElementsAre("a=1", "b=1", "c=1")) << "the iterator outlives the snapshot";
}

TEST_P(IteratorContractTest, ASnapshotSpansFamilies) {
  auto snapshot = shard_->NewSnapshot();
  Put("a", "1", kOther);
  auto walk = shard_->NewIterator(kOther, {"", "", snapshot.get(), true});
  EXPECT_THAT(Forward(walk.get()), IsEmpty());
}

TEST_P(IteratorContractTest, AnIteratorGoesOnOverACompaction) {
  for (const char* key : {"a", "c", "e", "g"}) Put(key, "mortal");
  for (const char* key : {"b", "d", "f"}) Put(key, "alive");
  const auto walk = Walk();
  const auto standing_at_end = Walk();
  walk->SeekToFirst();
  walk->Next();
  walk->Next();
  ASSERT_EQ(At(*walk), "c");
  standing_at_end->SeekToLast();
  drop_.kill_mortals = true;
  Compact();
  ASSERT_TRUE(shard_->DropFiles(kItems, "c", "d").ok());
  // Dead records may or may not be shown. The live ones are shown in order.
  EXPECT_EQ(Entry(walk.get()), "c=mortal");
  std::vector<std::string> alive;
  for (walk->Next(); walk->Valid(); walk->Next()) {
    if (walk->value() == "alive") alive.emplace_back(walk->key());
  }
  EXPECT_TRUE(walk->status().ok());
  EXPECT_THAT(alive, ElementsAre("d", "f"));
  standing_at_end->Prev();
  EXPECT_EQ(At(*standing_at_end), "f");
  EXPECT_THAT(All(), ElementsAre("b=alive", "d=alive", "f=alive"));
}

// Iterators over one family, some concurrent and some consecutive, over several snapshots, must not affect each other.
TEST_P(IteratorContractTest, EachWalkShowsItsOwnSnapshotAndBounds) {
  std::mt19937 random(7);
  const auto below = [&](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); };
  const auto key = [](int number) {
    return std::string(1, static_cast<char>('a' + number / 4)) + "0" + char('0' + number % 4);
  };
  constexpr int kKeys = 40;
  using Entries = std::map<std::string, std::string>;
  struct Seen {
    std::unique_ptr<Snapshot> snapshot;
    Entries entries;
  };
  Entries now;
  std::deque<Seen> views;
  for (int step = 0; step < 2000; ++step) {
    Batch batch;
    switch (const std::string written = key(below(kKeys)); below(8)) {
      case 0:
        now[written] = std::to_string(step);
        batch.Put(kAlike, written, now[written]);
        Write(batch);
        break;
      case 1:
        now.erase(written);
        batch.Delete(kAlike, written);
        Write(batch);
        break;
      case 2:
        views.push_back({shard_->NewSnapshot(), now});
        if (views.size() > 3) views.pop_front();
        break;
      case 3:
        if (below(20) == 0) Compact(kAlike);
        if (below(20) == 0) {
          ASSERT_TRUE(shard_->Flush().ok());
        }
        break;
      default: break;
    }
    if (views.empty()) continue;
    const Seen& view = views[static_cast<size_t>(below(static_cast<int>(views.size())))];
    std::vector<std::unique_ptr<Iterator>> walks;
    for (int i = below(3); i >= 0; --i) {
      IterateOptions options;
      options.snapshot = view.snapshot.get();
      options.alike = below(2) == 0;
      options.lower = key(below(kKeys));
      options.upper = key(below(kKeys));
      if (options.alike) {
        options.upper = options.lower.substr(0, 1) + "\xFF\xFF\xFF";
        options.lower = options.lower.substr(0, 1) + std::string(2, '\0');
      }
      std::vector<std::string> expected;
      for (const auto& [name, value] : view.entries) {
        if (name >= options.lower && name < options.upper)
          expected.push_back(std::string(name).append("=").append(value));
      }
      walks.push_back(shard_->NewIterator(kAlike, options));
      ASSERT_EQ(Forward(walks.back().get()), expected) << "step " << step;
      if (options.alike) continue;
      std::reverse(expected.begin(), expected.end());
      ASSERT_EQ(Backward(walks.back().get()), expected) << "step " << step;
    }
  }
}

// Each batch sets all keys to the same value, so every iterator over a snapshot sees a single value, and no later
// iterator of the same thread sees an earlier one.
TEST_P(IteratorContractTest, WalksOfManyThreadsSeeWholeBatchesOfTheirSnapshot) {
  constexpr int kReaders = 3, kBatches = 300, kKeys = 4;
  const auto write = [&](int round) {
    Batch batch;
    for (int i = 0; i < kKeys; ++i)
      batch.Put(kAlike, std::string(1, static_cast<char>('a' + i)) + "00", std::to_string(round));
    ASSERT_TRUE(shard_->Write(batch, Durability::kRelaxed).ok());
  };
  write(0);
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < kReaders; ++reader) {
    readers.emplace_back([&] {
      for (int last = 0; !done.load();) {
        const auto snapshot = shard_->NewSnapshot();
        std::vector<int> seen;
        for (int i = 0; i < kKeys; ++i) {
          IterateOptions options;
          options.snapshot = snapshot.get();
          options.alike = true;
          options.lower = std::string(1, static_cast<char>('a' + i)) + std::string(2, '\0');
          options.upper = std::string(1, static_cast<char>('a' + i)) + "\xFF\xFF\xFF";
          const auto walk = shard_->NewIterator(kAlike, options);
          walk->SeekToFirst();
          ASSERT_TRUE(walk->Valid());
          seen.push_back(std::stoi(std::string(walk->value())));
        }
        ASSERT_EQ(seen, std::vector<int>(kKeys, seen.front()));
        ASSERT_GE(seen.front(), last);
        last = seen.front();
      }
    });
  }
  for (int round = 1; round <= kBatches; ++round) {
    write(round);
    if (round % 50 == 0) {
      EXPECT_TRUE(shard_->Flush().ok());
    }
    if (round % 100 == 0) Compact(kAlike);
  }
  done.store(true);
  for (std::thread& reader : readers) reader.join();
}

TEST_P(IteratorContractTest, KeysThatAreAlikeButForTheirEndsAreFoundTogether) {
  // Puts keys into the write buffer, a young table and an old one.
  for (const char* key : {"apple01", "apple03", "cherry01"}) Put(key, "old", kAlike);
  Compact(kAlike);
  for (const char* key : {"apple02", "banana01", "date01"}) Put(key, "young", kAlike);
  ASSERT_TRUE(shard_->Flush().ok());
  for (const char* key : {"apple00", "banana02"}) Put(key, "new", kAlike);
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"apple", {"apple00=new", "apple01=old", "apple02=young", "apple03=old"}},
      {"apricot", {}},
      {"banana", {"banana01=young", "banana02=new"}},
      {"cherry", {"cherry01=old"}},
      {"date", {"date01=young"}},
      {"fig", {}},
      {"aaa", {}},
  };
  for (const auto& [name, found] : cases) {
    IterateOptions options;
    options.lower = name + std::string(2, '\0');
    options.upper = name + "\xFF\xFF\xFF";
    options.alike = true;
    EXPECT_EQ(Forward(shard_->NewIterator(kAlike, options).get()), found) << name;
    options.alike = false;
    EXPECT_EQ(Forward(shard_->NewIterator(kAlike, options).get()), found) << name << " without filters";
  }
}

// Iterators over such keys do not check for deleted ranges.
TEST_P(IteratorContractTest, RangesOfAlikeKeysAreNotDeleted) {
  Put("apple01", "1", kAlike);
  Batch batch;
  batch.Put(kItems, "a", "1");
  batch.DeleteRange(kAlike, "a", "b");
  EXPECT_EQ(shard_->Write(batch, Durability::kSync).code(), Code::kInvalidArgument);
  EXPECT_EQ(Get("a"), "<not found>") << "nothing of the batch is written";
  EXPECT_THAT(Forward(shard_->NewIterator(kAlike, {}).get()), ElementsAre("apple01=1"));
}

INSTANTIATE_TEST_SUITE_P(Stores, IteratorContractTest, ::testing::ValuesIn(Stores()),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace lapse::store
