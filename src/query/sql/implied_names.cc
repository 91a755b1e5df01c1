#include "query/sql/implied_names.h"

namespace lapse::query::sql {
namespace {

// A path that ends in a number has no last name, and neither has any other expression.
std::optional<std::string_view> LastName(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::kIdentifier:
    case ExpressionKind::kProperty: return e.text;
    case ExpressionKind::kIndex:
      if (e.children[1]->kind == ExpressionKind::kString) return e.children[1]->text;
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> NamesOfItems(const Query& query) {
  std::vector<std::string> names;
  names.reserve(query.items.size());
  int nameless = 0;
  for (const SelectItem& item : query.items) {
    const std::optional<std::string_view> name = item.has_alias ? item.alias : LastName(*item.expression);
    names.push_back(name ? std::string(*name) : "$" + std::to_string(++nameless));
  }
  return names;
}

std::optional<std::string_view> NameOfSource(const Source& source) {
  if (source.has_alias) return source.alias;
  if (source.path == nullptr) return std::nullopt;
  return LastName(*source.path);
}

}  // namespace lapse::query::sql
