// Tests what every shard promises of writes, look-ups and compactions.
#include "store/shard_contract.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace lapse::store {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ShardContractTest : public ShardContract {};

TEST_P(ShardContractTest, AnEmptyShardHasNothing) {
  EXPECT_EQ(Get("a"), "<not found>");
  EXPECT_THAT(All(), IsEmpty());
  EXPECT_THAT(Backward(Walk().get()), IsEmpty());
}

TEST_P(ShardContractTest, AnEmptyBatchChangesNothing) {
  Write(Batch());
  EXPECT_THAT(All(), IsEmpty());
}

TEST_P(ShardContractTest, PutGetReplaceDelete) {
  Put("a", "1");
  EXPECT_EQ(Get("a"), "1");
  Put("a", "2");
  EXPECT_EQ(Get("a"), "2");
  Delete("a");
  EXPECT_EQ(Get("a"), "<not found>");
  Delete("a");
  EXPECT_EQ(Get("a"), "<not found>");
}

TEST_P(ShardContractTest, FamiliesAreApart) {
  Put("a", "item", kItems);
  EXPECT_EQ(Get("a", kOther), "<not found>");
  Put("a", "other", kOther);
  EXPECT_EQ(Get("a", kItems), "item");
  EXPECT_EQ(Get("a", kOther), "other");
}

TEST_P(ShardContractTest, OperationsOfABatchApplyInOrder) {
  Batch batch;
  batch.Put(kItems, "put-then-delete", "1");
  batch.Delete(kItems, "put-then-delete");
  batch.Delete(kItems, "delete-then-put");
  batch.Put(kItems, "delete-then-put", "2");
  batch.Put(kItems, "twice", "first");
  batch.Put(kItems, "twice", "second");
  batch.Put(kItems, "x1", "before the range");
  batch.DeleteRange(kItems, "x", "y");
  batch.Put(kItems, "x2", "after the range");
  Write(batch);
  EXPECT_THAT(All(), ElementsAre("delete-then-put=2", "twice=second", "x2=after the range"));
}

TEST_P(ShardContractTest, ABatchSpansFamilies) {
  Batch batch;
  batch.Put(kItems, "a", "1");
  batch.Put(kOther, "a", "2");
  Write(batch);
  EXPECT_EQ(Get("a", kItems), "1");
  EXPECT_EQ(Get("a", kOther), "2");
}

TEST_P(ShardContractTest, AClearedBatchCanBeUsedAgain) {
  Batch batch;
  batch.Put(kItems, "a", "1");
  batch.Clear();
  EXPECT_TRUE(batch.empty());
  batch.Put(kItems, "b", "2");
  Write(batch);
  EXPECT_THAT(All(), ElementsAre("b=2"));
}

TEST_P(ShardContractTest, AnUnknownFamilyIsRefusedAndNothingIsWritten) {
  Batch batch;
  batch.Put(kItems, "a", "1");
  batch.Put(kFamilyCount, "b", "2");
  EXPECT_EQ(shard_->Write(batch, Durability::kSync).code(), Code::kInvalidArgument);
  EXPECT_THAT(All(), IsEmpty());

  EXPECT_EQ(Get("a", kFamilyCount), "<invalid argument>");
  EXPECT_EQ(shard_->Compact(kFamilyCount, {}, {}).code(), Code::kInvalidArgument);
  auto walk = shard_->NewIterator(kFamilyCount, {});
  walk->SeekToFirst();
  EXPECT_FALSE(walk->Valid());
  EXPECT_EQ(walk->status().code(), Code::kInvalidArgument);
}

TEST_P(ShardContractTest, KeysAndValuesAreBytes) {
  const std::string zero("\0", 1), zeros("\0\0", 2), high("\xff", 1), highs("\xff\xff", 2), mixed("a\0b\xff", 4);
  for (const std::string& key : {highs, mixed, zero, high, zeros, std::string()}) Put(key, key);
  for (const std::string& key : {zero, zeros, high, highs, mixed, std::string()}) EXPECT_EQ(Get(key), key);

  std::vector<std::string> keys;
  auto walk = Walk();
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) keys.emplace_back(walk->key());
  EXPECT_THAT(keys, ElementsAre("", zero, zeros, mixed, high, highs));

  auto bounded = Walk(zeros, highs);
  bounded->SeekToFirst();
  EXPECT_EQ(At(*bounded), zeros);
  bounded->SeekToLast();
  EXPECT_EQ(At(*bounded), high);
}

TEST_P(ShardContractTest, EmptyAndLargeValues) {
  Put("empty", "");
  std::string large(2 << 20, 'x');
  large.back() = 'y';
  Put("large", large);
  EXPECT_EQ(Get("empty"), "");
  EXPECT_EQ(Get("large"), large);
  Compact();
  EXPECT_EQ(Get("empty"), "");
  EXPECT_EQ(Get("large"), large);
}

TEST_P(ShardContractTest, APinnedValueIsReusableAndStays) {
  Put("a", "1");
  Put("b", "2");
  PinnedValue value;
  ASSERT_TRUE(shard_->Get(kItems, "a", &value).ok());
  EXPECT_EQ(value.view(), "1");
  PinnedValue moved = std::move(value);
  EXPECT_EQ(moved.view(), "1");
  Delete("a");
  Compact();
  EXPECT_EQ(moved.view(), "1") << "pinned";
  ASSERT_TRUE(shard_->Get(kItems, "b", &moved).ok());
  EXPECT_EQ(moved.view(), "2");
  EXPECT_EQ(shard_->Get(kItems, "a", &moved).code(), Code::kNotFound);
  EXPECT_EQ(moved.view(), "");
  ASSERT_TRUE(shard_->Get(kItems, "b", &moved).ok());
  EXPECT_EQ(moved.view(), "2");
}

TEST_P(ShardContractTest, APinnedValueMayOutliveTheShard) {
  Put("a", std::string(1000, 'x'));
  Compact();
  PinnedValue value;
  ASSERT_TRUE(shard_->Get(kItems, "a", &value).ok());
  shard_ = nullptr;
  EXPECT_EQ(value.view(), std::string(1000, 'x'));
}

TEST_P(ShardContractTest, AReadAtASnapshotSeesWhatWasThen) {
  Put("changed", "1");
  Put("deleted", "1");
  auto snapshot = shard_->NewSnapshot();
  Put("changed", "2");
  Delete("deleted");
  Put("new", "2");
  for (const bool compacted : {false, true}) {
    if (compacted) Compact();
    const ReadOptions then = {.snapshot = snapshot.get()};
    EXPECT_EQ(Get("changed", kItems, then), "1");
    EXPECT_EQ(Get("deleted", kItems, then), "1");
    EXPECT_EQ(Get("new", kItems, then), "<not found>");
    EXPECT_THAT(MultiGet({"changed", "deleted", "new"}, kItems, then), ElementsAre("1", "1", "<not found>"));
    EXPECT_THAT(MultiGet({"changed", "deleted", "new"}), ElementsAre("2", "<not found>", "2"));
  }
}

TEST_P(ShardContractTest, AReadOfMemoryAloneFindsWhatWasJustWrittenAndWhatWasJustRead) {
  const ReadOptions from_memory = {.reach = Reach::kMemory};
  Put("a", "1");
  Put("gone", "1");
  Delete("gone");
  EXPECT_EQ(Get("a", kItems, from_memory), "1");
  EXPECT_EQ(Get("gone", kItems, from_memory), "<not found>");
  EXPECT_THAT(MultiGet({"a", "gone"}, kItems, from_memory), ElementsAre("1", "<not found>"));
  Compact();
  EXPECT_THAT(Get("a", kItems, from_memory), AnyOf("1", "<would block>"));
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("a", kItems, from_memory), "1");
  EXPECT_THAT(MultiGet({"a"}, kItems, from_memory), ElementsAre("1"));
}

TEST_P(ShardContractTest, AReadThatDoesNotFillTheCacheFindsTheSame) {
  Put("a", "1");
  Compact();
  EXPECT_EQ(Get("a", kItems, {.fill_cache = false}), "1");
  EXPECT_THAT(MultiGet({"a", "b"}, kItems, {.fill_cache = false}), ElementsAre("1", "<not found>"));
}

TEST_P(ShardContractTest, ManyKeysAreReadAtOnceInTheOrderAsked) {
  for (const char* key : {"a", "b", "c"}) Put(key, std::string("value of ") + key);
  Put("empty", "");
  for (const bool compacted : {false, true}) {
    if (compacted) Compact();
    EXPECT_THAT(MultiGet({"a", "b", "c"}), ElementsAre("value of a", "value of b", "value of c"));
    EXPECT_THAT(MultiGet({"c", "none", "a", "empty", "c", ""}),
                ElementsAre("value of c", "<not found>", "value of a", "", "value of c", "<not found>"));
    EXPECT_THAT(MultiGet({"a"}, kOther), ElementsAre("<not found>")) << "families are apart";
    EXPECT_THAT(MultiGet({}), IsEmpty());
    EXPECT_THAT(MultiGet({"b"}), ElementsAre("value of b"));
  }
  EXPECT_THAT(MultiGet({"a", "b"}, kFamilyCount), ElementsAre("<invalid argument>", "<invalid argument>"));
}

TEST_P(ShardContractTest, AsManyKeysAsAreWantedAreReadAtOnce) {
  constexpr int kKeys = 1000;
  std::vector<std::string> keys;
  Batch batch;
  for (int i = 0; i < kKeys; ++i) keys.push_back(std::to_string(i));
  for (int i = 0; i < kKeys; i += 2) batch.Put(kItems, keys[i], "value of " + keys[i]);
  Write(batch);
  Compact();
  const std::vector<std::string> found = MultiGet({keys.begin(), keys.end()});
  for (int i = 0; i < kKeys; ++i) EXPECT_EQ(found[i], i % 2 == 0 ? "value of " + keys[i] : "<not found>");
}

TEST_P(ShardContractTest, ValuesOfManyKeysStayAndMayOutliveTheShard) {
  const std::string large(100'000, 'x');
  Put("a", large);
  Put("b", "small");
  Compact();
  MultiGet({"a", "b"});
  Delete("a");
  Delete("b");
  Compact();
  shard_ = nullptr;
  EXPECT_EQ(values_[0].view(), large);
  EXPECT_EQ(values_[1].view(), "small");
}

TEST_P(ShardContractTest, ARangeIsDeletedAndCanBeFilledAgain) {
  for (const char* key : {"a", "b", "c", "d"}) Put(key, "1");
  DeleteRange("b", "d");
  EXPECT_THAT(All(), ElementsAre("a=1", "d=1"));
  EXPECT_EQ(Get("b"), "<not found>");
  Put("c", "2");
  EXPECT_THAT(All(), ElementsAre("a=1", "c=2", "d=1"));
  Compact();
  EXPECT_THAT(All(), ElementsAre("a=1", "c=2", "d=1"));
  DeleteRange("b", "z");
  EXPECT_THAT(All(), ElementsAre("a=1"));
}

TEST_P(ShardContractTest, AnEmptyOrReversedRangeDeletesNothing) {
  for (const char* key : {"a", "b"}) Put(key, "1");
  DeleteRange("a", "a");
  DeleteRange("b", "a");
  DeleteRange("a", "");
  EXPECT_THAT(All(), ElementsAre("a=1", "b=1"));
}

TEST_P(ShardContractTest, CompactionDropsTheDeadAndKeepsTheRest) {
  Put("a", "dead");
  Put("b", "alive");
  Put("c", "dead too");
  EXPECT_EQ(Get("a"), "dead") << "only compaction drops";
  Compact();
  EXPECT_THAT(All(), ElementsAre("b=alive"));
  Put("a", "alive again");
  Compact();
  EXPECT_THAT(All(), ElementsAre("a=alive again", "b=alive"));
}

TEST_P(ShardContractTest, AFamilyWithoutAPredicateKeepsEverything) {
  Put("a", "dead", kOther);
  Compact(kOther);
  EXPECT_EQ(Get("a", kOther), "dead");
}

TEST_P(ShardContractTest, CompactionOfARangeAsksAboutThatRange) {
  for (const char* key : {"a", "b", "c"}) Put(key, "dead");
  ASSERT_TRUE(shard_->Compact(kItems, "b", "c").ok());
  EXPECT_EQ(Get("b"), "<not found>");
}

TEST_P(ShardContractTest, AnOlderVersionDoesNotComeBackAfterADrop) {
  Put("a", "v1");
  Compact();
  Put("a", "dead v2");
  Compact();
  EXPECT_EQ(Get("a"), "<not found>");
  Compact();
  EXPECT_EQ(Get("a"), "<not found>");
  EXPECT_THAT(All(), IsEmpty());
}

TEST_P(ShardContractTest, AnOlderVersionDoesNotComeBackWhileASnapshotHoldsIt) {
  Put("a", "v1");
  auto snapshot = shard_->NewSnapshot();
  Put("a", "dead v2");
  Compact();
  EXPECT_EQ(Get("a"), "<not found>");
  EXPECT_THAT(Forward(Walk("", "", snapshot.get()).get()), ElementsAre("a=v1"));
  snapshot.reset();
  Compact();
  EXPECT_THAT(All(), IsEmpty());
}

TEST_P(ShardContractTest, ReclaimTakesWhatHasEnoughDead) {
  for (int i = 0; i < 100; ++i) Put("key" + std::to_string(i), i < 40 ? "mortal" : "alive");
  Compact();
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.2, 1}), Reclaimed::kNothing) << "nothing is dead yet";
  drop_.kill_mortals = true;
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.8, 1}), Reclaimed::kNothing) << "only two in five are";
  EXPECT_EQ(*shard_->Reclaim(kOther, {0.2, 1}), Reclaimed::kNothing);
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.2, 1}), Reclaimed::kSome);
  EXPECT_EQ(All().size(), 60U);
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.2, 1}), Reclaimed::kNothing) << "no more is to be had";
  EXPECT_EQ(shard_->Reclaim(kFamilyCount, {0.2, 1}).status().code(), Code::kInvalidArgument);
}

TEST_P(ShardContractTest, ReclaimGoesByBytesNotByRecords) {
  for (int i = 0; i < 2000; ++i) Put("small" + std::to_string(i), "alive");
  for (int i = 0; i < 20; ++i) Put("small" + std::to_string(i * 100) + "large", "mortal" + std::string(10'000, 'x'));
  Compact();
  drop_.kill_mortals = true;
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.8, 1}), Reclaimed::kSome);
  EXPECT_EQ(All().size(), 2000U);

  for (int i = 0; i < 2000; ++i) Put("small" + std::to_string(i) + "dead", "mortal");
  for (int i = 0; i < 20; ++i) Put("small" + std::to_string(i * 100), "alive" + std::string(10'000, 'x'));
  drop_.kill_mortals = false;
  Compact();
  drop_.kill_mortals = true;
  EXPECT_EQ(*shard_->Reclaim(kItems, {0.4, 1}), Reclaimed::kNothing) << "half of the records, and few of the bytes";
}

TEST_P(ShardContractTest, DroppedFilesTakeNothingOutsideTheRange) {
  for (char c = 'a'; c <= 'z'; ++c) Put(std::string(1, c), "v");
  Compact();
  ASSERT_TRUE(shard_->DropFiles(kItems, "f", "p").ok());
  for (char c = 'a'; c <= 'z'; ++c) {
    const bool outside = c < 'f' || c >= 'p';
    if (outside) {
      EXPECT_EQ(Get(std::string(1, c)), "v") << c;
    }
  }
  EXPECT_EQ(shard_->DropFiles(kFamilyCount, "a", "b").code(), Code::kInvalidArgument);
}

TEST_P(ShardContractTest, ManyKeys) {
  constexpr int kKeys = 100'000;
  Batch batch;
  for (int i = 0; i < kKeys; ++i) {
    batch.Put(kItems, std::to_string(i), i % 2 == 0 ? "dead" : "alive");
    if (i % 100 == 99) {
      Write(batch);
      batch.Clear();
    }
  }
  Compact();
  auto walk = Walk();
  int found = 0;
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++found;
  EXPECT_EQ(found, kKeys / 2);
  EXPECT_GT(shard_->Stats().memory_bytes, 0u);
}

TEST_P(ShardContractTest, TellsAboutHowMuchThereIs) {
  EXPECT_EQ(shard_->ApproximateBytes(kItems, "a", "z"), 0u);
  Batch batch;
  for (int i = 0; i < 2000; ++i) batch.Put(kItems, "a" + std::to_string(i), std::string(500, 'x'));
  for (int i = 0; i < 20; ++i) batch.Put(kItems, "b" + std::to_string(i), "short");
  Write(batch);
  const auto compare = [&](uint64_t times, const char* where) {
    const uint64_t many = shard_->ApproximateBytes(kItems, "a", "b");
    const uint64_t few = shard_->ApproximateBytes(kItems, "b", "c");
    EXPECT_GT(many, times * few) << where;
    // Two estimates of the same range may differ.
    EXPECT_GE(shard_->ApproximateBytes(kItems, "a", ""), many / 2) << where;
  };
  // RocksDB estimates the number of records of its write buffer within the bounds, and assumes the mean size for each.
  compare(1, "buffered");
  ASSERT_TRUE(shard_->Flush().ok());
  compare(10, "in files");
  EXPECT_EQ(shard_->ApproximateBytes(kItems, "c", "d"), 0u);
  EXPECT_EQ(shard_->ApproximateBytes(kFamilyCount, "a", "b"), 0u) << "there is no such family";
}

TEST_P(ShardContractTest, WritersAndReadersOfManyThreadsSeeWholeBatches) {
  constexpr int kWriters = 4, kBatches = 200;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done.load()) {
      // Each batch moves both keys of its writer together.
      auto walk = Walk();
      for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
        std::string left(walk->value());
        walk->Next();
        ASSERT_TRUE(walk->Valid());
        ASSERT_EQ(left, walk->value());
      }
    }
  });
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < kBatches; ++i) {
        Batch batch;
        batch.Put(kItems, std::to_string(writer) + "/left", std::to_string(i));
        batch.Put(kItems, std::to_string(writer) + "/right", std::to_string(i));
        ASSERT_TRUE(shard_->Write(batch, i % 2 == 0 ? Durability::kSync : Durability::kRelaxed).ok());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done.store(true);
  reader.join();
  EXPECT_EQ(Get("0/left"), std::to_string(kBatches - 1));
}

INSTANTIATE_TEST_SUITE_P(Stores, ShardContractTest, ::testing::ValuesIn(Stores()),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace lapse::store
