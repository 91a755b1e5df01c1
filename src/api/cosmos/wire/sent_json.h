// A client's JSON as it was written, for errors that quote it: once parsed, 1.50 is 1.5.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::api::cosmos {

// A quoted value is cut to this length: a client may send a megabyte instead of a number.
constexpr size_t kQuotedBytesMax = 100;

// Returns the text of that member's value in the outermost object. Returns an empty text if it is not found, which
// includes names written with escapes. `json` should have passed the parser; otherwise the result is some part of it,
// or nothing.
std::string_view SentMember(std::string_view json, std::string_view name);

// The same for quoting: cuts long text, and uses `value` as parsed if the member is not found.
std::string QuotedMember(std::string_view json, std::string_view name, doc::Value value);

// Cuts a long text for an error that quotes it.
std::string Shortened(std::string text);

}  // namespace lapse::api::cosmos
