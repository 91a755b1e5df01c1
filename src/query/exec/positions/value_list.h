// Values as bytes: for positions that go to clients, and for pages that are not finished.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// A BSON array with an object `{"k": value}` for each value, which is empty for undefined.
std::string EncodeValues(std::span<const Value> values);
// What any value takes at least.
constexpr size_t kValueBytesMin = 8;
// Whether that is sure to take more bytes than this. Costs little, however much it is.
bool TakesMoreThan(size_t bytes_max, std::span<const Value> values);
// They look at `bytes`. Fails: kInvalidArgument for bytes that no values give; nothing is allocated for what they say.
Result<std::vector<Value>> DecodeValues(std::string_view bytes);

}  // namespace lapse::query::exec
