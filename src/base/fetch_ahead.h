// For bytes that are looked at soon: they come from memory while something else is done.
#pragma once

#include <cstddef>

namespace lapse {

inline void FetchAhead(const char* bytes, size_t count) {
  constexpr size_t kCacheLineBytes = 64;
  for (size_t at = 0; at < count; at += kCacheLineBytes) __builtin_prefetch(bytes + at);
}

}  // namespace lapse
