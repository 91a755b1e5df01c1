#include "query/exec/paging/page_start.h"

#include <utility>

namespace lapse::query::exec {

Result<PageStart> StartOf(const PageShape& shape, const std::string& after) {
  PageStart start;
  if (after.empty()) return start;
  LAPSE_ASSIGN_OR_RETURN(PagePosition from, PagePosition::Decode(after));
  if (from.kind == PagePosition::Kind::kUnfinished) {
    if (shape.streams) return OfAnotherQuery();
    start.scan = std::move(from.scan);
    if (!start.scan->behind_row) return start;
    from.kind = PagePosition::Kind::kOrdered;
  }
  const bool keys_fit =
      from.cut.has_value() ? from.keys.size() <= shape.order.size() : from.keys.size() == shape.order.size();
  const bool fits = shape.streams ? from.kind == PagePosition::Kind::kStreamed
                                  : from.kind == PagePosition::Kind::kOrdered && keys_fit;
  if (!fits) return OfAnotherQuery();
  start.behind = std::move(from);
  return start;
}

}  // namespace lapse::query::exec
