// Sizes of the fixed-size parts of BSON.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapse::doc {

constexpr size_t kLengthSize = sizeof(int32_t);
constexpr size_t kObjectIdSize = 12;
constexpr size_t kDecimal128Size = 16;

}  // namespace lapse::doc
