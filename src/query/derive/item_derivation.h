// What indexes have of items beside the values of their documents: the values of computed properties, and the cells
// that geometries lie in. Implements the engine's rules for it (docs/design/index.md, "Derived values").
#pragma once

#include <string>
#include <string_view>

#include "engine/records/index/derivation.h"
#include "query/plan/plan.h"

namespace lapse::query {

// Handed to the engine at its start.
const engine::Derivation& ItemDerivation();

// The rule for the value of a computed property with this query, which must look at the document alone.
std::string RuleOfComputed(std::string_view query);
bool IsRuleOfComputed(std::string_view rule, std::string_view query);
// Whether the value is the same for each item with the same document: it is made of properties that are not added.
// `is_added` says of a name whether it is that of an added one.
bool LooksAtDocumentAlone(const plan::Plan& computed, bool (*is_added)(std::string_view name));

}  // namespace lapse::query
