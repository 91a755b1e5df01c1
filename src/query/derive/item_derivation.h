// What indexes hold of items beside the values of their documents: the values of computed properties, and the cells
// that geometries lie in. Implements the engine's rules for both (docs/design/index.md, "Derived values").
#pragma once

#include <string>
#include <string_view>

#include "engine/records/index/derivation.h"
#include "query/plan/plan.h"

namespace lapse::query {

// Passed to the engine when it starts.
const engine::Derivation& ItemDerivation();

// Returns the rule for the value of a computed property with this query, which must read the document alone.
std::string RuleOfComputed(std::string_view query);
bool IsRuleOfComputed(std::string_view rule, std::string_view query);
// Whether the value is the same for each item with the same document, which means that it uses no added property.
// `is_added` tells whether a name is that of an added property.
bool LooksAtDocumentAlone(const plan::Plan& computed, bool (*is_added)(std::string_view name));

}  // namespace lapse::query
