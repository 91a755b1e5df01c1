#include "query/sql/client_rewrite.h"

#include <initializer_list>
#include <string>
#include <vector>

#include "query/sql/aggregate_calls.h"
#include "query/sql/client_plan.h"
#include "query/sql/function_names.h"
#include "query/sql/implied_names.h"

namespace lapse::query::sql {
namespace {

using Node = const Expression*;

// Makes nodes. They are only printed, so they have no position in a text and no height.
class Maker {
 public:
  explicit Maker(TreeArena* arena) : arena_(arena) {}

  Node String(std::string_view text) { return Leaf(ExpressionKind::kString, text); }
  Node Identifier(std::string_view text) { return Leaf(ExpressionKind::kIdentifier, text); }

  Node Integer(uint64_t value) {
    auto* node = arena_->New<Expression>();
    node->kind = ExpressionKind::kInteger;
    node->integer = static_cast<int64_t>(value);
    return node;
  }

  Node Parent(ExpressionKind kind, std::string_view text, const std::vector<Node>& children) {
    auto* node = arena_->New<Expression>();
    node->kind = kind;
    node->text = text;
    node->children = arena_->Copy(std::span<const Node>(children));
    return node;
  }

  Node Property(Node of, std::string_view name) { return Parent(ExpressionKind::kProperty, name, {of}); }
  Node Call(std::string_view name, const std::vector<Node>& arguments) {
    return Parent(ExpressionKind::kCall, name, arguments);
  }
  Node Array(const std::vector<Node>& elements) { return Parent(ExpressionKind::kArray, {}, elements); }
  // Names and values alternate.
  Node Object(const std::vector<Node>& parts) { return Parent(ExpressionKind::kObject, {}, parts); }
  Node Item(Node value) { return Object({String("item"), value}); }

  std::span<const SelectItem> Items(std::initializer_list<SelectItem> items) {
    return arena_->Copy(std::span<const SelectItem>(items.begin(), items.size()));
  }

  std::string_view Keep(std::string_view text) { return arena_->Copy(text); }

 private:
  Node Leaf(ExpressionKind kind, std::string_view text) {
    auto* node = arena_->New<Expression>();
    node->kind = kind;
    node->text = text;
    return node;
  }

  TreeArena* arena_;
};

SelectItem Named(Node expression, std::string_view alias) {
  SelectItem item;
  item.expression = expression;
  item.alias = alias;
  item.has_alias = true;
  return item;
}

// Returns the partial result of an aggregate, in the form that clients merge.
Node Mergeable(Node call, Maker* maker) {
  const std::string_view kind = AggregateKindOf(*call);
  const std::vector<Node> argument(call->children.begin(), call->children.end());
  if (kind == "Average") {
    return maker->Item(maker->Object(
        {maker->String("sum"), maker->Call("SUM", argument), maker->String("count"), maker->Call("COUNT", argument)}));
  }
  if (kind == "Min" || kind == "Max") {
    // The count tells a client whether a missing value means "no input" or "no order".
    return maker->Object({maker->String("item"), call, maker->String("item2"),
                          maker->Object({maker->String(kind == "Min" ? "min" : "max"), call, maker->String("count"),
                                         maker->Call("COUNT", argument)})});
  }
  return maker->Item(call);
}

// Returns the query's selection as one value.
Node Selection(const Query& query, Maker* maker, bool mergeable) {
  if (query.select == Query::Select::kStar) return maker->Identifier(*NameOfSource(query.sources[0]));
  if (query.select == Query::Select::kValue) {
    const Node value = query.items[0].expression;
    return mergeable && IsAggregate(*value) ? maker->Array({Mergeable(value, maker)}) : value;
  }
  const std::vector<std::string> names = NamesOfItems(query);
  std::vector<Node> parts;
  for (size_t i = 0; i < names.size(); ++i) {
    const Node value = query.items[i].expression;
    parts.push_back(maker->String(maker->Keep(names[i])));
    parts.push_back(mergeable && IsAggregate(*value) ? Mergeable(value, maker) : value);
  }
  return maker->Object(parts);
}

}  // namespace

std::string_view AggregateKindOf(const Expression& call) {
  const std::string_view name = FindFunction(call.text)->name;
  if (name == "AVG") return "Average";
  if (name == "COUNT") return "Count";
  if (name == "COUNT_IF") return "CountIf";
  if (name == "MAKE_LIST") return "MakeList";
  if (name == "MAKE_SET") return "MakeSet";
  if (name == "MAX") return "Max";
  if (name == "MIN") return "Min";
  return "Sum";
}

Query CarrySortKeys(const Query& query, TreeArena* arena) {
  Maker maker(arena);
  Query rewritten = query;
  std::vector<Node> keys;
  for (const OrderItem& item : query.order_by) keys.push_back(maker.Item(item.expression));
  SelectItem rid;
  rid.expression = maker.Property(maker.Identifier(*NameOfSource(query.sources[0])), "_rid");
  rewritten.select = Query::Select::kList;
  rewritten.items =
      maker.Items({rid, Named(maker.Array(keys), "orderByItems"), Named(Selection(query, &maker, false), "payload")});
  // Rows differ in what they carry, so the client removes equal results.
  rewritten.distinct = false;
  const Node hole = maker.Identifier(maker.Keep("(" + std::string(kFilterHole) + ")"));
  std::vector<Node> conditions;
  if (query.where != nullptr) conditions.push_back(query.where);
  conditions.push_back(hole);
  if (query.select == Query::Select::kValue) {
    conditions.push_back(maker.Call("IS_DEFINED", {query.items[0].expression}));
  }
  rewritten.where = conditions.size() == 1 ? hole : maker.Parent(ExpressionKind::kAnd, {}, conditions);
  return rewritten;
}

Query CarryGroups(const Query& query, TreeArena* arena) {
  Maker maker(arena);
  Query rewritten = AllResults(query);
  rewritten.distinct = false;
  const Node selection = Selection(query, &maker, true);
  if (query.group_by.empty()) {
    if (query.select == Query::Select::kValue) {
      SelectItem value;
      value.expression = selection;
      rewritten.items = maker.Items({value});
    } else {
      rewritten.items = maker.Items({Named(selection, "payload")});
    }
    return rewritten;
  }
  std::vector<Node> keys;
  for (const Node key : query.group_by) keys.push_back(maker.Item(key));
  rewritten.select = Query::Select::kList;
  rewritten.items = maker.Items({Named(maker.Array(keys), "groupByItems"), Named(selection, "payload")});
  return rewritten;
}

Query FirstResults(const Query& query, uint64_t count, TreeArena* arena) {
  Maker maker(arena);
  Query rewritten = query;
  rewritten.offset = maker.Integer(0);
  rewritten.limit = maker.Integer(count);
  return rewritten;
}

Query AllResults(const Query& query) {
  Query rewritten = query;
  rewritten.top = nullptr;
  rewritten.offset = nullptr;
  rewritten.limit = nullptr;
  return rewritten;
}

}  // namespace lapse::query::sql
