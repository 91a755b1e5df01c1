// The limit on the size of a logical partition: which writes are refused, and what frees space again.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/partition/erasure/erasure_fixture.h"

namespace lapse::engine {
namespace {

using Kind = ItemWrite::Kind;

constexpr int64_t kLimit = 1000;

class KeySizesTest : public ErasureFixture {
 protected:
  KeySizesTest() { RestartWith(kLimit); }

  void RestartWith(int64_t limit) {
    logical_partition_bytes_max_ = limit;
    Restart();
  }

  static std::string Bytes(size_t count) { return std::string(count, 'x'); }
  static Code CreateOf(const ContainerPtr& container, std::string_view pk, std::string_view id, size_t bytes,
                       std::optional<int32_t> own_ttl = std::nullopt) {
    return CreateIn(container, pk, id, Bytes(bytes), own_ttl).status().code();
  }
  static Code PutOf(const ContainerPtr& container, Kind kind, std::string_view id, size_t bytes) {
    return PutIn(container, "a", kind, id, Bytes(bytes)).status().code();
  }
  static ItemWrite Operation(const ContainerPtr& container, Kind kind, std::string_view id, size_t bytes) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "a", id);
    write.document = Bytes(bytes);
    return write;
  }
  static AtomicOutcome WriteAll(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    AtomicOutcome outcome;
    container->WriteAtomically(std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); });
    return outcome;
  }
};

TEST_F(KeySizesTest, AKeyMayHoldAsMuchAsTheLimitAndNotAByteMore) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  EXPECT_EQ(CreateOf(c, "a", "1", 600), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "2", 401), Code::kPartitionKeyFull);
  EXPECT_EQ(ReadIn(c, "a", "2"), CodeName(Code::kNotFound));
  EXPECT_EQ(CreateOf(c, "a", "2", 400), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "3", 1), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "b", "3", 1000), Code::kOk) << "another key has its own limit";
  EXPECT_EQ(*Census(*c).Live(), (Count{3, 2000}));
}

TEST_F(KeySizesTest, TheRefusalNamesTheLimit) {
  for (const auto& [limit, text] :
       std::vector<std::pair<int64_t, std::string>>{{kLimit, "Partition key reached maximum size of 1000 bytes"},
                                                    {3 << 10, "Partition key reached maximum size of 3 KB"}}) {
    RestartWith(limit);
    ContainerPtr c = MakeContainer(text, std::nullopt);
    EXPECT_EQ(CreateIn(c, "a", "1", Bytes(limit + 1)).status().message(), text);
  }
}

TEST_F(KeySizesTest, OnlyWritesThatGrowAreRefused) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 500), Code::kOk);
  ASSERT_EQ(CreateOf(c, "a", "2", 500), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "1", 501), Code::kPartitionKeyFull);
  EXPECT_EQ(PutOf(c, Kind::kUpsert, "1", 501), Code::kPartitionKeyFull);
  EXPECT_EQ(PutOf(c, Kind::kUpsert, "3", 1), Code::kPartitionKeyFull);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "1", 500), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kUpsert, "1", 499), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "3", 1), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kDelete, "2", 0), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "4", 500), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "5", 1), Code::kPartitionKeyFull);
}

TEST_F(KeySizesTest, AKeyThatIsBeyondALowerLimitMayShrink) {
  RestartWith(0);
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 5000), Code::kOk) << "there is no limit";
  RestartWith(kLimit);
  c = Find("c");
  EXPECT_EQ(CreateOf(c, "a", "2", 1), Code::kPartitionKeyFull);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "1", 4999), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "1", 5000), Code::kPartitionKeyFull);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "1", 10), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "2", 990), Code::kOk);
}

TEST_F(KeySizesTest, ARestartForgetsNothing) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 990), Code::kOk);
  Restart();
  c = Find("c");
  EXPECT_EQ(CreateOf(c, "a", "2", 11), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "2", 10), Code::kOk);
}

TEST_F(KeySizesTest, ABatchIsJudgedOperationByOperation) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 600), Code::kOk);
  const std::vector<std::string> before = Contents();
  const AtomicOutcome full = WriteAll(c, {Operation(c, Kind::kCreate, "2", 300), Operation(c, Kind::kCreate, "3", 101),
                                          Operation(c, Kind::kDelete, "1", 0)});
  EXPECT_EQ(full.status.code(), Code::kPartitionKeyFull);
  EXPECT_EQ(full.failed_at, 1U);
  EXPECT_EQ(Contents(), before);
  // Rolled-back operations do not count.
  EXPECT_TRUE(WriteAll(c, {Operation(c, Kind::kDelete, "1", 0), Operation(c, Kind::kCreate, "2", 999)}).status.ok());
  EXPECT_EQ(CreateOf(c, "a", "3", 2), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "3", 1), Code::kOk);
}

TEST_F(KeySizesTest, WhatHasExpiredMakesRoomOnceItIsPurged) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_EQ(CreateOf(c, "a", "1", 500, 10), Code::kOk);
  ASSERT_EQ(CreateOf(c, "a", "2", 400), Code::kOk);
  ASSERT_EQ(CreateOf(c, "a", "3", 101), Code::kPartitionKeyFull);
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(CreateOf(c, "a", "3", 601), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "3", 600), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "4", 1), Code::kPartitionKeyFull);
}

TEST_F(KeySizesTest, AnExpiredItemMakesRoomForTheOneThatTakesItsPlace) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_EQ(CreateOf(c, "a", "1", 1000, 10), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kUpsert, "1", 1001), Code::kPartitionKeyFull);
  PassSeconds(10);
  EXPECT_EQ(CreateOf(c, "a", "1", 1001), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "1", 1000), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "2", 1), Code::kPartitionKeyFull);
}

TEST_F(KeySizesTest, AKeyThatWasDeletedAsAWholeIsEmptyAtOnce) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 1000), Code::kOk);
  ASSERT_EQ(CreateOf(c, "a", "2", 1), Code::kPartitionKeyFull);
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(CreateOf(c, "a", "2", 600), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "3", 401), Code::kPartitionKeyFull);
  // Removing the deleted items subtracts nothing from later ones.
  SweepAll();
  EXPECT_EQ(CreateOf(c, "a", "3", 401), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "1", 400), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "3", 1), Code::kPartitionKeyFull);
}

TEST_F(KeySizesTest, AWriteOverAnErasedItemCountsOnce) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 1000), Code::kOk);
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(CreateOf(c, "a", "1", 1000), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "2", 1), Code::kPartitionKeyFull);
}

// A key with more heads than are walked before one commit. Writes continue meanwhile, and the count includes them.
TEST_F(KeySizesTest, ALargeKeyIsCountedWhileItIsWrittenTo) {
  constexpr int kItems = 40'000;
  RestartWith(0);
  ContainerPtr c = MakeContainer("c", std::nullopt);
  for (int i = 0; i < kItems; ++i) ASSERT_EQ(CreateOf(c, "a", "m" + std::to_string(i), 1), Code::kOk);
  RestartWith(kItems + 100);
  c = Find("c");
  // One item before the walked part, one behind it, one deleted, and one that grows.
  EXPECT_EQ(CreateOf(c, "a", "a", 30), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "z", 30), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kDelete, "m0", 0), Code::kOk);
  EXPECT_EQ(PutOf(c, Kind::kReplace, "m39999", 11), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "b", 1), Code::kOk);
  // 30 + 30 - 1 + 10 + 1 of 100 are used.
  EXPECT_EQ(CreateOf(c, "a", "y", 31), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "a", "y", 30), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "x", 1), Code::kPartitionKeyFull);
}

TEST_F(KeySizesTest, ManyKeysAreNoReasonToRefuseOrToForgetAFullOne) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_EQ(CreateOf(c, "a", "1", 1000), Code::kOk);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(CreateOf(c, "key" + std::to_string(i), "1", 10), Code::kOk);
  EXPECT_EQ(CreateOf(c, "a", "2", 1), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "key0", "2", 991), Code::kPartitionKeyFull);
  EXPECT_EQ(CreateOf(c, "key0", "2", 990), Code::kOk);
}

TEST_F(KeySizesTest, TheLimitIsOnTheWholeHierarchicalKey) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
  ContainerDefinition definition;
  definition.name = "c";
  definition.partition_key = {.paths = {doc::Path({"a"}), doc::Path({"b"})}, .kind = PartitionKeyKind::kMultiHash};
  ContainerPtr c = *engine_->catalog_store().CreateContainer("db", definition);
  auto create = [&](const char* second, const char* id, size_t bytes) {
    const std::vector<PartitionKeyComponent> key = {PartitionKeyComponent::String("t"),
                                                    PartitionKeyComponent::String(second)};
    ItemWrite write;
    write.address = {LogicalKeyOf(c->partition_key(), key), StringItemId(id)};
    write.document = Bytes(bytes);
    return Write(c, std::move(write)).status().code();
  };
  EXPECT_EQ(create("x", "1", 1000), Code::kOk);
  EXPECT_EQ(create("y", "1", 1000), Code::kOk);
  EXPECT_EQ(create("x", "2", 1), Code::kPartitionKeyFull);
}

}  // namespace
}  // namespace lapse::engine
