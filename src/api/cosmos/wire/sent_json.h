// A client's JSON as it was written, for errors that quote it: once parsed, 1.50 is 1.5.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::api::cosmos {

// A value is quoted up to this length; what a client sent instead of a number may be a megabyte long.
constexpr size_t kQuotedBytesMax = 100;

// The text of the value of that member of the outermost object; empty when it is not found, which includes names that
// are written with escapes. `json` should have passed the parser; what has not gives some part of it, or nothing.
std::string_view SentMember(std::string_view json, std::string_view name);

// The same for a text that quotes it: cut where it is long, and `value` as it was understood when it is not found.
std::string QuotedMember(std::string_view json, std::string_view name, doc::Value value);

// The text, cut where it is long, for an error that quotes it.
std::string Shortened(std::string text);

}  // namespace lapse::api::cosmos
