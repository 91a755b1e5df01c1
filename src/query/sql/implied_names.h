// The names that parts of a query have implicitly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/syntax.h"

namespace lapse::query::sql {

// Returns the property names of a list of items: an alias, the last name of a path, or $1, $2, ... for the others.
std::vector<std::string> NamesOfItems(const Query& query);

// Returns the name by which the rest of the query refers to a source: its alias, or the last name of its path. Some
// sources have none.
std::optional<std::string_view> NameOfSource(const Source& source);

}  // namespace lapse::query::sql
