// Prefetches bytes that are needed soon, so that loading them overlaps with other work.
#pragma once

#include <cstddef>

namespace lapse {

inline void FetchAhead(const char* bytes, size_t count) {
  constexpr size_t kCacheLineBytes = 64;
  for (size_t at = 0; at < count; at += kCacheLineBytes) __builtin_prefetch(bytes + at);
}

}  // namespace lapse
