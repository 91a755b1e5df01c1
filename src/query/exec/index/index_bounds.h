// Values and ranges of values as the bytes that entries of an index have (engine/index/index_value.h).
#pragma once

#include <string>

#include "query/plan/value_range.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// The bytes of an entry for this value. False: they do not tell all of it; entries of other values may have the same.
bool PutEntryValue(Value value, std::string* bytes);

struct EntryBounds {
  std::string lower;  // inclusive
  std::string upper;  // exclusive
  bool exact = true;  // every entry between them is of a value in the range
};

// All entries of values in the range are between these.
EntryBounds BoundsOf(const plan::ValueRange& range);

}  // namespace lapse::query::exec
