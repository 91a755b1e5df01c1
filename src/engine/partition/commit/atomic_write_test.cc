// Writes of several operations: all or nothing, with one LSN, and with a sequence for each operation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = ItemWrite::Kind;

class AtomicWriteTest : public EngineFixture {
 protected:
  ItemWrite Operation(const ContainerPtr& container, Kind kind, std::string_view id, std::string document = "",
                      std::optional<int32_t> own_ttl = std::nullopt) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    write.document = std::move(document);
    write.own_ttl = own_ttl;
    return write;
  }

  AtomicOutcome WriteAll(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    AtomicOutcome outcome;
    container->WriteAtomically(std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); });
    return outcome;
  }
};

TEST_F(AtomicWriteTest, EachOperationSeesThoseBeforeIt) {
  ContainerPtr c = MakeContainer("c", -1);
  AtomicOutcome done = WriteAll(c, {Operation(c, Kind::kCreate, "a", "a1"), Operation(c, Kind::kReplace, "a", "a2"),
                                    Operation(c, Kind::kUpsert, "b", "b1", 100), Operation(c, Kind::kDelete, "a")});
  ASSERT_TRUE(done.status.ok()) << done.status.ToString();
  ASSERT_EQ(done.written.size(), 4U);
  EXPECT_EQ(done.failed_at, 4U);
  EXPECT_TRUE(done.written[0].created);
  EXPECT_FALSE(done.written[1].created);
  EXPECT_EQ(done.written[0].meta.number, done.written[1].meta.number);
  for (const ItemWritten& one : done.written) EXPECT_EQ(one.meta.lsn, 1U);
  EXPECT_EQ(done.written[0].meta.version.sequence, 1U);
  EXPECT_EQ(done.written[1].meta.version.sequence, 2U);
  EXPECT_EQ(done.written[2].meta.version.sequence, 3U);
  EXPECT_EQ(Read(c, "a"), "not found");
  EXPECT_EQ(Read(c, "b"), "b1");
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 2}));
  EXPECT_EQ(c->partitions()[0]->last_lsn(), 1U);
}

TEST_F(AtomicWriteTest, AFailureLeavesNoTrace) {
  ContainerPtr c = MakeContainer("c", 10, 0, 3600);
  ASSERT_TRUE(Create(c, "there", "there").ok());
  ASSERT_TRUE(Create(c, "dead", "dead", 1).ok());
  PassSeconds(2);
  ASSERT_EQ(Read(c, "there"), "there");  // also fills the cache
  const std::vector<std::string> before = Contents();
  AtomicOutcome failed =
      WriteAll(c, {Operation(c, Kind::kCreate, "new", "n", 5), Operation(c, Kind::kReplace, "there", "changed"),
                   Operation(c, Kind::kCreate, "dead", "again"), Operation(c, Kind::kDelete, "there"),
                   Operation(c, Kind::kCreate, "new", "twice")});
  EXPECT_EQ(failed.status.code(), Code::kAlreadyExists);
  EXPECT_EQ(failed.failed_at, 4U);
  EXPECT_THAT(failed.written, IsEmpty());
  EXPECT_EQ(Contents(), before);
  EXPECT_EQ(Read(c, "there"), "there");
  EXPECT_EQ(Read(c, "new"), "not found");
  const PartitionTally tally = c->partitions()[0]->tally();
  EXPECT_EQ(tally.last_lsn, 2U);
  EXPECT_EQ(tally.creations, 2U);
  ASSERT_TRUE(Create(c, "next", "next").ok());
  EXPECT_EQ(c->Read(Address(*c, "pk", "next"))->meta.version.sequence, 3U) << "no number was used up";
}

// Each expiry that a write meets is a separate write before it.
TEST_F(AtomicWriteTest, ExpiriesComeBeforeTheWriteThatMeetsThem) {
  ContainerPtr c = MakeContainer("c", -1, 0, 3600);
  ASSERT_TRUE(Create(c, "a", "a", 1).ok());
  ASSERT_TRUE(Create(c, "b", "b", 1).ok());
  PassSeconds(2);
  ASSERT_TRUE(WriteAll(c, {Operation(c, Kind::kCreate, "new", "n"), Operation(c, Kind::kCreate, "b", "b2"),
                           Operation(c, Kind::kUpsert, "a", "a2")})
                  .status.ok());
  std::vector<std::string> events;
  ChangesOptions options;
  options.after = 2;
  ASSERT_TRUE(c->ReadLog(options, [&](const LoggedChange& change, Place) {
                 events.push_back(std::to_string(change.lsn) + ":" + std::to_string(change.sequence) + " " +
                                  std::string(change.previous_doc) + ">" + std::string(change.current));
                 return true;
               }).ok());
  EXPECT_THAT(events, ElementsAre("3:3 b>", "4:4 a>", "5:5 >n", "5:6 >b2", "5:7 >a2"));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 2);
}

TEST_F(AtomicWriteTest, APageOfChangesEndsOnlyWhereAWriteEnds) {
  ContainerPtr c = MakeContainer("c", -1, 0, 3600);
  ASSERT_TRUE(Create(c, "first", "0").ok());
  // Inheriting items and the rest are stored apart, and the feed merges them.
  ASSERT_TRUE(WriteAll(c, {Operation(c, Kind::kCreate, "a", "1"), Operation(c, Kind::kCreate, "b", "2", 50),
                           Operation(c, Kind::kCreate, "c", "3")})
                  .status.ok());
  ASSERT_TRUE(Create(c, "last", "4").ok());
  const auto pages_of = [&](bool log) {
    std::vector<std::string> pages;
    ChangesOptions options;
    options.items_max = 2;
    for (bool more = true; more;) {
      std::string page;
      const auto take = [&](std::string_view document, Place place) {
        // The reader reports that it is full, but takes the items that must be on the page.
        if (place == Place::kIfItFits && page.size() >= 2) return false;
        page += document;
        return true;
      };
      const Result<ChangesPage> read =
          log ? c->ReadLog(options, [&](const LoggedChange& one, Place place) { return take(one.current, place); })
              : c->ReadChanges(options, [&](const Item& one, Place place) { return take(one.document, place); });
      EXPECT_TRUE(read.ok()) << read.status().ToString();
      if (!read.ok()) break;
      options.after = read->last;
      more = read->more;
      pages.push_back(page);
    }
    return pages;
  };
  EXPECT_THAT(pages_of(false), ElementsAre("0123", "4"));
  EXPECT_THAT(pages_of(true), ElementsAre("0123", "4"));
}

TEST_F(AtomicWriteTest, ItsDocumentsAreBounded) {
  ContainerPtr c = MakeContainer("c", -1);
  ContainerPtr logged = MakeContainer("logged", -1, 0, 3600);
  const std::string two_mb(2 << 20, 'x');
  std::vector<ItemWrite> eight;
  for (int i = 0; i < 8; ++i) eight.push_back(Operation(c, Kind::kUpsert, std::to_string(i), two_mb));
  std::vector<ItemWrite> nine = eight;
  nine.push_back(Operation(c, Kind::kUpsert, "8", "x"));
  EXPECT_TRUE(WriteAll(c, eight).status.ok());
  const AtomicOutcome too_large = WriteAll(c, nine);
  EXPECT_EQ(too_large.status.code(), Code::kTooLarge);
  EXPECT_EQ(too_large.failed_at, 8U) << "the one that passes it";
  // If changes are kept, the documents before count, too.
  for (ItemWrite& write : eight) write.address = Address(*logged, "pk", write.address.id);
  EXPECT_TRUE(WriteAll(logged, eight).status.ok());
  const AtomicOutcome with_images = WriteAll(logged, eight);
  EXPECT_EQ(with_images.status.code(), Code::kTooLarge);
  EXPECT_EQ(with_images.failed_at, 4U);
}

TEST_F(AtomicWriteTest, APartitionGivesOutEachNumberOnce) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  const PartitionId id = c->partitions()[0]->id();
  c.reset();
  engine_.reset();
  PartitionTally tally = *LoadTally(shard_.get(), id);
  tally.creations = kCreationsMax - 1;
  store::Batch batch;
  batch.Put(kMetaFamily, PartitionTallyKey(id), EncodeTally(tally));
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  Restart();
  c = Find("c");
  EXPECT_EQ(Create(c, "last", "l")->meta.number, MakeItemNumber(0, kCreationsMax));
  EXPECT_EQ(Create(c, "none left", "n").status().code(), Code::kForbidden);
  EXPECT_TRUE(Put(c, Kind::kReplace, "last", "l2").ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 3}));
}

}  // namespace
}  // namespace lapse::engine
