// The keys of a row in a continuation. Long keys are cut, since a continuation travels in a header.
#pragma once

#include <compare>
#include <span>

#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Equal keys have equal hashes.
KeysHash HashOfKeys(std::span<const Value> keys);

// Puts the keys into the position, and cuts them if they take more than 2.6 KB. Cut keys point into the bytes of the
// originals.
void SetKeys(std::span<const Value> keys, PagePosition* position);

// Compares a row with these keys to the row of a cut position. Returns unordered if the kept part does not decide.
std::partial_ordering CompareToCut(const PageShape& shape, std::span<const Value> keys, const PagePosition& position);

}  // namespace lapse::query::exec
