// Whether two trees are equal, ignoring their positions in the text.
#pragma once

#include "query/sql/syntax.h"

namespace lapse::query::sql {

bool SameSyntax(const Query& a, const Query& b);
bool SameSyntax(const Expression& a, const Expression& b);

}  // namespace lapse::query::sql
