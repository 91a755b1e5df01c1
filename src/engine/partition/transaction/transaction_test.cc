// What a transaction refuses to write, whatever a defect made of its tally.
#include "engine/partition/transaction/transaction.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/engine_fixture.h"
#include "engine/partition/commit/followers.h"
#include "engine/shard/partitions/moments.h"

namespace lapse::engine {
namespace {

class TransactionDeathTest : public EngineFixture {
 protected:
  // Writes a transaction of the first partition with this done to its tally.
  void WriteWith(const ContainerPtr& container, const std::function<void(PartitionTally*)>& spoil) {
    const Partition& partition = *container->partitions()[0];
    Transaction transaction(partition, container->reader_parts().cache, Followers());
    transaction.Begin(MomentOf(container->context(), partition, engine_->clock().NowMs()), partition.tally());
    spoil(&transaction.tally());
    EXPECT_TRUE(transaction.Write(store::Durability::kSync, store::Room::kOrdinary).ok());
  }
};

TEST_F(TransactionDeathTest, InvariantsThatReadersBelieveAreChecked) {
  GTEST_FLAG_SET(death_test_style, "fast");
  const ContainerPtr c = MakeContainer("c", 10);
  ASSERT_TRUE(Create(c, "1", "document").ok());
  WriteWith(c, [](PartitionTally*) {});
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { --tally->last_sequence; }), "");
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { --tally->last_lsn; }), "");
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { tally->creations = 0; }), "");
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { tally->stored.items = -1; }), "");
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { ++tally->stored.items; }), "");
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { --tally->purged.total.items; }), "");
  PassSeconds(10);
  while (engine_->SweepTurn()) continue;
  EXPECT_DEATH(WriteWith(c, [](PartitionTally* tally) { tally->purged.floors = {}; }), "");
}

}  // namespace
}  // namespace lapse::engine
