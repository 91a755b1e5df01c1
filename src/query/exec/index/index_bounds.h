// Encodes values and value ranges as the bytes of index entries (engine/index/index_value.h).
#pragma once

#include <string>

#include "query/plan/value_range.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Appends the entry bytes of this value. Returns false if they do not determine the value: entries of other values may
// have the same bytes.
bool PutEntryValue(Value value, std::string* bytes);

struct EntryBounds {
  std::string lower;  // inclusive
  std::string upper;  // exclusive
  bool exact = true;  // every entry between the bounds has a value in the range
};

// Returns bounds that enclose all entries of values in the range.
EntryBounds BoundsOf(const plan::ValueRange& range);

}  // namespace lapse::query::exec
