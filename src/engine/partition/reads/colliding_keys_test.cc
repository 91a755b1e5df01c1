// A partition key is its value, not its hash. If two logical partitions have the same effective key, operations on one
// neither read, overwrite, list nor delete the items of the other.
#include "engine/records/partition_key/colliding_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/records/items/test_key.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<PartitionKeyComponent>;

struct Case {
  PartitionKeyDefinition definition;
  Values one;
  Values other;
};

std::map<std::string, Case> FindCases() {
  const auto [v1_one, v1_other] = CollidingTextsV1();
  const auto [v2_one, v2_other] = CollidingTextsV2();
  const std::vector<doc::Path> levels = {doc::Path({"a"}), doc::Path({"b"})};
  return {
      {"v1", {{{doc::Path({"pk"})}, PartitionKeyKind::kHash, 1}, {Text(v1_one)}, {Text(v1_other)}}},
      {"v2", {{{doc::Path({"pk"})}, PartitionKeyKind::kHash, 2}, {Text(v2_one)}, {Text(v2_other)}}},
      {"level1", {{levels, PartitionKeyKind::kMultiHash, 2}, {Text(v2_one), Text("x")}, {Text(v2_other), Text("x")}}},
      {"level2", {{levels, PartitionKeyKind::kMultiHash, 2}, {Text("x"), Text(v2_one)}, {Text("x"), Text(v2_other)}}},
  };
}

// Found on demand: the search for collisions takes seconds.
const Case& CaseOf(const std::string& name) {
  static const std::map<std::string, Case> kCases = FindCases();
  return kCases.at(name);
}

class CollidingKeysTest : public EngineFixture, public ::testing::WithParamInterface<std::string> {
 protected:
  CollidingKeysTest() {
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key = CaseOf(GetParam()).definition;
    definition.default_ttl = -1;
    definition.change_log_retention_s = 3600;
    container_ = *engine_->catalog_store().CreateContainer("db", definition);
    one_ = LogicalKeyOf(CaseOf(GetParam()).definition, CaseOf(GetParam()).one);
    other_ = LogicalKeyOf(CaseOf(GetParam()).definition, CaseOf(GetParam()).other);
  }

  Status Put(ItemWrite::Kind kind, const LogicalKey& key, std::string document,
             std::optional<int32_t> own_ttl = std::nullopt) {
    ItemWrite write;
    write.kind = kind;
    write.address = {key, StringItemId("id")};
    write.document = std::move(document);
    write.own_ttl = own_ttl;
    return Write(container_, std::move(write)).status();
  }

  std::string Get(const LogicalKey& key) {
    auto item = container_->Read({key, StringItemId("id")});
    return item.ok() ? std::string(item->document) : std::string(CodeName(item.status().code()));
  }

  std::vector<std::string> FeedOf(const LogicalKey& key) {
    FeedOptions options;
    options.scope.exact = key;
    return Feed(container_, options);
  }

  std::vector<std::string> ChangesOf(const LogicalKey& key) {
    ChangesOptions options;
    options.scope.exact = key;
    std::vector<std::string> documents;
    EXPECT_TRUE(container_->ReadChanges(options, Collect(&documents)).ok());
    return documents;
  }

  ContainerPtr container_;
  LogicalKey one_;
  LogicalKey other_;
};

TEST_P(CollidingKeysTest, TheEffectiveKeysAreEqual) {
  EXPECT_EQ(one_.epk, other_.epk);
  EXPECT_NE(one_.value, other_.value);
}

TEST_P(CollidingKeysTest, AreTwoLogicalPartitions) {
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, one_, "one").ok());
  EXPECT_EQ(Get(other_), "not found");
  EXPECT_EQ(Put(ItemWrite::Kind::kReplace, other_, "no").code(), Code::kNotFound);
  EXPECT_EQ(Put(ItemWrite::Kind::kDelete, other_, "").code(), Code::kNotFound);
  EXPECT_THAT(FeedOf(other_), ElementsAre());
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, other_, "other").ok());
  ASSERT_TRUE(Put(ItemWrite::Kind::kUpsert, other_, "other 2").ok());
  EXPECT_EQ(Get(one_), "one");
  EXPECT_EQ(Get(other_), "other 2");
  EXPECT_THAT(FeedOf(one_), ElementsAre("one"));
  EXPECT_THAT(FeedOf(other_), ElementsAre("other 2"));
  EXPECT_THAT(ChangesOf(one_), ElementsAre("one"));
  EXPECT_THAT(ChangesOf(other_), ElementsAre("other 2"));
  EXPECT_THAT(Feed(container_), ElementsAre("one", "other 2"));
  ASSERT_TRUE(Put(ItemWrite::Kind::kDelete, one_, "").ok());
  EXPECT_EQ(Get(one_), "not found");
  EXPECT_EQ(Get(other_), "other 2");
  EXPECT_THAT(FeedOf(other_), ElementsAre("other 2"));
}

TEST_P(CollidingKeysTest, ExpireEachForItself) {
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, one_, "one", 10).ok());
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, other_, "other", 20).ok());
  PassSeconds(10);
  EXPECT_EQ(Get(one_), "not found");
  EXPECT_EQ(Get(other_), "other");
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, one_, "again").ok());
  EXPECT_THAT(FeedOf(other_), ElementsAre("other"));
  PassSeconds(10);
  EXPECT_THAT(Feed(container_), ElementsAre("again"));
}

TEST_P(CollidingKeysTest, APrefixOfAHierarchicalKeyListsOnlyItsOwn) {
  const Case& keys = CaseOf(GetParam());
  if (keys.definition.kind != PartitionKeyKind::kMultiHash) return;
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, one_, "one").ok());
  ASSERT_TRUE(Put(ItemWrite::Kind::kCreate, other_, "other").ok());
  FeedOptions options;
  const std::span<const PartitionKeyComponent> first(keys.one.data(), 1);
  options.scope.range = PrefixRange(keys.definition, first);
  options.scope.value_prefix = EncodeKeyValue(first);
  if (keys.one.front() == keys.other.front()) {
    EXPECT_THAT(Feed(container_, options), ::testing::UnorderedElementsAre("one", "other"));
  } else {
    EXPECT_THAT(Feed(container_, options), ElementsAre("one"));
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, CollidingKeysTest, ::testing::Values("v1", "v2", "level1", "level2"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace lapse::engine
