// For tests: sizes of messages and buffers.
#pragma once

#include <cstddef>

namespace lapse::net {

inline constexpr size_t kMb = 1 << 20;
inline constexpr size_t kLongAnswerBytes = 32 * kMb;  // more than the kernel's buffers hold

}  // namespace lapse::net
