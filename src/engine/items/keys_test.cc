#include "engine/items/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/catalog/catalog_records.h"
#include "engine/commit/partition_tally.h"
#include "engine/items/records.h"

namespace lapse::engine {
namespace {

using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls): the check does not see literals

TEST(Keys, HeadKeysSortByEffectivePartitionKeyThenId) {
  std::vector<ItemAddress> addresses = {{"", "a"},          {"\x00"s, "a"},  {"\x00\x00"s, "z"}, {"\x00\x01"s, "a"},
                                        {"\x00\xFF"s, "a"}, {"\x01", "a"},   {"\x01", "ab"},     {"\x01", "b"},
                                        {"\x01\x00"s, "a"}, {"\x3F\xFF", ""}};
  std::vector<std::string> keys;
  for (const ItemAddress& address : addresses) keys.push_back(HeadKey(7, address));
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  for (size_t i = 0; i < keys.size(); ++i) {
    std::string epk;
    ASSERT_TRUE(EpkOfHeadKey(keys[i], &epk));
    EXPECT_EQ(epk, addresses[i].epk);
    EXPECT_TRUE(keys[i].starts_with(EpkPrefix(7, epk)));
    EXPECT_GE(keys[i], EpkBound(7, epk));
  }
}

TEST(Keys, APrefixOfOneKeyIsNotThePrefixOfAnother) {
  EXPECT_FALSE(HeadKey(7, {"\x01\x02", "a"}).starts_with(EpkPrefix(7, "\x01")));
  EXPECT_FALSE(HeadKey(7, {"\x01\x00\x00"s, "a"}).starts_with(EpkPrefix(7, "\x01")));
}

TEST(Keys, PrefixEndIsAboveEveryKeyWithThePrefix) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xFF"), "b");
  EXPECT_EQ(PrefixEnd("\xFF\xFF"), "");
}

TEST(Keys, QueueKeysSortByRuleThenBaseThenLsn) {
  std::vector<std::string> keys = {QueueKey(1, 0, 1, -5, 9), QueueKey(1, 0, 1, 0, 1),  QueueKey(1, 0, 1, 5, 1),
                                   QueueKey(1, 0, 1, 5, 2),  QueueKey(1, 0, 2, -9, 1), QueueKey(1, 1, 1, -9, 1)};
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST(Keys, InheritingBodiesLieApartFromThoseWithALifetimeOfTheirOwn) {
  ttl::Lifetime inheriting;
  inheriting.lsn = 100;
  ttl::Lifetime own = inheriting;
  own.lsn = 1;
  own.own_ttl = -1;
  EXPECT_LT(BodyKey(1, 0, inheriting), BodyKey(1, 0, own));
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
  head.lifetime = {.ts_s = 1'750'000'000, .lsn = 42, .own_ttl = 7, .dates = {{.rule = 3, .base_ms = -1}}};
  head.rid = 11;
  head.stream = 2;
  head.document_bytes = 1000;
  std::string bytes;
  EncodeHead(head, &bytes);
  HeadRecord read;
  ASSERT_TRUE(DecodeHead(bytes, &read).ok());
  EXPECT_EQ(read.lifetime.lsn, 42U);
  EXPECT_EQ(read.lifetime.own_ttl, 7);
  EXPECT_EQ(read.lifetime.dates.size(), 1U);
  EXPECT_EQ(read.rid, 11U);
  EXPECT_EQ(read.stream, 2U);
  EXPECT_EQ(read.document_bytes, 1000U);
  ExpectEveryTruncationIsRefused(bytes, [](std::string_view part) {
    HeadRecord ignored;
    return DecodeHead(part, &ignored).ok();
  });
}

TEST(Records, BodyAndQueueEntryRoundTrip) {
  std::string bytes;
  EncodeBody({.lifetime = {.ts_s = 5, .lsn = 6}, .head_key = "key", .document = "document"}, &bytes);
  BodyRecord body;
  ASSERT_TRUE(DecodeBody(bytes, &body).ok());
  EXPECT_EQ(body.head_key, "key");
  EXPECT_EQ(body.document, "document");
  EXPECT_EQ(body.lifetime.lsn, 6U);

  bytes.clear();
  EncodeQueueEntry({.lifetime = {.ts_s = 5, .lsn = 6}, .document_bytes = 8, .head_key = "key"}, &bytes);
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
  state.dead.Raise(ttl::kInheritRule, {.base_ms = 1000, .lsn = 5});
  state.history.Add(2000, 60);
  ExpectEveryTruncationIsRefused(EncodeContainer(9, state),
                                 [](std::string_view part) { return DecodeContainer(part).ok(); });
  ExpectEveryTruncationIsRefused(EncodeTally({.last_lsn = 1, .stored = {2, 3}, .purged = {}, .log_floor = 1}),
                                 [](std::string_view part) { return DecodeTally(part).ok(); });
  ExpectEveryTruncationIsRefused(EncodePartition({"", "\xFF"}),
                                 [](std::string_view part) { return DecodePartition(part).ok(); });
  Database database;
  database.name = "name";
  ExpectEveryTruncationIsRefused(EncodeDatabase(database),
                                 [](std::string_view part) { return DecodeDatabase(part).ok(); });
}

// The first version ended a database, and went on with the policy of a container, where the changes are now.
TEST(Records, CatalogRecordsOfTheFirstVersionAreRead) {
  constexpr size_t kChanges_bytes = 8 + 8 + 4;
  auto first_version = [](std::string bytes, size_t after_changes) {
    bytes[0] = 1;
    return bytes.erase(bytes.size() - after_changes - kChanges_bytes, kChanges_bytes);
  };
  const ThroughputChanges none{.revision = 1, .last_s = 77, .ru_most = 400};
  Database database;
  database.name = "name";
  database.ts_s = 77;
  database.throughput = 400;
  Result<Database> old_database = DecodeDatabase(first_version(EncodeDatabase(database), 0));
  ASSERT_TRUE(old_database.ok());
  EXPECT_EQ(old_database->throughput_changes, none);

  ContainerState state;
  state.definition.partition_key.paths = {doc::Path({"a"})};
  state.definition.throughput = 400;
  state.ts_s = 77;
  state.policy.default_ttl = 60;
  std::string rest;
  state.policy.Encode(&rest);
  state.dead.Encode(&rest);
  state.history.Encode(&rest);
  Result<ContainerRecord> old = DecodeContainer(first_version(EncodeContainer(9, state), rest.size()));
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(old->state.throughput_changes, none);
  EXPECT_EQ(old->state.policy.default_ttl, 60);
}

}  // namespace
}  // namespace lapse::engine
