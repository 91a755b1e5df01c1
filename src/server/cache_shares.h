// How --cache-size is shared out: docs/design/item-layout.md has what was measured.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lapse::server {

struct CacheShares {
  uint64_t blocks = 0;       // of the store: what it read of its tables, and their filters
  uint64_t items = 0;        // whole items in front of them
  uint64_t known_lists = 0;  // items of a value of an index

  bool operator==(const CacheShares&) const = default;
};

// Without its filters the store is slow at everything, so blocks have half of a small cache. With those, an item is
// worth more than the block that it is in: blocks get no more until they have a quarter of a large one.
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
