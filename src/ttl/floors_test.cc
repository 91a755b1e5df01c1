#include "ttl/floors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "base/bytes.h"

namespace lapse::ttl {
namespace {

constexpr RuleId kDate = kFirstDateRule;

std::string Encoded(const Floors& floors) {
  std::string bytes;
  floors.Encode(&bytes);
  return bytes;
}

bool DecodesAsFloors(std::string_view bytes) {
  Floors floors;
  return Floors::Decode(&bytes, &floors);
}

std::string Header(uint32_t count) {
  std::string bytes = "\x01";
  PutLittleEndian(&bytes, count);
  return bytes;
}

void PutEntry(RuleId rule, int64_t base_ms, uint64_t sequence, std::string* bytes) {
  PutLittleEndian(bytes, rule);
  PutLittleEndian(bytes, base_ms);
  PutLittleEndian(bytes, sequence);
}

TEST(FloorsTest, CoverWhatIsAtOrBelowInBaseAndLsn) {
  Floors floors;
  EXPECT_TRUE(floors.empty());
  EXPECT_FALSE(floors.Covers(kInheritRule, std::numeric_limits<int64_t>::min(), 0));
  floors.Raise(kInheritRule, {1000, 5});
  EXPECT_FALSE(floors.empty());
  EXPECT_TRUE(floors.Covers(kInheritRule, 1000, 5));
  EXPECT_TRUE(floors.Covers(kInheritRule, 999, 0));
  EXPECT_FALSE(floors.Covers(kInheritRule, 1001, 5));
  EXPECT_FALSE(floors.Covers(kInheritRule, 1000, 6));
  EXPECT_FALSE(floors.Covers(kOwnRule, 1000, 5));
}

TEST(FloorsTest, NeverSink) {
  Floors floors;
  floors.Raise(kInheritRule, {1000, 5});
  floors.Raise(kInheritRule, {500, 3});
  floors.Raise(kInheritRule, {1000, 5});
  EXPECT_EQ(floors.entries(), (std::vector<Floors::Entry>{{kInheritRule, {1000, 5}}}));
}

TEST(FloorsTest, KeepFloorsOfWhichNoneCoversTheOther) {
  Floors floors;
  floors.Raise(kDate, {1000, 5});
  floors.Raise(kDate, {500, 9});
  EXPECT_EQ(floors.entries().size(), 2U);
  EXPECT_TRUE(floors.Covers(kDate, 500, 9));
  EXPECT_TRUE(floors.Covers(kDate, 1000, 5));
  EXPECT_FALSE(floors.Covers(kDate, 501, 6));
  floors.Raise(kDate, {1000, 9});
  EXPECT_EQ(floors.entries(), (std::vector<Floors::Entry>{{kDate, {1000, 9}}}));
}

TEST(FloorsTest, AgreeWithTheListOfAllThatWasRaised) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Floors floors;
    std::vector<Floors::Entry> raised;
    for (int i = 0; i < 12; ++i) {
      Floors::Entry entry{RuleId(random() % 4), {int64_t(random() % 10) - 5, random() % 10}};
      floors.Raise(entry.rule, entry.floor);
      raised.push_back(entry);
    }
    for (RuleId rule = 0; rule < 4; ++rule) {
      for (int64_t base = -6; base <= 5; ++base) {
        for (uint64_t sequence = 0; sequence <= 10; ++sequence) {
          bool expected = std::any_of(raised.begin(), raised.end(), [&](const Floors::Entry& entry) {
            return entry.rule == rule && base <= entry.floor.base_ms && sequence <= entry.floor.sequence;
          });
          ASSERT_EQ(floors.Covers(rule, base, sequence), expected);
        }
      }
    }
    std::string bytes = Encoded(floors);
    std::string_view view = bytes;
    Floors decoded;
    ASSERT_TRUE(Floors::Decode(&view, &decoded));
    ASSERT_EQ(decoded, floors);
  }
}

TEST(FloorsTest, CoverARecordByTheRulesThatGovernIt) {
  Floors inherit;
  inherit.Raise(kInheritRule, {10'000, 100});
  EXPECT_TRUE(inherit.Covers(Lifetime{.ts_s = 10, .sequence = 100}));
  EXPECT_FALSE(inherit.Covers(Lifetime{.ts_s = 11, .sequence = 100}));
  EXPECT_FALSE(inherit.Covers(Lifetime{.ts_s = 1, .sequence = 1, .own_ttl = 1}));
  EXPECT_FALSE(inherit.Covers(Lifetime{.ts_s = 1, .sequence = 1, .own_ttl = kTtlForever}));

  Floors own;
  own.Raise(kOwnRule, {10'000, 100});
  EXPECT_TRUE(own.Covers(Lifetime{.ts_s = 6, .sequence = 1, .own_ttl = 4}));
  EXPECT_FALSE(own.Covers(Lifetime{.ts_s = 6, .sequence = 1, .own_ttl = 5}));
  EXPECT_FALSE(own.Covers(Lifetime{.ts_s = 6, .sequence = 1}));
  EXPECT_FALSE(own.Covers(Lifetime{.ts_s = 6, .sequence = 1, .own_ttl = kTtlForever}));

  Floors date;
  date.Raise(kDate, {10'000, 100});
  EXPECT_TRUE(date.Covers(Lifetime{.ts_s = 99, .sequence = 1, .own_ttl = kTtlForever, .dates = {{kDate, 10'000}}}));
  EXPECT_TRUE(date.Covers(Lifetime{.ts_s = 99, .sequence = 1, .dates = {{kDate + 1, 0}, {kDate, 10'000}}}));
  EXPECT_FALSE(date.Covers(Lifetime{.ts_s = 1, .sequence = 101, .dates = {{kDate, 10'000}}}));
  EXPECT_FALSE(date.Covers(Lifetime{.ts_s = 1, .sequence = 1}));
}

TEST(FloorsTest, BytesAreAsDocumented) {
  EXPECT_EQ(HexUpper(Encoded(Floors())), "0100000000");
  Floors floors;
  floors.Raise(3, {-2, 4});
  EXPECT_EQ(HexUpper(Encoded(floors)),
            "01"
            "01000000"
            "03000000"
            "FEFFFFFFFFFFFFFF"
            "0400000000000000");
}

TEST(FloorsTest, DecodeTakesItsBytesOnly) {
  Floors floors;
  floors.Raise(kOwnRule, {1, 2});
  std::string bytes = Encoded(floors) + "rest";
  std::string_view view = bytes;
  Floors decoded;
  decoded.Raise(kDate, {5, 5});
  ASSERT_TRUE(Floors::Decode(&view, &decoded));
  EXPECT_EQ(decoded, floors);
  EXPECT_EQ(view, "rest");
}

TEST(FloorsTest, RejectsTruncationAndChangesNothing) {
  Floors floors;
  floors.Raise(kOwnRule, {1, 2});
  floors.Raise(kDate, {3, 4});
  std::string bytes = Encoded(floors);
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string_view view = std::string_view(bytes).substr(0, length);
    Floors decoded = floors;
    EXPECT_FALSE(Floors::Decode(&view, &decoded)) << length;
    EXPECT_EQ(view.size(), length);
    EXPECT_EQ(decoded, floors);
  }
}

TEST(FloorsTest, RejectsUnknownVersionsAndAbsurdCounts) {
  std::string bytes = Encoded(Floors());
  for (int version : {0, 2, 255}) {
    bytes[0] = static_cast<char>(version);
    EXPECT_FALSE(DecodesAsFloors(bytes));
  }
  EXPECT_FALSE(DecodesAsFloors(Header(0xFFFFFFFF) + std::string(40, '\0')));
}

TEST(FloorsTest, RejectsEntriesOutOfOrder) {
  std::string by_rule = Header(2);
  PutEntry(kDate, 1, 1, &by_rule);
  PutEntry(kOwnRule, 1, 1, &by_rule);
  EXPECT_FALSE(DecodesAsFloors(by_rule));

  std::string covered = Header(2);
  PutEntry(kDate, 1, 1, &covered);
  PutEntry(kDate, 2, 1, &covered);
  EXPECT_FALSE(DecodesAsFloors(covered));

  std::string twice = Header(2);
  PutEntry(kDate, 1, 1, &twice);
  PutEntry(kDate, 1, 1, &twice);
  EXPECT_FALSE(DecodesAsFloors(twice));
}

}  // namespace
}  // namespace lapse::ttl
