#include "ttl/policy.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

constexpr RuleId kSeen = kFirstDateRule;
constexpr RuleId kDue = kFirstDateRule + 1;

bool DeadAt(int64_t now_ms, const Lifetime& lifetime, const Policy& policy, const Floors& floors = {}) {
  return IsDead(lifetime, policy, floors, {}, now_ms);
}

// A container whose policy changes over time.
class Container {
 public:
  explicit Container(Policy policy) : policy_(std::move(policy)) {}

  void Change(Policy after, int64_t now_ms) {
    RaiseForChange(policy_, after, now_ms, lsn_, &floors_);
    policy_ = std::move(after);
  }

  Lifetime Write(int64_t now_ms, std::optional<int32_t> own_ttl = {}, std::vector<Lifetime::DateBase> dates = {}) {
    return {.ts_s = now_ms / 1000, .sequence = ++lsn_, .own_ttl = own_ttl, .dates = std::move(dates)};
  }

  bool Dead(const Lifetime& lifetime, int64_t now_ms) const { return IsDead(lifetime, policy_, floors_, {}, now_ms); }
  const Floors& floors() const { return floors_; }

 private:
  Policy policy_;
  Floors floors_;
  uint64_t lsn_ = 0;
};

const Policy kOff{};
const Policy kOnWithoutDefault{.default_ttl = kTtlForever};
Policy Default(int32_t default_s) {
  return {.default_ttl = default_s};
}

struct TableRow {
  const char* name;
  std::optional<int32_t> default_ttl;
  std::optional<int32_t> own_ttl;
  std::optional<int64_t> expires_after_s;
};

void PrintTo(const TableRow& row, std::ostream* out) {
  *out << row.name;
}

class TtlTableTest : public testing::TestWithParam<TableRow> {};

TEST_P(TtlTableTest, DiesAtItsDeadlineAndNotBefore) {
  constexpr int64_t kTs_s = 1'700'000'000;
  const TableRow& row = GetParam();
  Policy policy{.default_ttl = row.default_ttl};
  Lifetime lifetime{.ts_s = kTs_s, .sequence = 1, .own_ttl = row.own_ttl};
  if (!row.expires_after_s) {
    EXPECT_EQ(DeadlineMs(lifetime, policy), std::nullopt);
    for (int64_t after_s : {0, 1, 9, 10, 11, 59, 60, 61})
      EXPECT_FALSE(DeadAt((kTs_s + after_s) * 1000, lifetime, policy));
    EXPECT_FALSE(DeadAt(kInt64Max, lifetime, policy));
    return;
  }
  int64_t deadline_ms = (kTs_s + *row.expires_after_s) * 1000;
  EXPECT_EQ(DeadlineMs(lifetime, policy), deadline_ms);
  EXPECT_FALSE(DeadAt(kTs_s * 1000, lifetime, policy));
  EXPECT_FALSE(DeadAt(deadline_ms - 1000, lifetime, policy));
  EXPECT_FALSE(DeadAt(deadline_ms - 1, lifetime, policy));
  EXPECT_TRUE(DeadAt(deadline_ms, lifetime, policy));
  EXPECT_TRUE(DeadAt(deadline_ms + 1000, lifetime, policy));
}

const TableRow kTable[] = {
    {"OffAbsent", {}, {}, {}},
    {"OffForever", {}, kTtlForever, {}},
    {"OffOwn", {}, 10, {}},
    {"NoDefaultAbsent", kTtlForever, {}, {}},
    {"NoDefaultForever", kTtlForever, kTtlForever, {}},
    {"NoDefaultOwn", kTtlForever, 10, 10},
    {"DefaultAbsent", 60, {}, 60},
    {"DefaultForever", 60, kTtlForever, {}},
    {"DefaultOwnShorter", 60, 10, 10},
    {"DefaultOwnLonger", 10, 60, 60},
    {"GreatestDefault", kTtlMax_s, {}, kTtlMax_s},
    {"GreatestOwn", 1, kTtlMax_s, kTtlMax_s},
};

INSTANTIATE_TEST_SUITE_P(Spec, TtlTableTest, testing::ValuesIn(kTable),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(PolicyTest, SumsSaturateAtTheEndsOfTime) {
  for (int64_t ts_s : {kInt64Max, kInt64Max / 1000, kInt64Max / 1000 - kTtlMax_s + 1}) {
    Lifetime inherits{.ts_s = ts_s};
    Lifetime owns{.ts_s = ts_s, .own_ttl = kTtlMax_s};
    EXPECT_EQ(DeadlineMs(inherits, Default(kTtlMax_s)), kInt64Max);
    EXPECT_EQ(DeadlineMs(owns, kOnWithoutDefault), kInt64Max);
    EXPECT_FALSE(DeadAt(kInt64Max - 1, inherits, Default(kTtlMax_s)));
    EXPECT_FALSE(DeadAt(kInt64Max - 1, owns, kOnWithoutDefault));
  }
  Lifetime ancient{.ts_s = kInt64Min};
  EXPECT_TRUE(DeadAt(0, ancient, Default(kTtlMax_s)));
  EXPECT_FALSE(DeadAt(kInt64Min, ancient, Default(1)));

  Policy dates{.date_rules = {{kSeen, kTtlMax_s}}};
  EXPECT_FALSE(DeadAt(kInt64Max - 1, {.dates = {{kSeen, kInt64Max}}}, dates));
  EXPECT_TRUE(DeadAt(0, {.dates = {{kSeen, kInt64Min}}}, dates));
}

TEST(PolicyTest, FloorsSaturateAtTheEndsOfTime) {
  Floors floors;
  RaiseForChange(Default(kTtlMax_s), kOff, kInt64Min + 1, 9, &floors);
  EXPECT_FALSE(floors.Covers(kInheritRule, kInt64Min, 0)) << "nothing had expired so early";
  RaiseForChange(Default(1), kOff, kInt64Max, 9, &floors);
  EXPECT_FALSE(floors.Covers(Lifetime{.ts_s = kInt64Max}));
}

TEST(FloorTest, LengtheningRevivesNothing) {
  Container container(Default(10));
  Lifetime dead = container.Write(100'000);
  Lifetime live = container.Write(101'000);
  container.Change(Default(1000), 110'500);
  EXPECT_TRUE(container.Dead(dead, 110'500));
  EXPECT_FALSE(container.Dead(live, 110'500));
  EXPECT_FALSE(container.Dead(live, 1'100'999));
  EXPECT_TRUE(container.Dead(live, 1'101'000));
}

TEST(FloorTest, RemovingTheDefaultRevivesNothing) {
  for (const Policy& after : {kOff, kOnWithoutDefault}) {
    Container container(Default(10));
    Lifetime dead = container.Write(100'000);
    Lifetime live = container.Write(101'000);
    container.Change(after, 110'000);
    EXPECT_TRUE(container.Dead(dead, 110'000));
    EXPECT_TRUE(container.Dead(dead, kInt64Max));
    EXPECT_FALSE(container.Dead(live, kInt64Max));
  }
}

TEST(FloorTest, ShorteningKillsAtOnceAndNeedsNoFloor) {
  Container container(Default(1000));
  Lifetime old = container.Write(100'000);
  Lifetime young = container.Write(200'000);
  container.Change(Default(50), 210'000);
  EXPECT_TRUE(container.floors().empty());
  EXPECT_TRUE(container.Dead(old, 210'000));
  EXPECT_FALSE(container.Dead(young, 210'000));
  EXPECT_TRUE(container.Dead(young, 250'000));
}

TEST(FloorTest, WhatShorteningKilledStaysDeadWhenItIsTakenBack) {
  Container container(Default(1000));
  Lifetime record = container.Write(100'000);
  container.Change(Default(50), 210'000);
  container.Change(Default(1000), 210'000);
  EXPECT_TRUE(container.Dead(record, 210'000));
}

TEST(FloorTest, TurningOffKeepsOwnTtlsThatHadExpired) {
  Container container(kOnWithoutDefault);
  Lifetime dead = container.Write(100'000, 10);
  Lifetime live = container.Write(100'000, 11);
  container.Change(kOff, 110'999);
  EXPECT_TRUE(container.Dead(dead, 110'999));
  EXPECT_FALSE(container.Dead(live, 500'000)) << "off: its ttl is ignored";
  container.Change(kOnWithoutDefault, 500'000);
  EXPECT_TRUE(container.Dead(dead, 500'000));
  EXPECT_TRUE(container.Dead(live, 500'000)) << "on again: its ttl counts from _ts";
}

TEST(FloorTest, OwnTtlAndForeverAreNotTouchedByTheDefault) {
  Container container(Default(10));
  Lifetime own = container.Write(100'000, 100);
  Lifetime forever = container.Write(100'000, kTtlForever);
  container.Change(Default(1000), 150'000);
  container.Change(Default(5), 160'000);
  EXPECT_FALSE(container.Dead(own, 199'999));
  EXPECT_TRUE(container.Dead(own, 200'000));
  EXPECT_FALSE(container.Dead(forever, kInt64Max));
}

TEST(FloorTest, TurningOnAgainCountsFromTs) {
  Container container(Default(10));
  Lifetime record = container.Write(100'000);
  container.Change(kOff, 105'000);
  EXPECT_FALSE(container.Dead(record, 109'999));
  container.Change(Default(20), 119'999);
  EXPECT_FALSE(container.Dead(record, 119'999));
  EXPECT_TRUE(container.Dead(record, 120'000));
}

TEST(FloorTest, ALongSequenceOfChanges) {
  Container container(kOff);
  Lifetime first = container.Write(0);
  container.Change(Default(10), 5'000);
  Lifetime second = container.Write(5'000);
  container.Change(Default(20), 12'000);  // the first died at 10 s
  EXPECT_TRUE(container.Dead(first, 12'000));
  EXPECT_FALSE(container.Dead(second, 12'000));
  container.Change(kOnWithoutDefault, 20'000);
  container.Change(kOff, 21'000);
  container.Change(Default(kTtlMax_s), 22'000);
  EXPECT_TRUE(container.Dead(first, 22'000));
  EXPECT_FALSE(container.Dead(second, 22'000));
  container.Change(Default(1), 23'000);
  container.Change(kOff, 23'000);
  EXPECT_TRUE(container.Dead(second, 23'000));
  Lifetime third = container.Write(23'000);
  EXPECT_FALSE(container.Dead(third, 23'000));
}

TEST(FloorTest, WritesInTheSecondOfTheChangeLive) {
  for (const Policy& before : {Default(1), kOnWithoutDefault}) {
    Container container(before);
    container.Change(kOff, 100'999);
    EXPECT_FALSE(container.Dead(container.Write(100'999), 100'999));
    EXPECT_FALSE(container.Dead(container.Write(100'999, 1), 100'999));
  }
}

TEST(FloorTest, WritesAfterTheClockWasRepairedLive) {
  Container container(Default(10));
  container.Change(kOff, 4'000'000'000'000);  // a clock far ahead
  Lifetime written_after = container.Write(1'700'000'000'000);
  EXPECT_FALSE(container.Dead(written_after, 1'700'000'000'000));
}

TEST(FloorTest, NothingIsRaisedThatTheChangeCouldNotRevive) {
  Policy dates{.default_ttl = 10, .date_rules = {{kSeen, 5}}};
  Policy shorter_dates{.default_ttl = 10, .date_rules = {{kSeen, 4}}};
  const std::pair<Policy, Policy> cases[] = {
      {kOff, Default(10)},
      {kOff, kOnWithoutDefault},
      {kOnWithoutDefault, Default(5)},
      {Default(5), Default(5)},
      {Default(5), Default(4)},
      {dates, dates},
      {dates, shorter_dates},
      {kOff, kOff},
  };
  for (const auto& [before, after] : cases) {
    Floors floors;
    RaiseForChange(before, after, 100'000, 7, &floors);
    EXPECT_TRUE(floors.empty());
  }
}

TEST(FloorTest, EveryChangeRaisesOnlyItsOwnRule) {
  Policy before{.default_ttl = 10, .date_rules = {{kSeen, 5}, {kDue, 0}}};
  auto raised = [&](const Policy& after) {
    Floors floors;
    RaiseForChange(before, after, 100'000, 7, &floors);
    return floors.entries();
  };
  using Entries = std::vector<Floors::Entry>;
  Policy after = before;
  after.default_ttl = 11;
  EXPECT_EQ(raised(after), (Entries{{kInheritRule, {90'000, 7}}}));
  after.default_ttl.reset();
  EXPECT_EQ(raised(after), (Entries{{kInheritRule, {90'000, 7}}, {kOwnRule, {100'000, 7}}}));
  after = before;
  after.date_rules[0].expire_after_s = 6;
  EXPECT_EQ(raised(after), (Entries{{kSeen, {95'000, 7}}}));
  after.date_rules = {{kSeen, 5}};
  EXPECT_EQ(raised(after), (Entries{{kDue, {100'000, 7}}}));
}

TEST(FloorTest, UnderThePurgedFloorIsDeadWhateverTheTime) {
  Floors purged;
  purged.Raise(kInheritRule, {100'000, 3});
  Lifetime record{.ts_s = 100, .sequence = 3};
  EXPECT_TRUE(IsDead(record, Default(10), {}, purged, 0));
  EXPECT_TRUE(IsDead(record, kOff, {}, purged, 0));
  record.sequence = 4;
  EXPECT_FALSE(IsDead(record, kOff, {}, purged, 0));
}

TEST(DateRuleTest, ExpiresToTheMillisecondWhetherTtlIsOnOrOff) {
  for (std::optional<int32_t> default_ttl : {std::optional<int32_t>(), std::optional<int32_t>(kTtlForever)}) {
    Policy policy{.default_ttl = default_ttl, .date_rules = {{kSeen, 10}}};
    Lifetime record{.ts_s = 0, .sequence = 1, .dates = {{kSeen, 5'123}}};
    EXPECT_EQ(DeadlineMs(record, policy), 15'123);
    EXPECT_FALSE(DeadAt(15'122, record, policy));
    EXPECT_TRUE(DeadAt(15'123, record, policy));
  }
}

TEST(DateRuleTest, OfSeveralTheEarliestWins) {
  Policy policy{.default_ttl = 100, .date_rules = {{kSeen, 10}, {kDue, 0}}};
  EXPECT_EQ(DeadlineMs({.ts_s = 0, .dates = {{kSeen, 5'000}, {kDue, 20'000}}}, policy), 15'000);
  EXPECT_EQ(DeadlineMs({.ts_s = 0, .dates = {{kSeen, 5'000}, {kDue, 14'999}}}, policy), 14'999);
  EXPECT_EQ(DeadlineMs({.ts_s = 0, .dates = {{kSeen, 500'000}}}, policy), 100'000);
  Lifetime record{.ts_s = 0, .dates = {{kSeen, 5'000}, {kDue, 14'999}}};
  EXPECT_FALSE(DeadAt(14'998, record, policy));
  EXPECT_TRUE(DeadAt(14'999, record, policy));
}

TEST(DateRuleTest, RecordsWithoutABaseForTheRuleDoNotExpireByIt) {
  Policy policy{.date_rules = {{kSeen, 0}}};
  EXPECT_FALSE(DeadAt(kInt64Max, {.ts_s = 1}, policy));
  EXPECT_FALSE(DeadAt(kInt64Max, {.ts_s = 1, .dates = {{kDue, 0}}}, policy));
}

TEST(DateRuleTest, OwnTtlOverridesTheTsRuleAlone) {
  Policy policy{.default_ttl = 1, .date_rules = {{kSeen, 10}}};
  Lifetime forever{.ts_s = 0, .own_ttl = kTtlForever, .dates = {{kSeen, 0}}};
  EXPECT_FALSE(DeadAt(9'999, forever, policy));
  EXPECT_TRUE(DeadAt(10'000, forever, policy));
  Lifetime longer{.ts_s = 0, .own_ttl = 1000, .dates = {{kSeen, 0}}};
  EXPECT_FALSE(DeadAt(9'999, longer, policy));
  EXPECT_TRUE(DeadAt(10'000, longer, policy));
  Lifetime shorter{.ts_s = 0, .own_ttl = 5, .dates = {{kSeen, 0}}};
  EXPECT_TRUE(DeadAt(5'000, shorter, policy));
}

TEST(DateRuleTest, DroppingARuleRevivesNothingAndKillsNothing) {
  Container container({.date_rules = {{kSeen, 10}}});
  Lifetime dead = container.Write(100'000, {}, {{kSeen, 90'000}});
  Lifetime live = container.Write(100'000, {}, {{kSeen, 90'001}});
  container.Change(kOff, 100'000);
  EXPECT_TRUE(container.Dead(dead, 100'000));
  EXPECT_FALSE(container.Dead(live, kInt64Max));
  container.Change({.date_rules = {{kDue, 10}}}, 200'000);
  EXPECT_TRUE(container.Dead(dead, 200'000));
  EXPECT_FALSE(container.Dead(live, kInt64Max)) << "a new rule is not the old one";
}

TEST(DateRuleTest, AnOldDateWrittenAfterTheFloorLivesByItsOwnRule) {
  Container container({.date_rules = {{kSeen, 10}}});
  Lifetime before = container.Write(100'000, {}, {{kSeen, 80'000}});
  container.Change({.date_rules = {{kSeen, 1000}}}, 100'000);
  Lifetime after = container.Write(100'000, {}, {{kSeen, 80'000}});
  EXPECT_TRUE(container.Dead(before, 100'000));
  EXPECT_FALSE(container.Dead(after, 100'000));
  EXPECT_FALSE(container.Dead(after, 1'079'999));
  EXPECT_TRUE(container.Dead(after, 1'080'000));
}

TEST(DateRuleTest, ADateThatIsDueWhenWrittenIsDeadAtOnce) {
  Container container({.date_rules = {{kSeen, 10}}});
  EXPECT_TRUE(container.Dead(container.Write(100'000, {}, {{kSeen, 90'000}}), 100'000));
  EXPECT_TRUE(container.Dead(container.Write(100'000, {}, {{kSeen, kInt64Min}}), 100'000));
}

TEST(PolicyBytesTest, AreAsDocumented) {
  std::string bytes;
  kOff.Encode(&bytes);
  EXPECT_EQ(HexUpper(bytes), "100000");
  bytes.clear();
  Policy{.default_ttl = 60, .date_rules = {{2, 0}, {7, kTtlMax_s}}}.Encode(&bytes);
  EXPECT_EQ(HexUpper(bytes),
            "11"
            "3C000000"
            "0200"
            "0200000000000000"
            "07000000FFFFFF7F");
}

TEST(PolicyBytesTest, RoundTrip) {
  const Policy cases[] = {
      kOff, kOnWithoutDefault, Default(1), {.default_ttl = kTtlMax_s, .date_rules = {{2, 5}, {3, 0}}}};
  for (const Policy& policy : cases) {
    std::string bytes;
    policy.Encode(&bytes);
    bytes += "rest";
    std::string_view view = bytes;
    Policy decoded{.default_ttl = 9, .date_rules = {{8, 8}}};
    ASSERT_TRUE(Policy::Decode(&view, &decoded));
    EXPECT_EQ(decoded, policy);
    EXPECT_EQ(view, "rest");
  }
}

TEST(PolicyBytesTest, RejectsWhatIsNotAPolicyAndChangesNothing) {
  std::string whole;
  Policy{.default_ttl = 60, .date_rules = {{2, 5}}}.Encode(&whole);
  std::vector<std::string> wrong;
  for (size_t length = 0; length < whole.size(); ++length) wrong.push_back(whole.substr(0, length));
  for (const char* hex : {
           "000000",                  // no version
           "200000",                  // a later version
           "120000",                  // an unknown flag
           "11000000000000",          // a default of 0
           "11FEFFFFFF0000",          // a default of -2
           "10FFFF0200000000000000",  // more rules than bytes
           "1001000100000000000000",  // not a date rule
           "10010002000000FFFFFFFF",  // a negative offset
       }) {
    wrong.emplace_back();
    ASSERT_TRUE(FromHex(hex, &wrong.back()));
  }
  for (const std::string& bytes : wrong) {
    std::string_view view = bytes;
    Policy policy = Default(9);
    EXPECT_FALSE(Policy::Decode(&view, &policy)) << HexUpper(bytes);
    EXPECT_EQ(view, bytes);
    EXPECT_EQ(policy, Default(9));
  }
}

}  // namespace
}  // namespace lapse::ttl
