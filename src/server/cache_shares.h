// Divides --cache-size among the caches. docs/design/item-layout.md has the measurements.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lapse::server {

struct CacheShares {
  uint64_t blocks = 0;       // the store's cache: blocks of its tables, and their filters
  uint64_t items = 0;        // whole items, which are looked up before blocks
  uint64_t known_lists = 0;  // lists of the items that have a value in an index

  bool operator==(const CacheShares&) const = default;
};

// Without its filters the store is slow at everything, so blocks get half of a small cache. Once the filters fit, an
// item is worth more than its block: the share of the blocks stays constant until it is a quarter of a large cache.
constexpr CacheShares ShareCache(uint64_t bytes) {
  constexpr uint64_t kBlocksFirst_bytes = 512ull << 20;
  constexpr uint64_t kKnownListsDivisor = 16;
  CacheShares shares;
  shares.blocks = std::max(bytes / 4, std::min(bytes / 2, kBlocksFirst_bytes));
  shares.known_lists = bytes / kKnownListsDivisor;
  shares.items = bytes - shares.blocks - shares.known_lists;
  return shares;
}

}  // namespace lapse::server
