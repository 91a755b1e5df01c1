#include "tests/query/reference/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>

#include "query/sql/print.h"
#include "tests/query/reference/plain_functions.h"

namespace lapse::query_tests {
namespace {

using query::sql::Expression;
using query::sql::ExpressionKind;
using query::sql::OrderItem;
using query::sql::Query;
using query::sql::SelectItem;
using query::sql::Source;

// Each function has one name here, however it is written.
std::string NameOf(std::string_view text) {
  std::string name;
  for (char c : text) {
    if (c != '_') name.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
  }
  return name;
}

// Aggregates of sub-queries do not count.
bool HasAggregate(const Expression& e) {
  if (e.kind == ExpressionKind::kCall && IsPlainAggregate(NameOf(e.text))) return true;
  return std::ranges::any_of(e.children, [](const Expression* child) { return HasAggregate(*child); });
}

bool IsGrouped(const Query& query) {
  return !query.group_by.empty() ||
         std::ranges::any_of(query.items, [](const SelectItem& item) { return HasAggregate(*item.expression); });
}

std::optional<std::string_view> LastName(const Expression& e) {
  if (e.kind == ExpressionKind::kIdentifier || e.kind == ExpressionKind::kProperty) return e.text;
  if (e.kind == ExpressionKind::kIndex && e.children[1]->kind == ExpressionKind::kString) return e.children[1]->text;
  return std::nullopt;
}

std::string_view AliasOf(const Source& source) {
  if (source.has_alias) return source.alias;
  return source.path == nullptr ? std::string_view() : LastName(*source.path).value_or("");
}

const Expression& RootOf(const Expression& path) {
  const Expression* root = &path;
  while (root->kind != ExpressionKind::kIdentifier) root = root->children[0];
  return *root;
}

// The names behind the root of a path.
std::vector<std::string> NamesOf(const Expression& path) {
  if (path.kind == ExpressionKind::kIdentifier) return {};
  std::vector<std::string> names = NamesOf(*path.children[0]);
  names.emplace_back(path.kind == ExpressionKind::kProperty ? path.text : path.children[1]->text);
  return names;
}

std::vector<Datum> KeysForOrder(std::vector<Datum> keys) {
  // A composite index has no entries for arrays and objects.
  if (keys.size() < 2) return keys;
  for (Datum& key : keys) {
    if (key.IsArray() || key.IsObject()) key = Datum();
  }
  return keys;
}

std::vector<ReferenceRow> WithoutRepeats(const std::vector<ReferenceRow>& rows) {
  std::vector<ReferenceRow> kept;
  for (const ReferenceRow& row : rows) {
    if (std::ranges::none_of(kept, [&](const ReferenceRow& one) { return Same(one.result, row.result); })) {
      kept.push_back(row);
    }
  }
  return kept;
}

bool IsDescending(const OrderItem& item) {
  return item.direction == OrderItem::Direction::kDescending;
}

// Rows with equal keys stay as they came; those of a partition the other way round where the first key is descending.
void Sort(std::span<const OrderItem> order, const std::vector<int>& parts, std::vector<ReferenceRow>* rows) {
  if (IsDescending(order[0])) {
    std::ranges::reverse(*rows);
    if (!parts.empty()) std::ranges::stable_sort(*rows, {}, [&](const ReferenceRow& row) { return parts[row.item]; });
  }
  std::ranges::stable_sort(*rows, [&](const ReferenceRow& a, const ReferenceRow& b) {
    for (size_t i = 0; i < order.size(); ++i) {
      const int found = Order(a.keys[i], b.keys[i]);
      if (found != 0) return IsDescending(order[i]) ? found > 0 : found < 0;
    }
    return false;
  });
}

}  // namespace

ReferenceAnswer Reference::Answer(const Query& query) const {
  ReferenceAnswer answer;
  const bool grouped = IsGrouped(query);
  answer.in_order = !query.order_by.empty() || !(query.distinct || grouped);
  // Either of 1 and 1.0 may represent the group, and so may either of two objects with the same members.
  const bool grouped_inside = !query.sources.empty() && query.sources[0].query != nullptr &&
                              (query.sources[0].query->distinct || IsGrouped(*query.sources[0].query));
  answer.written_alike = !(query.distinct || grouped || grouped_inside);
  if (grouped_inside) answer.in_order = false;
  if (query.top != nullptr) answer.limit = Count(*query.top);
  if (query.offset != nullptr) {
    answer.offset = Count(*query.offset);
    answer.limit = Count(*query.limit);
  }
  OrderRule rule = OrderRule::kAll;
  if (query.order_by.size() == 1) rule = rule_of_(PathOfKey(query, *query.order_by[0].expression));
  if (rule == OrderRule::kRefused) {
    answer.refused = true;
    return answer;
  }
  answer.rows = Results(query, nullptr, Sees::kItems, rule);
  return answer;
}

std::vector<ReferenceRow> Reference::Results(const Query& query, const Row* outer, Sees sees, OrderRule rule) const {
  std::vector<Row> rows = RowsOf(query, outer, sees);
  if (query.where != nullptr) std::erase_if(rows, [&](const Row& row) { return !Value(*query.where, row).IsTrue(); });
  std::vector<ReferenceRow> results;
  if (IsGrouped(query)) {
    results = Groups(query, rows, outer);
  } else {
    size_t number = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      number = i > 0 && rows[i].item == rows[i - 1].item ? number + 1 : 0;
      ReferenceRow& result = results.emplace_back();
      result.item = rows[i].item;
      result.row = number;
      result.result = Selected(query, rows[i]);
      for (const OrderItem& item : query.order_by) result.keys.push_back(Value(*item.expression, rows[i]));
      result.keys = KeysForOrder(std::move(result.keys));
    }
    if (rule == OrderRule::kWithoutUndefined) {
      std::erase_if(results, [](const ReferenceRow& one) { return one.keys[0].IsUndefined(); });
    }
    if (!query.order_by.empty()) Sort(query.order_by, parts_, &results);
  }
  std::erase_if(results, [](const ReferenceRow& row) { return row.result.IsUndefined(); });
  return query.distinct ? WithoutRepeats(results) : results;
}

std::vector<Reference::Row> Reference::RowsOf(const Query& query, const Row* outer, Sees sees) const {
  Row none;
  none.outer = outer;
  std::vector<Row> rows = {none};
  for (size_t i = 0; i < query.sources.size(); ++i) {
    rows = i == 0 && sees == Sees::kItems ? FirstSource(query.sources[0]) : WithSource(query.sources[i], rows);
  }
  return rows;
}

// The first source of the text is the container, whatever name it has there.
std::vector<Reference::Row> Reference::FirstSource(const Source& source) const {
  std::vector<std::pair<Datum, size_t>> values;
  if (source.query != nullptr) {
    for (const ReferenceRow& row : Results(*source.query, nullptr, Sees::kItems)) {
      values.emplace_back(row.result, row.item);
    }
  } else {
    for (size_t i = 0; i < items_.size(); ++i) values.emplace_back(Path(*source.path, items_[i]), i);
  }
  std::vector<Row> rows;
  const auto add = [&](const Datum& value, size_t item) {
    if (!value.IsUndefined()) rows.push_back({nullptr, {{AliasOf(source), value}}, nullptr, item});
  };
  for (const auto& [value, item] : values) {
    if (!source.iterates) {
      add(value, item);
    } else if (value.IsArray()) {
      for (const Datum& element : value.elements()) add(element, item);
    }
  }
  return rows;
}

std::vector<Reference::Row> Reference::WithSource(const Source& source, const std::vector<Row>& rows) const {
  std::vector<Row> longer;
  for (const Row& row : rows) {
    std::vector<Datum> values;
    if (source.query != nullptr) {
      for (const ReferenceRow& one : Results(*source.query, &row, Sees::kRows)) values.push_back(one.result);
    } else {
      values.push_back(Path(*source.path, Named(RootOf(*source.path).text, row)));
    }
    std::vector<Datum> elements;
    for (const Datum& value : values) {
      if (!source.iterates) {
        elements.push_back(value);
      } else if (value.IsArray()) {
        elements.insert(elements.end(), value.elements().begin(), value.elements().end());
      }
    }
    for (const Datum& element : elements) {
      if (element.IsUndefined()) continue;
      longer.push_back(row);
      longer.back().names.emplace_back(AliasOf(source), element);
    }
  }
  return longer;
}

std::vector<ReferenceRow> Reference::Groups(const Query& query, const std::vector<Row>& rows, const Row* outer) const {
  std::vector<std::pair<std::vector<Datum>, std::vector<Row>>> groups;
  if (query.group_by.empty()) groups.emplace_back(std::vector<Datum>(), rows);
  for (const Row& row : query.group_by.empty() ? std::vector<Row>() : rows) {
    const std::vector<Datum> keys = Values(query.group_by, row);
    auto group =
        std::ranges::find_if(groups, [&](const auto& one) { return std::ranges::equal(one.first, keys, Same); });
    if (group == groups.end()) group = groups.insert(groups.end(), {keys, {}});
    group->second.push_back(row);
  }
  std::vector<ReferenceRow> results;
  for (const auto& [keys, members] : groups) {
    // Everything but aggregates depends on the keys alone, so any row of the group gives it.
    Row row;
    row.outer = outer;
    if (!members.empty()) row = members[0];
    row.group = &members;
    results.emplace_back().result = Selected(query, row);
  }
  return results;
}

Datum Reference::Selected(const Query& query, const Row& row) const {
  if (query.select == Query::Select::kStar) return row.names[0].second;
  if (query.select == Query::Select::kValue) return Value(*query.items[0].expression, row);
  Datum::Members members;
  int nameless = 0;
  for (const SelectItem& item : query.items) {
    std::optional<std::string_view> name = item.has_alias ? item.alias : LastName(*item.expression);
    members.emplace_back(name ? std::string(*name) : "$" + std::to_string(++nameless), Value(*item.expression, row));
  }
  return Datum::Object(std::move(members));
}

Datum Reference::Value(const Expression& e, const Row& row) const {
  const auto value = [&](size_t child) { return Value(*e.children[child], row); };
  const auto results = [&] { return Results(*e.query, &row, Sees::kRows); };
  switch (e.kind) {
    case ExpressionKind::kUndefined: return {};
    case ExpressionKind::kNull: return Datum::Null();
    case ExpressionKind::kTrue: return Datum::Bool(true);
    case ExpressionKind::kFalse: return Datum::Bool(false);
    case ExpressionKind::kInteger: return Datum::Integer(e.integer);
    case ExpressionKind::kReal: return Datum::Real(e.real);
    case ExpressionKind::kString: return Datum::String(std::string(e.text));
    case ExpressionKind::kParameter: return parameters_.at(std::string(e.text));
    case ExpressionKind::kIdentifier: return Named(e.text, row);
    case ExpressionKind::kProperty:
    case ExpressionKind::kIndex: return Step(e, value(0));
    case ExpressionKind::kUnary: return PlainUnary(e.op, value(0));
    case ExpressionKind::kBinary: return PlainBinary(e.op, value(0), value(1));
    case ExpressionKind::kAnd: {
      Datum all = Datum::Bool(true);
      for (const Datum& one : Values(e.children, row)) all = PlainAnd(all, one);
      return all;
    }
    case ExpressionKind::kOr: {
      Datum any = Datum::Bool(false);
      for (const Datum& one : Values(e.children, row)) any = PlainOr(any, one);
      return any;
    }
    case ExpressionKind::kIn: {
      const Datum found = PlainIn(value(0), Values(e.children.subspan(1), row));
      return e.negated ? PlainNot(found) : found;
    }
    case ExpressionKind::kLike: {
      const bool escapes = e.children.size() > 2;
      const Datum matches = PlainLike(value(0), value(1), escapes ? value(2) : Datum(), escapes);
      return e.negated ? PlainNot(matches) : matches;
    }
    case ExpressionKind::kBetween: {
      const Datum inside = PlainAnd(PlainBinary(query::sql::Operator::kGreaterOrEqual, value(0), value(1)),
                                    PlainBinary(query::sql::Operator::kLessOrEqual, value(0), value(2)));
      return e.negated ? PlainNot(inside) : inside;
    }
    case ExpressionKind::kCoalesce: {
      const Datum first = value(0);
      return first.IsUndefined() ? value(1) : first;
    }
    case ExpressionKind::kConditional: return value(0).IsTrue() ? value(1) : value(2);
    case ExpressionKind::kArray: return Datum::Array(Values(e.children, row));
    case ExpressionKind::kObject: {
      Datum::Members members;
      for (size_t i = 0; i < e.children.size(); i += 2) members.emplace_back(e.children[i]->text, value(i + 1));
      return Datum::Object(std::move(members));
    }
    case ExpressionKind::kCall: return Call(e, row);
    case ExpressionKind::kSubquery:
    case ExpressionKind::kFirst: {
      const std::vector<ReferenceRow> found = results();
      return found.empty() ? Datum() : found.front().result;
    }
    case ExpressionKind::kLast: {
      const std::vector<ReferenceRow> found = results();
      return found.empty() ? Datum() : found.back().result;
    }
    case ExpressionKind::kExists: return Datum::Bool(!results().empty());
    case ExpressionKind::kArrayOf: {
      std::vector<Datum> elements;
      for (const ReferenceRow& one : results()) elements.push_back(one.result);
      return Datum::Array(std::move(elements));
    }
    case ExpressionKind::kAll: return All(*e.query, row);
    case ExpressionKind::kLet: {
      Row inner;
      inner.outer = &row;
      inner.group = row.group;
      inner.names.emplace_back(e.text, value(0));
      return Value(*e.children[1], inner);
    }
    case ExpressionKind::kUdfCall: break;
  }
  ADD_FAILURE() << "the reference does not know " << query::sql::Print(e);
  return {};
}

std::vector<Datum> Reference::Values(std::span<const Expression* const> list, const Row& row) const {
  std::vector<Datum> values;
  for (const Expression* one : list) values.push_back(Value(*one, row));
  return values;
}

Datum Reference::Named(std::string_view name, const Row& row) const {
  for (const Row* at = &row; at != nullptr; at = at->outer) {
    for (const auto& [own_name, value] : at->names) {
      if (own_name == name) return value;
    }
  }
  if (name == "NaN") return Datum::Real(std::numeric_limits<double>::quiet_NaN());
  if (name == "Infinity") return Datum::Real(std::numeric_limits<double>::infinity());
  ADD_FAILURE() << "the reference knows no " << name;
  return {};
}

// Only items have a `_rid` and computed properties.
Datum Reference::Member(const Datum& from, std::string_view name) const {
  const bool is_item = computed_of_ != nullptr && !from.At("_rid").IsUndefined();
  const std::optional<Datum> computed = is_item ? computed_of_(from, name) : std::nullopt;
  return computed.has_value() ? *computed : from.At(name);
}

Datum Reference::Step(const Expression& e, const Datum& from) const {
  if (e.kind == ExpressionKind::kProperty) return Member(from, e.text);
  const Expression& index = *e.children[1];
  Datum value;
  if (index.kind == ExpressionKind::kString) value = Datum::String(std::string(index.text));
  if (index.kind == ExpressionKind::kInteger) value = Datum::Integer(index.integer);
  if (index.kind == ExpressionKind::kParameter) value = parameters_.at(std::string(index.text));
  if (value.IsString()) return Member(from, value.text());
  return value.Whole() ? from.At(*value.Whole()) : Datum();
}

Datum Reference::Path(const Expression& e, const Datum& root) const {
  return e.kind == ExpressionKind::kIdentifier ? root : Step(e, Path(*e.children[0], root));
}

Datum Reference::Call(const Expression& e, const Row& row) const {
  const std::string name = NameOf(e.text);
  if (name == "IIF") return Value(*e.children[Value(*e.children[0], row).IsTrue() ? 1 : 2], row);
  if (IsPlainAggregate(name) && row.group != nullptr) {
    std::vector<std::vector<Datum>> parts(1);
    const Row* last = nullptr;
    for (const Row& member : *row.group) {
      if (last != nullptr && PartOf(*last) != PartOf(member)) parts.emplace_back();
      parts.back().push_back(Value(*e.children[0], member));
      last = &member;
    }
    return PlainAggregate(name, parts);
  }
  if (IsPlainFunction(name)) return PlainFunction(name, Values(e.children, row));
  ADD_FAILURE() << "the reference knows no function " << name;
  return {};
}

// True unless the predicate is not true for some row. The predicate is the selected value, or else the WHERE clause.
Datum Reference::All(const Query& query, const Row& row) const {
  std::vector<Row> rows = RowsOf(query, &row, Sees::kRows);
  const bool by_value = query.select == Query::Select::kValue;
  for (const Row& one : rows) {
    const bool kept = query.where == nullptr || Value(*query.where, one).IsTrue();
    if (by_value && kept && !Value(*query.items[0].expression, one).IsTrue()) return Datum::Bool(false);
    if (!by_value && !kept) return Datum::Bool(false);
  }
  return Datum::Bool(true);
}

size_t Reference::Count(const Expression& e) const {
  if (e.kind == ExpressionKind::kInteger) return static_cast<size_t>(e.integer);
  return static_cast<size_t>(parameters_.at(std::string(e.text)).Whole().value_or(0));
}

// The path of the key in the item: that of the source, then that of the key.
std::vector<std::string> Reference::PathOfKey(const Query& query, const Expression& key) const {
  std::vector<std::string> path;
  for (const Source& source : query.sources) {
    if (source.path == nullptr || AliasOf(source) != RootOf(key).text) continue;
    path = NamesOf(*source.path);
    break;
  }
  for (std::string& name : NamesOf(key)) path.push_back(std::move(name));
  return path;
}

}  // namespace lapse::query_tests
