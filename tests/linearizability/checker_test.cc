// The checker on hand-made histories: each violation next to a similar history that is none.
#include "tests/linearizability/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/linearizability/explanation.h"
#include "tests/linearizability/history_builder.h"

namespace lapse::linearizability {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Time to live is on, without a default.
const PartitionModel kModel(-1);

Verdict CheckOf(const HistoryBuilder& built) {
  return Check(kModel, built.history());
}

// One item, i1 with value 1 and etag "a".
HistoryBuilder OneItem() {
  HistoryBuilder built;
  built.Done(Create(1, Tagged(1)), 201, {built.Shown(1, Tagged(1), "a")});
  return built;
}

TEST(CheckerTest, WhatHappensOneAfterAnother) {
  HistoryBuilder built = OneItem();
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")});
  built.Done(Read(2), 404);
  built.Done(Create(1, Tagged(2)), 409);
  built.Done(Replace(1, Tagged(3), "a"), 200, {built.Shown(1, Tagged(3), "b")});
  built.Done(Replace(1, Tagged(4), "a"), 412);
  built.Done(Upsert(2, Tagged(5)), 201, {built.Shown(2, Tagged(5), "c")});
  built.Done(List(), 200, {built.Shown(1, Tagged(3), "b"), built.Shown(2, Tagged(5), "c")});
  built.Done(Delete(1), 204);
  built.Done(Delete(1), 404);
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
}

TEST(CheckerTest, AStaleRead) {
  HistoryBuilder built = OneItem();
  built.Done(Upsert(1, Tagged(2)), 200, {built.Shown(1, Tagged(2), "b")});
  HistoryBuilder beside = built;
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")});
  EXPECT_EQ(CheckOf(built), Verdict::kViolated);
  // Had the read begun before the write ended, it might have preceded it.
  beside.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")}).Beside();
  EXPECT_EQ(CheckOf(beside), Verdict::kExplained);
}

// Two reads beside a write: the first one saw it, so the second one must.
TEST(CheckerTest, AReadThatGoesBack) {
  HistoryBuilder built = OneItem();
  const ShownItem before = built.Shown(1, Tagged(1), "a");
  const ShownItem after = built.Shown(1, Tagged(2), "b");
  HistoryBuilder back = built;
  built.Done(Read(1), 200, {before}).Done(Read(1), 200, {after});
  built.Done(Upsert(1, Tagged(2)), 200, {after}).Beside(2);
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  back.Done(Read(1), 200, {after}).Done(Read(1), 200, {before});
  back.Done(Upsert(1, Tagged(2)), 200, {after}).Beside(2);
  EXPECT_EQ(CheckOf(back), Verdict::kViolated);
}

TEST(CheckerTest, ALostUpdate) {
  HistoryBuilder built = OneItem();
  HistoryBuilder lost = built;
  built.Done(Patch(1, {2, 1}), 200, {built.Shown(1, {2, 1, 1}, "b")});
  built.Done(Patch(1, {3, 1}), 200, {built.Shown(1, {3, 2, 1}, "c")}).Beside();
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  lost.Done(Patch(1, {2, 1}), 200, {lost.Shown(1, {2, 1, 1}, "b")});
  lost.Done(Patch(1, {3, 1}), 200, {lost.Shown(1, {3, 1, 1}, "c")}).Beside();
  EXPECT_EQ(CheckOf(lost), Verdict::kViolated);
}

TEST(CheckerTest, TwoWritesThatMatchedTheSameEtag) {
  HistoryBuilder built = OneItem();
  HistoryBuilder twice = built;
  built.Done(Replace(1, Tagged(2), "a"), 412);
  built.Done(Replace(1, Tagged(3), "a"), 200, {built.Shown(1, Tagged(3), "b")}).Beside();
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  twice.Done(Replace(1, Tagged(2), "a"), 200, {twice.Shown(1, Tagged(2), "c")});
  twice.Done(Replace(1, Tagged(3), "a"), 200, {twice.Shown(1, Tagged(3), "b")}).Beside();
  EXPECT_EQ(CheckOf(twice), Verdict::kViolated);
}

TEST(CheckerTest, OneEtagForTwoVersions) {
  HistoryBuilder built = OneItem();
  built.Done(Upsert(1, Tagged(2)), 200, {built.Shown(1, Tagged(2), "a")});
  EXPECT_EQ(CheckOf(built), Verdict::kViolated);
}

TEST(CheckerTest, HalfABatch) {
  HistoryBuilder built;
  const ShownItem first = built.Shown(1, Tagged(1), "a");
  const ShownItem second = built.Shown(2, Tagged(2), "b");
  for (const bool half : {false, true}) {
    for (const Kind kind : {Kind::kList, Kind::kRead}) {
      HistoryBuilder batch;
      if (kind == Kind::kList) {
        batch.Done(List(), 200, half ? std::vector{first} : std::vector{first, second});
      } else {
        batch.Done(Read(1), 200, {first})
            .Done(Read(2), half ? 404 : 200, half ? std::vector<ShownItem>{} : std::vector{second});
      }
      batch.Batch({Create(1, Tagged(1)), Create(2, Tagged(2))}, {{201, {first}}, {201, {second}}});
      batch.Beside(kind == Kind::kList ? 1 : 2);
      EXPECT_EQ(CheckOf(batch), half ? Verdict::kViolated : Verdict::kExplained) << half;
    }
  }
}

TEST(CheckerTest, AFailedBatchThatLeftSomething) {
  HistoryBuilder built = OneItem();
  built.Batch({Create(2, Tagged(2)), Create(1, Tagged(3))}, {{424}, {409}});
  HistoryBuilder left = built;
  built.Done(Read(2), 404);
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  left.Done(Read(2), 200, {left.Shown(2, Tagged(2), "b")});
  EXPECT_EQ(CheckOf(left), Verdict::kViolated);
}

TEST(CheckerTest, ADuplicateUniqueKey) {
  HistoryBuilder built = OneItem();
  HistoryBuilder twice = built;
  built.Done(Create(2, {2, 0, 1}), 409);
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  twice.Done(Create(2, {2, 0, 1}), 201, {twice.Shown(2, {2, 0, 1}, "b")});
  EXPECT_EQ(CheckOf(twice), Verdict::kViolated);
  // Of two concurrent creates, one succeeds.
  HistoryBuilder beside;
  beside.Done(Create(1, {1}), 409).Done(Create(2, {2}), 201, {beside.Shown(2, {2}, "b")}).Beside();
  EXPECT_EQ(CheckOf(beside), Verdict::kExplained);
}

TEST(CheckerTest, AConflictWithoutAReason) {
  HistoryBuilder built = OneItem();
  built.Done(Create(2, Tagged(2)), 409);
  EXPECT_EQ(CheckOf(built), Verdict::kViolated);
}

TEST(CheckerTest, AnItemExpiresInItsSecondAndStaysSo) {
  const Content short_lived{1, 0, 1, 5};
  HistoryBuilder built;
  built.Done(Create(1, short_lived), 201, {built.Shown(1, short_lived, "a")});
  built.PassSeconds(4);
  HistoryBuilder early = built;
  early.Done(Read(1), 404);
  EXPECT_EQ(CheckOf(early), Verdict::kViolated);
  built.Done(Read(1), 200, {built.ShownAt(1, short_lived, "a", 4)});
  built.PassSeconds(1);
  HistoryBuilder late = built;
  late.Done(Read(1), 200, {late.ShownAt(1, short_lived, "a", 5)});
  EXPECT_EQ(CheckOf(late), Verdict::kViolated);
  built.Done(Patch(1, {2, 1}), 404).Done(Create(2, {3, 0, 1}), 201, {built.Shown(2, {3, 0, 1}, "b")});
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
}

// The clock moves during both reads. Each may see either second, but the second read must not see an earlier one.
TEST(CheckerTest, AnExpiredItemThatComesBack) {
  const Content short_lived{1, 0, 1, 5};
  for (const bool comes_back : {false, true}) {
    HistoryBuilder built;
    const ShownItem item = built.Shown(1, short_lived, "a");
    built.Done(Create(1, short_lived), 201, {item});
    built.PassSeconds(4);
    built.Done(Read(1), comes_back ? 404 : 200, comes_back ? std::vector<ShownItem>{} : std::vector{item});
    built.Done(Read(1), comes_back ? 200 : 404, comes_back ? std::vector{item} : std::vector<ShownItem>{});
    History history = built.history();
    for (size_t i = 1; i < history.operations.size(); ++i) ++history.operations[i].latest_s;
    EXPECT_EQ(Check(kModel, history), comes_back ? Verdict::kViolated : Verdict::kExplained);
  }
}

TEST(CheckerTest, AWriteGetsTheSecondInWhichItHappened) {
  HistoryBuilder built;
  built.PassSeconds(1);
  HistoryBuilder old = built;
  built.Done(Create(1, Tagged(1)), 201, {built.Shown(1, Tagged(1), "a")});
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  old.Done(Create(1, Tagged(1)), 201, {old.ShownAt(1, Tagged(1), "a", 1)});
  EXPECT_EQ(CheckOf(old), Verdict::kViolated);
}

TEST(CheckerTest, AnUnknownWriteHappenedOrNot) {
  HistoryBuilder built = OneItem();
  built.Unknown(Upsert(1, Tagged(2)));
  HistoryBuilder undone = built;
  undone.Done(Read(1), 200, {undone.Shown(1, Tagged(1), "a")});
  EXPECT_EQ(CheckOf(undone), Verdict::kExplained);
  HistoryBuilder late = undone;
  const ShownItem second = late.Shown(1, Tagged(2), "b");
  late.Done(Read(1), 200, {second});
  EXPECT_EQ(CheckOf(late), Verdict::kExplained);
  late.Done(Read(1), 200, {late.Shown(1, Tagged(1), "a")});
  EXPECT_EQ(CheckOf(late), Verdict::kViolated) << "it happened, and cannot go away";
}

TEST(CheckerTest, AnUnknownWriteDoesNotHappenAfterARestart) {
  HistoryBuilder built = OneItem();
  built.Unknown(Upsert(1, Tagged(2))).Restart();
  HistoryBuilder done = built;
  const ShownItem second = built.Shown(1, Tagged(2), "b");
  done.Done(Read(1), 200, {second});
  EXPECT_EQ(CheckOf(done), Verdict::kExplained);
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")}).Done(Read(1), 200, {second});
  EXPECT_EQ(CheckOf(built), Verdict::kViolated);
}

// The search must not place the read first although it fits anyway, since it would then be too late for the write.
TEST(CheckerTest, AnUnknownWriteHappenedBeforeAllThatBeganAfterTheRestart) {
  HistoryBuilder built = OneItem();
  built.Unknown(Upsert(2, Tagged(2))).Restart();
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")});
  built.Done(Read(2), 200, {built.Shown(2, Tagged(2), "b")}).Beside();
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
}

TEST(CheckerTest, TheEtagOfAnUnknownWriteIsTheOneThatIsSeenFirst) {
  HistoryBuilder built = OneItem();
  built.Unknown(Upsert(1, Tagged(2)));
  built.Done(Read(1), 200, {built.Shown(1, Tagged(2), "b")});
  HistoryBuilder other = built;
  built.Done(Replace(1, Tagged(3), "b"), 200, {built.Shown(1, Tagged(3), "c")});
  EXPECT_EQ(CheckOf(built), Verdict::kExplained);
  other.Done(Read(1), 200, {other.Shown(1, Tagged(2), "c")});
  EXPECT_EQ(CheckOf(other), Verdict::kViolated);
}

TEST(CheckerTest, AnAcknowledgedWriteThatIsGoneAfterARestart) {
  HistoryBuilder built = OneItem();
  built.Done(Upsert(1, Tagged(2)), 200, {built.Shown(1, Tagged(2), "b")}).Restart();
  built.Done(Read(1), 200, {built.ShownAt(1, Tagged(1), "a", 0)});
  EXPECT_EQ(CheckOf(built), Verdict::kViolated);
}

TEST(CheckerTest, SaysSoWhenItCouldNotDecide) {
  HistoryBuilder built = OneItem();
  built.Done(Read(1), 404);
  EXPECT_EQ(Check(kModel, built.history(), {.steps_max = 2}), Verdict::kUndecided);
  EXPECT_EQ(Check(kModel, built.history(), {.steps_max = 5}), Verdict::kViolated);
}

TEST(ExplanationTest, HoldsWhatMattersAndNothingElse) {
  HistoryBuilder built;
  for (int64_t value = 10; value < 20; ++value) {
    built.Done(Upsert(5, Tagged(value)), value == 10 ? 201 : 200,
               {built.Shown(5, Tagged(value), "x" + std::to_string(value))});
  }
  built.Done(Create(1, Tagged(1)), 201, {built.Shown(1, Tagged(1), "a")});
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")});
  built.Done(Upsert(1, Tagged(2)), 200, {built.Shown(1, Tagged(2), "b")});
  built.Done(Read(7), 404);
  built.Done(Read(1), 200, {built.Shown(1, Tagged(1), "a")});
  built.Done(Delete(1), 404);
  ASSERT_EQ(CheckOf(built), Verdict::kViolated);
  const std::string text = Explain(kModel, built.history());
  EXPECT_THAT(text, HasSubstr("upsert i1 {v=2 n=0 tag=2} -> 200"));
  EXPECT_THAT(text, HasSubstr("read i1 -> 200 i1{v=1 n=0 tag=1} etag=a"));
  EXPECT_THAT(text, Not(HasSubstr("i5")));
  EXPECT_THAT(text, Not(HasSubstr("i7")));
  EXPECT_THAT(text, Not(HasSubstr("delete"))) << "the history is wrong before it";
}

}  // namespace
}  // namespace lapse::linearizability
