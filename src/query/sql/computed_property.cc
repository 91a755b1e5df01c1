#include "query/sql/computed_property.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "query/functions/spatial.h"
#include "query/sql/bind.h"
#include "query/sql/function_names.h"
#include "query/sql/parse.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {
namespace {

Status Invalid(std::string_view what) {
  return {Code::kInvalidArgument, "The query of a computed property " + std::string(what)};
}

Status CheckClauses(const Query& query) {
  if (query.select != Query::Select::kValue) return Invalid("must begin with SELECT VALUE");
  if (query.sources.size() != 1) return Invalid("must have a FROM clause with one source, the container");
  const Source& source = query.sources.front();
  const bool is_container =
      source.path != nullptr && source.path->kind == ExpressionKind::kIdentifier && !source.iterates;
  if (!is_container) return Invalid("must have a FROM clause that names the container alone");
  const bool has_more = query.distinct || query.top != nullptr || query.where != nullptr || !query.group_by.empty() ||
                        !query.order_by.empty() || query.rank || query.offset != nullptr;
  return has_more ? Invalid("must not have DISTINCT, TOP, WHERE, GROUP BY, ORDER BY or OFFSET LIMIT") : Status::Ok();
}

bool IsSpatial(const Function* function) {
  namespace rows = lapse::query::functions;
  const Function* const spatial[] = {&rows::kStArea,   &rows::kStDistance, &rows::kStIntersects,
                                     &rows::kStWithin, &rows::kStIsValid,  &rows::kStIsValidDetailed};
  return std::find(std::begin(spatial), std::end(spatial), function) != std::end(spatial);
}

Status CheckCall(const Expression& e) {
  const FunctionName* const name = FindFunction(e.text);
  if (name == nullptr) return Status::Ok();  // the binder reports it
  if (name->kind == NameKind::kAggregate) return Invalid("must not have aggregates");
  if (name->kind != NameKind::kFunction) return Status::Ok();
  if (IsSpatial(name->function)) return Invalid("must not have spatial functions");
  if (!name->function->is_constant) return Invalid("must not have functions that give another value each time");
  return Status::Ok();
}

// Recursion is as deep as the tree, which the parser bounds.
Status CheckExpression(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::kSubquery:
    case ExpressionKind::kExists:
    case ExpressionKind::kArrayOf:
    case ExpressionKind::kFirst:
    case ExpressionKind::kLast:
    case ExpressionKind::kAll: return Invalid("must not have sub-queries");
    case ExpressionKind::kUdfCall: return Invalid("must not have user-defined functions");
    case ExpressionKind::kParameter: return Invalid("must not have parameters");
    case ExpressionKind::kCall: LAPSE_RETURN_IF_ERROR(CheckCall(e)); break;
    default: break;
  }
  for (const Expression* child : e.children) LAPSE_RETURN_IF_ERROR(CheckExpression(*child));
  return Status::Ok();
}

}  // namespace

Result<plan::Plan> PlanComputedProperty(std::string_view text) {
  LAPSE_ASSIGN_OR_RETURN(const SyntaxTree tree, Parse(text));
  LAPSE_RETURN_IF_ERROR(CheckClauses(tree.query()));
  LAPSE_RETURN_IF_ERROR(CheckExpression(*tree.query().items.front().expression));
  return Bind(tree, {});
}

}  // namespace lapse::query::sql
