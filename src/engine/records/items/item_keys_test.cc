#include "engine/records/items/item_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_records.h"
#include "engine/records/items/test_key.h"
#include "engine/records/partitions/partition_policy.h"
#include "engine/records/partitions/partition_tally.h"

namespace lapse::engine {
namespace {

using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls): the check does not see literals

LogicalKey Key(std::string epk, std::vector<PartitionKeyComponent> values = {}) {
  return {std::move(epk), EncodeKeyValue(values)};
}

TEST(Keys, HeadKeysSortByEffectivePartitionKeyThenId) {
  std::vector<ItemAddress> addresses = {{Key(""), "a"},          {Key("\x00"s), "a"},     {Key("\x00\x00"s), "z"},
                                        {Key("\x00\x01"s), "a"}, {Key("\x00\xFF"s), "a"}, {Key("\x01"), "a"},
                                        {Key("\x01"), "ab"},     {Key("\x01"), "b"},      {Key("\x01\x00"s), "a"},
                                        {Key("\x3F\xFF"), ""}};
  std::vector<std::string> keys;
  for (const ItemAddress& address : addresses) keys.push_back(HeadKey(7, address));
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  for (size_t i = 0; i < keys.size(); ++i) {
    HeadKeyParts parts;
    ASSERT_TRUE(SplitHeadKey(keys[i], &parts));
    EXPECT_EQ(parts.epk, addresses[i].key.epk);
    EXPECT_EQ(parts.id, addresses[i].id);
    EXPECT_GE(keys[i], EpkBound(7, parts.epk));
  }
}

TEST(Keys, TwoValuesWithOneEffectiveKeyAreTwoKeys) {
  const std::vector<std::vector<PartitionKeyComponent>> values = {
      {},
      {PartitionKeyComponent::Missing()},
      {PartitionKeyComponent::Null()},
      {PartitionKeyComponent::Bool(false)},
      {PartitionKeyComponent::Bool(true)},
      {PartitionKeyComponent::Number(0)},
      {PartitionKeyComponent::Number(-1.5)},
      {Text("")},
      {Text("a")},
      {Text("\x00"s)},
      {Text("a\x00\x00b"s)},
      {Text("a"), Text("b")},
      {Text("a"), PartitionKeyComponent::Number(5), Text("\xFF")},
  };
  std::set<std::string> heads, members;
  for (const auto& value : values) {
    const LogicalKey key = Key("\x01\x02", value);
    const std::string head = HeadKey(7, {key, "id"});
    heads.insert(head);
    HeadKeyParts parts;
    ASSERT_TRUE(SplitHeadKey(head, &parts));
    EXPECT_EQ(parts.value, key.value);
    EXPECT_EQ(parts.id, "id");
    const std::string member = MemberKey(7, key, 99);
    members.insert(member);
    EXPECT_EQ(MemberKeyOf(head, 99), member);
    EXPECT_TRUE(member.starts_with(MemberPrefix(7, key)));
    MemberKeyParts of_member;
    ASSERT_TRUE(SplitMemberKey(member, &of_member));
    EXPECT_EQ(of_member.epk, key.epk);
    EXPECT_EQ(of_member.value, key.value);
    EXPECT_EQ(of_member.item, 99U);
    for (size_t length = 0; length < head.size() - 3; ++length) {
      EXPECT_FALSE(SplitHeadKey(std::string_view(head).substr(0, length), &parts)) << length;
    }
  }
  EXPECT_EQ(heads.size(), values.size());
  for (const auto& one : values) {
    for (const auto& other : values) {
      const bool same = one == other;
      EXPECT_EQ(MemberKey(7, Key("\x01", one), 1).starts_with(MemberPrefix(7, Key("\x01", other))), same);
    }
  }
}

TEST(Keys, TheFirstLevelsOfAKeyAreAPrefixOfItsValueAndOfNoOther) {
  const std::string first = EncodeKeyValue(std::vector{Text("a")});
  EXPECT_TRUE(EncodeKeyValue(std::vector{Text("a"), Text("b")}).starts_with(first));
  EXPECT_FALSE(EncodeKeyValue(std::vector{Text("ab"), Text("b")}).starts_with(first));
  EXPECT_FALSE(EncodeKeyValue(std::vector{Text("a\x00"s), Text("b")}).starts_with(first));
}

TEST(Keys, RecordsSortByItemNumber) {
  EXPECT_LT(RecordKey(7, MakeItemNumber(0, kCreationsMax)), RecordKey(7, MakeItemNumber(1, 0)));
  EXPECT_EQ(ItemOfRecordKey(RecordKey(7, 12345)), 12345U);
  EXPECT_EQ(PartitionOf(MakeItemNumber(3, 5)), 3U);
  EXPECT_EQ(CreationOf(MakeItemNumber(3, 5)), 5U);
  EXPECT_LT(MakeItemNumber(kPartitionNumberMax, kCreationsMax), uint64_t{1} << 60);
}

TEST(Keys, PrefixEndIsAboveEveryKeyWithThePrefix) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xFF"), "b");
  EXPECT_EQ(PrefixEnd("\xFF\xFF"), "");
}

TEST(Keys, QueueKeysSortByRuleThenBaseThenSequence) {
  std::vector<std::string> keys = {QueueKey({1, 0}, 1, -5, 9), QueueKey({1, 0}, 1, 0, 1),  QueueKey({1, 0}, 1, 5, 1),
                                   QueueKey({1, 0}, 1, 5, 2),  QueueKey({1, 0}, 2, -9, 1), QueueKey({1, 1}, 1, -9, 1)};
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST(Keys, InheritingBodiesLieApartFromThoseWithALifetimeOfTheirOwn) {
  ttl::Lifetime inheriting;
  inheriting.sequence = 100;
  ttl::Lifetime own = inheriting;
  own.sequence = 1;
  own.own_ttl = -1;
  EXPECT_LT(BodyKey({1, 0}, inheriting), BodyKey({1, 0}, own));
}

template <typename Decode>
void ExpectEveryTruncationIsRefused(const std::string& bytes, Decode decode) {
  for (size_t length = 0; length < bytes.size(); ++length) EXPECT_FALSE(decode(bytes.substr(0, length))) << length;
  EXPECT_TRUE(decode(bytes));
  std::string unknown_version = bytes;
  unknown_version[0] = 99;
  EXPECT_FALSE(decode(unknown_version));
}

TEST(Records, HeadRoundTripsAndRefusesDamage) {
  HeadRecord head;
  head.lifetime = {.ts_s = 1'750'000'000, .sequence = 42, .own_ttl = 7, .dates = {{.rule = 3, .base_ms = -1}}};
  head.number = 11;
  head.partition = 2;
  head.document_bytes = 1000;
  std::string bytes;
  EncodeHead(head, &bytes);
  HeadRecord read;
  ASSERT_TRUE(DecodeHead(bytes, &read).ok());
  EXPECT_EQ(read.lifetime.sequence, 42U);
  EXPECT_EQ(read.lifetime.own_ttl, 7);
  EXPECT_EQ(read.lifetime.dates.size(), 1U);
  EXPECT_EQ(read.number, 11U);
  EXPECT_EQ(read.partition, 2U);
  EXPECT_EQ(read.document_bytes, 1000U);
  ExpectEveryTruncationIsRefused(bytes, [](std::string_view part) {
    HeadRecord ignored;
    return DecodeHead(part, &ignored).ok();
  });
}

TEST(Records, BodyAndQueueEntryRoundTrip) {
  std::string bytes;
  EncodeBody({.lifetime = {.ts_s = 5, .sequence = 6}, .lsn = 4, .number = 9, .head_key = "key", .document = "document"},
             &bytes);
  BodyRecord body;
  ASSERT_TRUE(DecodeBody(bytes, &body).ok());
  EXPECT_EQ(body.head_key, "key");
  EXPECT_EQ(body.document, "document");
  EXPECT_EQ(body.lifetime.sequence, 6U);
  EXPECT_EQ(body.lsn, 4U);
  EXPECT_EQ(body.number, 9U);

  bytes.clear();
  EncodeQueueEntry({.lifetime = {.ts_s = 5, .sequence = 6}, .document_bytes = 8, .head_key = "key"}, &bytes);
  QueueRecord entry;
  ASSERT_TRUE(DecodeQueueEntry(bytes, &entry).ok());
  EXPECT_EQ(entry.head_key, "key");
  EXPECT_EQ(entry.document_bytes, 8U);
}

TEST(Records, CatalogRecordsRefuseDamage) {
  ContainerState state;
  state.definition.name = "name";
  state.definition.partition_key.paths = {doc::Path({"a"}), doc::Path({"b", "c"})};
  state.definition.partition_key.kind = PartitionKeyKind::kMultiHash;
  state.definition.properties = "properties";
  state.policy.default_ttl = 60;
  state.definition.indexing.paths.push_back({{"a"}, true, false});
  state.definition.lifetime_property = "ttl";
  state.history.Add({.from_ms = 2000, .policy = state.policy}, 1);
  ExpectEveryTruncationIsRefused(EncodeContainer(9, state),
                                 [](std::string_view part) { return DecodeContainer(part, nullptr).ok(); });
  PartitionPolicy policy{.revision = 3, .moment_ms = 2000, .log_since = 7, .dead = {}};
  policy.dead.Raise(ttl::kInheritRule, {.base_ms = 1000, .sequence = 5});
  ExpectEveryTruncationIsRefused(EncodePartitionPolicy(policy),
                                 [](std::string_view part) { return DecodePartitionPolicy(part).ok(); });
  EXPECT_EQ(*DecodePartitionPolicy(EncodePartitionPolicy(policy)), policy);
  PartitionTally tally;
  tally.last_sequence = 2;
  tally.last_lsn = tally.creations = tally.log_floor = 1;
  tally.stored = {2, 3};
  for (const uint32_t erasures : {0, 3}) {
    tally.erasures = erasures;
    tally.has_excluded = !tally.has_excluded;
    ExpectEveryTruncationIsRefused(EncodeTally(tally), [](std::string_view part) { return DecodeTally(part).ok(); });
    EXPECT_EQ(DecodeTally(EncodeTally(tally))->erasures, erasures);
    EXPECT_EQ(DecodeTally(EncodeTally(tally))->has_excluded, tally.has_excluded);
  }
  ExpectEveryTruncationIsRefused(EncodePartition({{1, 2}, {"", "\xFF"}, 3}),
                                 [](std::string_view part) { return DecodePartition(part).ok(); });
  DatabaseRecord database;
  database.name = "name";
  ExpectEveryTruncationIsRefused(EncodeDatabase(database),
                                 [](std::string_view part) { return DecodeDatabase(part).ok(); });
}

}  // namespace
}  // namespace lapse::engine
