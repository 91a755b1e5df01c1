// The names that parts of a query have without saying so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/syntax.h"

namespace lapse::query::sql {

// The names of the properties that a list of items becomes: alias, last name of a path, or $1, $2, ... for the others.
std::vector<std::string> NamesOfItems(const Query& query);

// What the rest of the query calls a source: its alias, or the last name of its path. Some have no name.
std::optional<std::string_view> NameOfSource(const Source& source);

}  // namespace lapse::query::sql
