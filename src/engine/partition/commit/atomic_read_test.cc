// Reads among the operations of an atomic write, operations that are refused in advance, rules of the sender, and the
// price of a failed write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/throughput/request_meter.h"
#include "engine/engine_fixture.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using Kind = ItemWrite::Kind;

class AtomicReadTest : public EngineFixture {
 protected:
  ItemWrite Operation(const ContainerPtr& container, Kind kind, std::string_view id, std::string document = "") {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    write.document = std::move(document);
    return write;
  }

  AtomicOutcome WriteAll(const ContainerPtr& container, std::vector<ItemWrite> operations,
                         RequestMeter* meter = nullptr, std::shared_ptr<AtomicRules> rules = nullptr) {
    AtomicOutcome outcome;
    container->WriteAtomically(
        std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); }, meter, std::move(rules));
    return outcome;
  }
};

TEST_F(AtomicReadTest, AReadSeesWhatIsBeforeIt) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "old", "old").ok());
  AtomicOutcome done = WriteAll(
      c, {Operation(c, Kind::kRead, "old"), Operation(c, Kind::kCreate, "a", "a1"), Operation(c, Kind::kRead, "a"),
          Operation(c, Kind::kReplace, "a", "a2"), Operation(c, Kind::kRead, "a"), Operation(c, Kind::kRead, "old")});
  ASSERT_TRUE(done.status.ok()) << done.status.ToString();
  ASSERT_EQ(done.written.size(), 6U);
  EXPECT_EQ(done.written[0].document, "old");
  EXPECT_EQ(done.written[0].meta.lsn, 1U) << "of the write that made it";
  EXPECT_FALSE(done.written[0].created);
  EXPECT_EQ(done.written[2].document, "a1");
  EXPECT_EQ(done.written[2].meta.version, done.written[1].meta.version);
  EXPECT_EQ(done.written[2].meta.lsn, 2U);
  EXPECT_EQ(done.written[4].document, "a2");
  EXPECT_EQ(done.written[5].document, "old");
  EXPECT_EQ(c->partitions()[0]->last_lsn(), 2U);
  EXPECT_EQ(Read(c, "a"), "a2");
  EXPECT_EQ(WriteAll(c, {Operation(c, Kind::kDelete, "a"), Operation(c, Kind::kRead, "a")}).status.code(),
            Code::kNotFound);
  EXPECT_EQ(Read(c, "a"), "a2");
}

TEST_F(AtomicReadTest, ReadsAloneTakeNoLsnAndWriteNothing) {
  ContainerPtr c = MakeContainer("c", -1, 0, 3600);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  ASSERT_TRUE(Create(c, "dead", "dead", 1).ok());
  PassSeconds(2);
  const std::vector<std::string> before = Contents();
  EXPECT_TRUE(WriteAll(c, {Operation(c, Kind::kRead, "a"), Operation(c, Kind::kRead, "a")}).status.ok());
  const AtomicOutcome dead = WriteAll(c, {Operation(c, Kind::kRead, "a"), Operation(c, Kind::kRead, "dead")});
  EXPECT_EQ(dead.status.code(), Code::kNotFound);
  EXPECT_EQ(dead.failed_at, 1U);
  EXPECT_EQ(Contents(), before);
  EXPECT_EQ(c->partitions()[0]->last_lsn(), 2U);
}

TEST_F(AtomicReadTest, AReadOfAVersionThatIsKnownUndoesNothing) {
  ContainerPtr c = MakeContainer("c", -1);
  const ItemVersion known = Create(c, "a", "a")->meta.version;
  ItemWrite has_it = Operation(c, Kind::kRead, "a");
  has_it.precondition = {Precondition::Kind::kDiffers, known};
  ItemWrite has_another = has_it;
  has_another.precondition.version.sequence += 7;
  ItemWrite has_any = has_it;
  has_any.precondition = {Precondition::Kind::kAbsent, {}};
  AtomicOutcome done = WriteAll(c, {has_it, has_another, has_any, Operation(c, Kind::kUpsert, "a", "a2"), has_it});
  ASSERT_TRUE(done.status.ok()) << done.status.ToString();
  EXPECT_TRUE(done.written[0].unchanged);
  EXPECT_EQ(done.written[0].document, "");
  EXPECT_EQ(done.written[0].meta.version, known);
  EXPECT_FALSE(done.written[1].unchanged);
  EXPECT_EQ(done.written[1].document, "a");
  EXPECT_TRUE(done.written[2].unchanged);
  EXPECT_FALSE(done.written[4].unchanged) << "the version before it was replaced";
  EXPECT_EQ(Read(c, "a"), "a2");
}

TEST_F(AtomicReadTest, WhatIsWrongFromTheStartFailsInItsTurn) {
  ContainerPtr c = MakeContainer("c", -1);
  ItemWrite wrong = Operation(c, Kind::kCreate, "");
  wrong.refusal = Status(Code::kPartitionKeyMismatch, "of another key");
  const AtomicOutcome first =
      WriteAll(c, {Operation(c, Kind::kReplace, "none", "x"), wrong, Operation(c, Kind::kDelete, "none")});
  EXPECT_EQ(first.status.code(), Code::kNotFound);
  EXPECT_EQ(first.failed_at, 0U);
  const AtomicOutcome second =
      WriteAll(c, {Operation(c, Kind::kCreate, "a", "x"), wrong, Operation(c, Kind::kDelete, "none")});
  EXPECT_EQ(second.status.code(), Code::kPartitionKeyMismatch);
  EXPECT_EQ(second.failed_at, 1U);
  EXPECT_EQ(Read(c, "a"), "not found");
  EXPECT_EQ(c->partitions()[0]->last_lsn(), 0U);
}

TEST_F(AtomicReadTest, RulesAreAskedWhileEverythingCanBeTakenBack) {
  struct AtMost : AtomicRules {
    Status AfterOperation(const std::vector<ItemWrite>& operations, const std::vector<ItemWritten>& written) override {
      const size_t at = written.size() - 1;
      seen.push_back(written[at].document.empty() ? operations[at].document : written[at].document);
      return written.size() <= 2 ? Status::Ok() : Status(Code::kTooLarge, "three");
    }
    std::vector<std::string> seen;
  };
  ContainerPtr c = MakeContainer("c", -1);
  auto rules = std::make_shared<AtMost>();
  const AtomicOutcome done = WriteAll(c,
                                      {Operation(c, Kind::kCreate, "a", "a"), Operation(c, Kind::kRead, "a"),
                                       Operation(c, Kind::kCreate, "b", "b"), Operation(c, Kind::kCreate, "c", "c")},
                                      nullptr, rules);
  EXPECT_EQ(done.status.code(), Code::kTooLarge);
  EXPECT_EQ(done.failed_at, 2U);
  EXPECT_THAT(rules->seen, ElementsAre("a", "a", "b"));
  EXPECT_EQ(Read(c, "a"), "not found");
}

TEST_F(AtomicReadTest, AFailureCostsWhatWasDoneUpToIt) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  RequestMeter done_meter;
  const AtomicOutcome done =
      WriteAll(c, {Operation(c, Kind::kRead, "a"), Operation(c, Kind::kDelete, "a")}, &done_meter);
  EXPECT_THAT(done.milli_ru, ElementsAre(PointReadMilliRu(1), kDeleteMilliRu));
  EXPECT_EQ(done_meter.milli_ru(), PointReadMilliRu(1) + kDeleteMilliRu);
  RequestMeter failed_meter;
  const AtomicOutcome failed = WriteAll(c,
                                        {Operation(c, Kind::kUpsert, "b", "b"), Operation(c, Kind::kDelete, "b"),
                                         Operation(c, Kind::kDelete, "b"), Operation(c, Kind::kUpsert, "b", "b")},
                                        &failed_meter);
  EXPECT_EQ(failed.failed_at, 2U);
  EXPECT_THAT(failed.milli_ru, ElementsAre(5000, kDeleteMilliRu, kRefusedMilliRu, 0));
  EXPECT_EQ(failed_meter.milli_ru(), 5000 + kDeleteMilliRu + kRefusedMilliRu);
}

class WriteEachTest : public AtomicReadTest {
 protected:
  struct Outcome {
    Result<ItemWritten> written = Status(Code::kInternal, "not answered");
    RequestMeter meter;
  };

  // Returns the result and the charge of each operation.
  std::vector<Outcome> WriteEach(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    std::vector<Outcome> outcomes(operations.size());
    std::vector<MeteredWrite> writes;
    for (size_t i = 0; i < operations.size(); ++i) {
      writes.push_back({std::move(operations[i]),
                        [&outcomes, i](Result<ItemWritten> done) { outcomes[i].written = std::move(done); },
                        &outcomes[i].meter});
    }
    container->WriteEach(std::move(writes));
    return outcomes;
  }
};

TEST_F(WriteEachTest, EachStandsForItselfAndSeesThoseBeforeIt) {
  ContainerPtr c = MakeContainer("c", -1);
  std::vector<Outcome> done =
      WriteEach(c, {Operation(c, Kind::kCreate, "a", "a1"), Operation(c, Kind::kCreate, "a", "a2"),
                    Operation(c, Kind::kRead, "a"), Operation(c, Kind::kReplace, "a", "a3"),
                    Operation(c, Kind::kDelete, "none"), Operation(c, Kind::kRead, "a")});
  ASSERT_TRUE(done[0].written.ok());
  EXPECT_EQ(done[1].written.status().code(), Code::kAlreadyExists);
  EXPECT_EQ(done[2].written->document, "a1");
  EXPECT_EQ(done[3].written->meta.lsn, 2U) << "failures and reads take none";
  EXPECT_EQ(done[4].written.status().code(), Code::kNotFound);
  EXPECT_EQ(done[5].written->document, "a3");
  // All are in one commit.
  EXPECT_EQ(done[0].written->partition_lsn, 2U);
  EXPECT_EQ(done[1].meter.milli_ru(), kRefusedMilliRu);
  EXPECT_EQ(done[2].meter.milli_ru(), PointReadMilliRu(2));
  WriteEach(c, {});
}

TEST_F(WriteEachTest, ReadsGoOnWhenTheDiskIsFull) {
  engine_.reset();
  auto faulty = std::make_unique<store::FaultyShard>(store::FaultyOptions{}, EngineFamilies(&purge_filter_));
  store::FaultyShard* const full = faulty.get();
  shard_ = std::move(faulty);
  Restart();
  ContainerPtr c = MakeContainer("c", -1);
  WriteEach(c, {Operation(c, Kind::kCreate, "a", "a1")});
  full->set_full(true);
  std::vector<Outcome> done = WriteEach(
      c, {Operation(c, Kind::kRead, "a"), Operation(c, Kind::kCreate, "b", "b1"), Operation(c, Kind::kRead, "b"),
          Operation(c, Kind::kReplace, "a", "a2"), Operation(c, Kind::kRead, "a")});
  EXPECT_EQ(done[0].written->document, "a1");
  EXPECT_EQ(done[1].written.status().code(), Code::kNoSpace);
  EXPECT_EQ(done[2].written.status().code(), Code::kNotFound) << "it was not created";
  EXPECT_EQ(done[3].written.status().code(), Code::kNoSpace);
  EXPECT_EQ(done[4].written->document, "a1");
  full->set_full(false);
  EXPECT_TRUE(WriteEach(c, {Operation(c, Kind::kCreate, "b", "b1")})[0].written.ok());
}

TEST_F(WriteEachTest, EachIsLetInByItself) {
  ContainerPtr c = MakeContainer("c", -1, 400);
  std::vector<ItemWrite> operations;
  for (int i = 0; i < 100; ++i) operations.push_back(Operation(c, Kind::kCreate, std::to_string(i), "x"));
  std::vector<Outcome> done = WriteEach(c, operations);
  // 400 RU at 5 RU each.
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(done[static_cast<size_t>(i)].written.ok(), i < 80) << i;
    EXPECT_EQ(done[static_cast<size_t>(i)].meter.admitted(), i < 80) << i;
  }
  EXPECT_EQ(done[80].written.status().code(), Code::kThrottled);
  EXPECT_GT(done[80].meter.retry_after_ms(), 0);
  EXPECT_EQ(done[80].meter.milli_ru(), 0);
  EXPECT_EQ(Feed(c).size(), 80U);
}

}  // namespace
}  // namespace lapse::engine
