// Items that expired soon after they were written are in the log and in write buffers, where no compaction reaches
// them.
#include "engine/catalog/counts/census.h"
#include "store/shard.h"
#include "tests/expiry/rocks_engine_fixture.h"

namespace lapse::expiry {
namespace {

class LogSpaceTest : public RocksEngineFixture {
 protected:
  void Load(const std::string& prefix, int items, std::optional<int32_t> own_ttl) {
    for (int i = 0; i < items; ++i) {
      Put(ItemWrite::Kind::kCreate, prefix + std::to_string(i), std::string(kMegabyte / 8, 'x'), own_ttl);
    }
  }
};

TEST_F(LogSpaceTest, ComesBackWhenNothingElseHappens) {
  Load("dies", 80, 5);
  Load("lives", 3, -1);
  ASSERT_GT(shard_->Stats().buffered_bytes, 5 * kMegabyte);
  PassSeconds(5);
  ReclaimAll();
  const store::ShardStats stats = shard_->Stats();
  EXPECT_LT(stats.buffered_bytes, kMegabyte / 10);
  EXPECT_LT(stats.table_bytes, kMegabyte / 2) << "what is dead is not moved to tables";
  EXPECT_EQ(Feed().size(), 3U);
  Close();
  Open();
  EXPECT_EQ(Feed().size(), 3U);
  EXPECT_EQ(engine::Census(*Container()).Live()->items, 3);
}

TEST_F(LogSpaceTest, WithoutAPurgeTheLogIsLeftAlone) {
  Load("lives", 80, -1);
  const uint64_t before = shard_->Stats().buffered_bytes;
  ReclaimAll();
  EXPECT_EQ(shard_->Stats().buffered_bytes, before);
}

// An early flush makes a small table, which later compactions pay for.
TEST_F(LogSpaceTest, WhileItemsArePurgedASmallLogIsLeftAlone) {
  Load("dies", 80, 5);
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_GT(shard_->Stats().buffered_bytes, 5 * kMegabyte);
  Load("dies too", 320, 5);
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_LT(shard_->Stats().buffered_bytes, kMegabyte);
}

}  // namespace
}  // namespace lapse::expiry
