// The keys of a row in a continuation: whole, or cut where they are long, since a continuation is a header.
#pragma once

#include <compare>
#include <span>

#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// The same for keys that are the same.
KeysHash HashOfKeys(std::span<const Value> keys);

// Puts the keys into the position: as they are, or cut if they take more than 2.6 KB. What is cut looks at the same
// bytes.
void SetKeys(std::span<const Value> keys, PagePosition* position);

// How a row with these keys stands to the row of a position that is cut. Unordered: what was kept does not tell.
std::partial_ordering CompareToCut(const PageShape& shape, std::span<const Value> keys, const PagePosition& position);

}  // namespace lapse::query::exec
