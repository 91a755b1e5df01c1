// Encodes values as bytes, for positions that go to clients and for unfinished pages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Returns a BSON array with an object `{"k": value}` for each value. The object is empty for undefined.
std::string EncodeValues(std::span<const Value> values);
// The least number of bytes that any value takes.
constexpr size_t kValueBytesMin = 8;
// Whether the encoding is certain to exceed this size. Cheap, however large the values are.
bool TakesMoreThan(size_t bytes_max, std::span<const Value> values);
// Values point into `bytes`. Fails: kInvalidArgument for malformed bytes; sizes claimed in them cause no allocation.
Result<std::vector<Value>> DecodeValues(std::string_view bytes);

}  // namespace lapse::query::exec
