#include "server/cache_shares.h"

#include <gtest/gtest.h>

namespace lapse::server {
namespace {

constexpr uint64_t kMega = 1 << 20;

TEST(CacheSharesTest, ASmallCacheIsHalfBlocks) {
  EXPECT_EQ(ShareCache(256 * kMega), (CacheShares{128 * kMega, 112 * kMega, 16 * kMega}));
  EXPECT_EQ(ShareCache(1024 * kMega), (CacheShares{512 * kMega, 448 * kMega, 64 * kMega}));
}

TEST(CacheSharesTest, BeyondThatBlocksHaveWhatTheyNeedAndItemsTheRest) {
  EXPECT_EQ(ShareCache(2048 * kMega), (CacheShares{512 * kMega, 1408 * kMega, 128 * kMega}));
  EXPECT_EQ(ShareCache(8192 * kMega), (CacheShares{2048 * kMega, 5632 * kMega, 512 * kMega}));
}

TEST(CacheSharesTest, AllOfItIsShared) {
  for (uint64_t bytes = kMega; bytes < (uint64_t{1} << 40); bytes = bytes * 3 / 2 + 7) {
    const CacheShares shares = ShareCache(bytes);
    EXPECT_EQ(shares.blocks + shares.items + shares.known_lists, bytes);
    EXPECT_GE(shares.blocks, bytes / 4);
    EXPECT_GE(shares.items, bytes / 4);
  }
}

}  // namespace
}  // namespace lapse::server
