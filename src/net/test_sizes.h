// For tests: how much is sent and held.
#pragma once

#include <cstddef>

namespace lapse::net {

inline constexpr size_t kMb = 1 << 20;
inline constexpr size_t kLongAnswerBytes = 32 * kMb;  // more than the kernel's buffers take

}  // namespace lapse::net
