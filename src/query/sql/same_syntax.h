// Whether two trees say the same, wherever in a text they stand.
#pragma once

#include "query/sql/syntax.h"

namespace lapse::query::sql {

bool SameSyntax(const Query& a, const Query& b);
bool SameSyntax(const Expression& a, const Expression& b);

}  // namespace lapse::query::sql
