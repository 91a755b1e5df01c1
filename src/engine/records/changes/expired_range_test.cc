#include "engine/records/changes/expired_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kTtl_s = 10;

class ExpiredRangeTest : public EngineFixture {
 protected:
  ContainerPtr MakeLogged() { return MakeContainer("c", kTtl_s, 0, kHour_s); }

  void CreateMany(const ContainerPtr& container, const std::string& prefix, int count,
                  std::optional<int32_t> own_ttl = std::nullopt) {
    for (int i = 0; i < count; ++i) {
      const std::string id = prefix + std::to_string(i);
      ASSERT_TRUE(Create(container, id, id, own_ttl).ok());
    }
  }
  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }
  // Reads the documents of the expiries after the position, page by page, and advances the position.
  std::vector<std::string> Expired(const ContainerPtr& container, Sequence* position, int items_max = 3) {
    std::vector<std::string> documents;
    ChangesOptions options;
    options.after = *position;
    options.items_max = items_max;
    for (bool more = true; more;) {
      auto page = container->ReadLog(options, [&](const LoggedChange& change, Place) {
        EXPECT_GT(change.sequence, last_sequence_);
        EXPECT_GT(change.lsn, last_lsn_);
        last_sequence_ = change.sequence;
        last_lsn_ = change.lsn;
        if (change.kind == ChangeKind::kExpiry) documents.emplace_back(change.previous_doc);
        return true;
      });
      EXPECT_TRUE(page.ok()) << page.status().ToString();
      if (!page.ok()) break;
      EXPECT_LE(page->items, items_max);
      options.after = page->last;
      more = page->more;
    }
    *position = options.after;
    return documents;
  }
  std::vector<std::string> Expired(const ContainerPtr& container) {
    Sequence position = 0;
    last_sequence_ = 0;
    last_lsn_ = 0;
    return Expired(container, &position);
  }
  size_t Stored(store::FamilyId family) {
    EXPECT_TRUE(shard_->Compact(family, {}, {}).ok());
    std::unique_ptr<store::Iterator> keys = shard_->NewIterator(family, {});
    size_t count = 0;
    for (keys->SeekToFirst(); keys->Valid(); keys->Next()) ++count;
    return count;
  }
  bool HoldsSomething(const ContainerPtr& container) {
    store::PinnedValue value;
    return shard_->Get(kMetaFamily, HeldBodiesKey(container->partitions()[0]->id()), &value).ok();
  }
  Status KeepChanges(int64_t retention_s) {
    return engine_->catalog_store().ReplaceContainer("db", "c", {kTtl_s, "", retention_s, {}}, 0).status();
  }

  Sequence last_sequence_ = 0;
  Lsn last_lsn_ = 0;
};

TEST_F(ExpiredRangeTest, ThousandsOfExpiriesAreAFewRecords) {
  ContainerPtr c = MakeLogged();
  constexpr int kEach = 3000;
  CreateMany(c, "i", kEach);
  CreateMany(c, "o", kEach, kTtl_s);
  const size_t records = Stored(kLogFamily);
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_LE(Stored(kLogFamily), records + 4);
  const std::vector<std::string> expired = Expired(c);
  ASSERT_EQ(expired.size(), 2U * kEach);
  for (int i = 0; i < kEach; ++i) {
    EXPECT_EQ(expired[static_cast<size_t>(i)], "i" + std::to_string(i));
    EXPECT_EQ(expired[static_cast<size_t>(kEach + i)], "o" + std::to_string(i));
  }
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 2 * kEach);
  EXPECT_EQ(Census(*c).Expired()->items, 0);
}

TEST_F(ExpiredRangeTest, OnlyWhatDiedThenIsInIt) {
  ContainerPtr c = MakeLogged();
  CreateMany(c, "first", 2);
  CreateMany(c, "own", 2, kTtl_s);
  CreateMany(c, "longer", 1, 2 * kTtl_s);
  PassSeconds(1);
  CreateMany(c, "second", 2);
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "first0", "again").ok());
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kDelete, "own0", "").ok());
  PassSeconds(kTtl_s - 1);
  SweepAll();
  Sequence position = 0;
  EXPECT_THAT(Expired(c, &position), ElementsAre("first1", "own1"));
  PassSeconds(1);
  ASSERT_TRUE(Create(c, "second0", "new").ok()) << "its expiry comes with the write";
  EXPECT_THAT(Expired(c, &position), ElementsAre("second0"));
  SweepAll();
  EXPECT_THAT(Expired(c, &position), ElementsAre("second1", "again"));
  PassSeconds(kTtl_s - 1);
  SweepAll();
  EXPECT_THAT(Expired(c, &position), ElementsAre("longer0"));
}

TEST_F(ExpiredRangeTest, APartThatCanBePaidForIsARangeOfItsOwn) {
  ContainerPtr c = MakeContainer("c", -1, 400, kHour_s);
  constexpr int kItems = 25'000;  // a second leaves enough for 20,000
  CreateMany(c, "o", kItems, kTtl_s);
  PassSeconds(kTtl_s);
  int steps = 0;
  for (; Census(*c).Expired()->items > 0; ++steps) {
    ASSERT_LT(steps, 100);
    PassSeconds(1);
    SweepAll();
  }
  EXPECT_GT(steps, 1);
  EXPECT_EQ(Expired(c).size(), static_cast<size_t>(kItems));
}

TEST_F(ExpiredRangeTest, BodiesStayWhileTheLogShowsThem) {
  ContainerPtr c = MakeLogged();
  CreateMany(c, "i", 5);
  CreateMany(c, "o", 5, kTtl_s);
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_EQ(Stored(kHeadFamily), 0U);
  EXPECT_EQ(Stored(kRecordFamily), 0U);
  EXPECT_EQ(Stored(kBodyFamily), 10U);
  EXPECT_EQ(Stored(kQueueFamily), 5U);
  EXPECT_EQ(Expired(c).size(), 10U);
  Restart();
  c = Find("c");
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(Stored(kBodyFamily), 10U) << "after a start too";
  EXPECT_EQ(Stored(kQueueFamily), 5U);
  EXPECT_EQ(Expired(c).size(), 10U);
  ASSERT_TRUE(Create(c, "i1", "again").ok());
  ASSERT_TRUE(Create(c, "o1", "again", kTtl_s).ok());
  EXPECT_EQ(Expired(c).size(), 10U) << "a new item is not the old one";
  PassSeconds(kHour_s + kHour_s / 5);
  SweepAll();
  EXPECT_EQ(Stored(kBodyFamily), 2U) << "those that expired just now";
  EXPECT_EQ(Stored(kQueueFamily), 1U);
  PassSeconds(kHour_s + kHour_s / 5);
  SweepAll();
  EXPECT_EQ(Stored(kBodyFamily), 0U);
  EXPECT_EQ(Stored(kQueueFamily), 0U);
  EXPECT_EQ(Stored(kLogFamily), 0U);
  EXPECT_FALSE(HoldsSomething(c));
}

TEST_F(ExpiredRangeTest, WithoutTheLogNothingIsHeld) {
  ContainerPtr c = MakeLogged();
  CreateMany(c, "i", 5);
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_TRUE(HoldsSomething(c));
  ASSERT_TRUE(KeepChanges(0).ok());
  SweepAll();
  EXPECT_EQ(Stored(kBodyFamily), 0U);
  EXPECT_FALSE(HoldsSomething(c));
  CreateMany(c, "i", 5);
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_EQ(Stored(kBodyFamily), 0U);
  // The new log contains nothing that was purged without a log.
  CreateMany(c, "unlogged", 3);
  ASSERT_TRUE(KeepChanges(kHour_s).ok());
  CreateMany(c, "logged", 2);
  const Sequence before = c->partitions()[0]->floors()->policy.log_since;
  Sequence position = before;
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_EQ(Expired(c, &position).size(), 5U);
}

TEST_F(ExpiredRangeTest, ADroppedContainerHoldsNothing) {
  ContainerPtr c = MakeLogged();
  CreateMany(c, "i", 5);
  PassSeconds(kTtl_s);
  SweepAll();
  EXPECT_TRUE(HoldsSomething(c));
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  EXPECT_FALSE(HoldsSomething(c));
  EXPECT_EQ(Stored(kBodyFamily), 0U);
}

// A page shows the whole log of its moment, regardless of trims and compactions meanwhile.
TEST_F(ExpiredRangeTest, APageThatTrimmingOvertakesIsWhole) {
  for (std::optional<int32_t> own_ttl : {std::optional<int32_t>(), std::optional(kTtl_s)}) {
    Restart();
    ContainerPtr c = MakeLogged();
    CreateMany(c, "i", 4, own_ttl);
    PassSeconds(kTtl_s);
    SweepAll();
    std::vector<std::string> shown;
    ChangesOptions options;
    options.after = 4;
    auto page = c->ReadLog(options, [&](const LoggedChange& change, Place) {
      if (shown.empty()) StepWallSeconds(2 * kHour_s);
      shown.emplace_back(change.previous_doc);
      SweepAll();
      Stored(kBodyFamily);
      Stored(kQueueFamily);
      return true;
    });
    ASSERT_TRUE(page.ok()) << page.status().ToString();
    EXPECT_THAT(shown, ElementsAre("i0", "i1", "i2", "i3"));
    EXPECT_EQ(Stored(kBodyFamily), 0U) << "after it they go";
    ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  }
}

TEST_F(ExpiredRangeTest, ManySweepsAreHeldInBoundedSpace) {
  ContainerPtr c = MakeLogged();
  constexpr int kSweeps = 1000;
  for (int i = 0; i < kSweeps; ++i) {
    ASSERT_TRUE(Create(c, std::to_string(i), "d").ok());
    PassSeconds(1);
    SweepAll();
  }
  store::PinnedValue value;
  ASSERT_TRUE(shard_->Get(kMetaFamily, HeldBodiesKey(c->partitions()[0]->id()), &value).ok());
  EXPECT_LT(value.view().size(), 16'000U);
  EXPECT_EQ(Expired(c).size(), static_cast<size_t>(kSweeps - kTtl_s + 1));
  // Trimming the log releases bodies, too, though not record by record.
  size_t stored = Stored(kBodyFamily);
  PassSeconds(kHour_s + kHour_s / 10 - kSweeps / 2);
  SweepAll();
  EXPECT_LT(Stored(kBodyFamily), stored * 3 / 4);
  PassSeconds(kHour_s);
  SweepAll();
  EXPECT_THAT(Stored(kBodyFamily), 0U);
}

TEST_F(ExpiredRangeTest, LatestVersionsAreReadPastWhatIsHeld) {
  ContainerPtr c = MakeLogged();
  CreateMany(c, "dead", 500);
  PassSeconds(kTtl_s);
  SweepAll();
  CreateMany(c, "lives", 3);
  std::vector<std::string> documents;
  auto page = c->ReadChanges({}, Collect(&documents));
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(documents, ElementsAre("lives0", "lives1", "lives2"));
  EXPECT_FALSE(page->more);
}

TEST(ExpiredRangeBytesTest, ComeBackAsTheyWere) {
  ExpiredRange range;
  range.rule = ttl::kOwnRule;
  range.base_ms = 1000;
  range.first_item = 7;
  range.last_item = 11;
  range.last_sequence = 40;
  range.last_lsn = 30;
  range.died_ms = 2000;
  range.logged_ms = 3000;
  const std::string key = LogKey({1, 2}, range.last_sequence);
  const std::string bytes = EncodeExpiredRange(range);
  ExpiredRange back;
  ASSERT_TRUE(DecodeExpiredRange(key, bytes, &back).ok());
  EXPECT_EQ(EncodeExpiredRange(back), bytes);
  EXPECT_EQ(back.SequenceOf(7), 36U);
  EXPECT_EQ(back.LsnOf(11), 30U);
  EXPECT_EQ(back.FirstItemAfter(0), 7U);
  EXPECT_EQ(back.FirstItemAfter(35), 7U);
  EXPECT_EQ(back.FirstItemAfter(36), 8U);
  EXPECT_EQ(back.FirstItemAfter(39), 11U);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeExpiredRange(key, std::string_view(bytes).substr(0, size), &back).ok());
  }
  LoggedChange change;
  EXPECT_FALSE(DecodeLoggedChange(key, bytes, &change).ok());
}

}  // namespace
}  // namespace lapse::engine
