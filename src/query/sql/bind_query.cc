// Turns a query's clauses into a chain of operators, in the order in which the language evaluates them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "query/plan/rewrite.h"
#include "query/sql/binder.h"
#include "query/sql/implied_names.h"

namespace lapse::query::sql {
namespace {

constexpr uint64_t kCountEnd = uint64_t{1} << 32;
constexpr uint64_t kHashSeed = 0x1A95E;

bool HasSubquery(const Expression& e) {
  if (e.query != nullptr) return true;
  return std::any_of(e.children.begin(), e.children.end(), [](const Expression* c) { return HasSubquery(*c); });
}

bool HasIdentifier(const Expression& e) {
  if (e.kind == ExpressionKind::kIdentifier) return true;
  return std::any_of(e.children.begin(), e.children.end(), [](const Expression* c) { return HasIdentifier(*c); });
}

// Returns nullopt unless the value is a whole number and not negative. Saturates if it is too large for the type.
std::optional<uint64_t> WholeNumber(Value value) {
  if (value.kind() == Kind::kInt64 && value.AsInt64() >= 0) return static_cast<uint64_t>(value.AsInt64());
  if (value.kind() != Kind::kDouble) return std::nullopt;
  double number = value.AsDouble();
  if (!(number >= 0) || number != std::trunc(number)) return std::nullopt;
  constexpr double kEnd = 18446744073709551616.0;  // 2^64
  return number < kEnd ? static_cast<uint64_t>(number) : std::numeric_limits<uint64_t>::max();
}

}  // namespace

plan::Query Binder::BindText(const Query& query) {
  return BindQuery(query, Place::kText);
}

plan::Query Binder::BindQuery(const Query& query, Place place) {
  return BindClauses(query, place, false);
}

plan::Query Binder::BindCounterexamples(const Query& query) {
  return BindClauses(query, Place::kNested, true);
}

plan::Query Binder::BindClauses(const Query& query, Place place, bool counterexamples) {
  if (place != Place::kText) CheckNested(query);
  frames_.emplace_back().first_variable = variables_.size();
  const plan::Operator* chain = BindSources(query, place);
  // The predicate of ALL is the selected value, or else the WHERE clause.
  bool by_value = query.select == Query::Select::kValue;
  if (query.where != nullptr) {
    const plan::Expression* where = Bind(*query.where);
    chain = NewFilter(chain, counterexamples && !by_value ? NotTrue(where, Value::Bool(false)) : where);
  } else if (counterexamples && !by_value) {
    chain = NewFilter(chain, NewConstant(Value::Bool(false), nullptr));
  }
  BindGroupKeys(query);
  const plan::Expression* selection = BindSelection(query);
  bool grouped = frames_.back().IsGrouped();
  if (grouped) chain = BindGroups(chain, &selection);
  if (counterexamples && by_value) selection = NotTrue(selection, Value());
  if (place == Place::kText && !query.order_by.empty()) {
    if (grouped && !query.rank) {
      RefuseOrderOfGroups(query);
    } else {
      chain = BindOrder(query, chain);
    }
  }
  plan::Query bound;
  bound.result = NewSlot();
  chain = NewProjection(chain, selection, bound.result);
  if (query.distinct) {
    chain = place == Place::kSource ? NewGroupsOf(chain, bound.result)
                                    : NewOperator(plan::OperatorKind::kDistinct, chain, bound.result);
  }
  if (place == Place::kText) chain = BindSlice(query, chain);
  bound.last = chain;
  variables_.resize(frames_.back().first_variable);
  frames_.pop_back();
  return bound;
}

void Binder::CheckNested(const Query& query) {
  if (!frames_.empty() && frames_.back().in_aggregate != nullptr) {
    errors_->Add("SC2101",
                 "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.",
                 frames_.back().in_aggregate->span);
  }
  if (!query.order_by.empty()) {
    errors_->Add("SC2202", "'ORDER BY' is not supported in subqueries.", query.order_by_span);
  }
  if (query.top != nullptr) errors_->Add("SC2203", "'TOP' is not supported in subqueries.", query.top_span);
  if (query.offset != nullptr) {
    errors_->Add("SC2204", "'OFFSET LIMIT' clause is not supported in subqueries.", query.offset_limit_span);
  }
}

const plan::Expression* Binder::BindSelection(const Query& query) {
  if (query.select == Query::Select::kStar) {
    if (!query.group_by.empty()) {
      errors_->Add("SC2041", "'SELECT *' is not allowed with GROUP BY.", query.star_span);
    } else if (query.sources.size() != 1) {
      errors_->Add("SC2040", "'SELECT *' is only valid with a single input set.", query.star_span);
    } else {
      return NewVariable(frames_.back().source_slots[0], nullptr);
    }
    return NewConstant(Value(), nullptr);
  }
  frames_.back().aggregates_are = Aggregates::kAllowed;
  const plan::Expression* selection =
      query.select == Query::Select::kValue ? Bind(*query.items[0].expression) : BindItems(query);
  frames_.back().aggregates_are = Aggregates::kForbidden;
  return selection;
}

const plan::Expression* Binder::BindItems(const Query& query) {
  size_t count = query.items.size();
  std::span<std::string_view> names = arena_->NewSpan<std::string_view>(count);
  std::span<const plan::Expression*> values = arena_->NewSpan<const plan::Expression*>(count);
  const std::vector<std::string> names_of_items = NamesOfItems(query);
  for (size_t i = 0; i < count; ++i) {
    names[i] = arena_->Copy(std::string_view(names_of_items[i]));
    values[i] = Bind(*query.items[i].expression);
  }
  CheckNames(names, [&](size_t i) {
    const SelectItem& item = query.items[i];
    return item.has_alias ? item.alias_span : item.expression->span;
  });
  plan::Expression* object = NewNode(plan::ExpressionKind::kObject, nullptr);
  object->names = names;
  object->children = values;
  return object;
}

void Binder::BindGroupKeys(const Query& query) {
  for (const Expression* key : query.group_by) {
    if (HasSubquery(*key)) {
      Unsupported("subquery in GROUP BY", key->span);
    } else if (!HasIdentifier(*key)) {
      Unsupported("GROUP BY without a property reference", key->span);
    }
    const plan::Expression* expression = Bind(*key);
    Frame& frame = frames_.back();
    frame.keys_by_hash.emplace(plan::HashExpression(*expression, kHashSeed), frame.keys.size());
    frame.keys.push_back({.expression = expression, .slot = NewSlot()});
  }
}

const plan::GroupKey* Binder::FindKey(const plan::Expression& e) const {
  const Frame& frame = frames_.back();
  if (frame.keys.empty()) return nullptr;
  auto [begin, end] = frame.keys_by_hash.equal_range(plan::HashExpression(e, kHashSeed));
  for (auto candidate = begin; candidate != end; ++candidate) {
    const plan::GroupKey& key = frame.keys[candidate->second];
    if (plan::SameExpression(e, *key.expression)) return &key;
  }
  return nullptr;
}

// Distinct rows that further operators use become groups, since a page can begin after a group.
const plan::Operator* Binder::NewGroupsOf(const plan::Operator* input, plan::Slot slot) {
  const plan::GroupKey key{NewVariable(slot, nullptr), slot};
  plan::Operator* groups = NewOperator(plan::OperatorKind::kAggregate, input);
  groups->group_keys = arena_->Copy(std::span<const plan::GroupKey>(&key, 1));
  return groups;
}

const plan::Operator* Binder::BindGroups(const plan::Operator* input, const plan::Expression** selection) {
  *selection = OverGroups(**selection, [&](Span span) {
    errors_->Add("SC2102",
                 "Property reference " + Quoted(TextOf(span)) +
                     " is invalid in the select list because it is not contained in either an aggregate function or "
                     "the GROUP BY clause.",
                 span);
  });
  plan::Operator* aggregate = NewOperator(plan::OperatorKind::kAggregate, input);
  aggregate->group_keys = arena_->Copy(std::span<const plan::GroupKey>(frames_.back().keys));
  aggregate->aggregates = arena_->Copy(std::span<const plan::AggregateCall>(frames_.back().aggregates));
  return aggregate;
}

template <typename Complain>
const plan::Expression* Binder::OverGroups(const plan::Expression& e, Complain complain) {
  const Frame& frame = frames_.back();
  // The property reference that is being descended into: the message quotes all of it.
  const plan::Expression* reference = nullptr;
  auto replace = [&](const plan::Expression& part) -> const plan::Expression* {
    const plan::GroupKey* key = FindKey(part);
    if (key != nullptr) {
      reference = nullptr;
      return NewVariable(key->slot, nullptr);
    }
    if (part.kind == plan::ExpressionKind::kProperty || part.kind == plan::ExpressionKind::kElement) {
      if (reference == nullptr) reference = &part;
      return nullptr;
    }
    const auto& slots = frame.source_slots;
    if (part.kind == plan::ExpressionKind::kVariable &&
        std::find(slots.begin(), slots.end(), part.slot) != slots.end()) {
      const plan::Expression* whole = reference == nullptr ? &part : reference;
      complain(Span{whole->text_begin, whole->text_end});
    }
    reference = nullptr;
    return nullptr;
  };
  return plan::Rewrite(e, replace, arena_);
}

// ORDER BY applies to groups here, which is unsupported. References that are not keys are reported first.
void Binder::RefuseOrderOfGroups(const Query& query) {
  bool complained = false;
  for (const OrderItem& item : query.order_by) {
    OverGroups(*Bind(*item.expression), [&](Span span) {
      complained = true;
      errors_->Add("SC2103",
                   "Property reference " + Quoted(TextOf(span)) +
                       " is invalid in the ORDER BY clause because it is not contained in either an aggregate function "
                       "or the GROUP BY clause.",
                   span);
    });
  }
  if (!complained) Unsupported("ORDER BY with GROUP BY or aggregates", query.order_by_span);
}

const plan::Operator* Binder::BindSlice(const Query& query, const plan::Operator* input) {
  if (query.top == nullptr && query.offset == nullptr) return input;
  if (query.top != nullptr && query.offset != nullptr) Unsupported("TOP with OFFSET LIMIT", query.offset_limit_span);
  plan::Operator* slice = NewOperator(plan::OperatorKind::kSlice, input);
  if (query.top != nullptr) {
    slice->limit = BindCount(*query.top, "SC2060", "TOP");
  } else {
    slice->offset = BindCount(*query.offset, "SC2062", "OFFSET");
    slice->limit = BindCount(*query.limit, "SC2061", "LIMIT");
  }
  return slice;
}

uint64_t Binder::BindCount(const Expression& count, std::string_view code, std::string_view clause) {
  std::optional<Value> value;
  if (count.kind == ExpressionKind::kParameter) {
    value = FindParameter(count);
    if (!value) return 0;
  } else if (count.kind == ExpressionKind::kInteger) {
    value = Value::Int64(count.integer);
  } else {
    value = Value::Double(count.real);
  }
  std::optional<uint64_t> number = WholeNumber(*value);
  if (number && *number < kCountEnd) return *number;
  std::string message = "The count value provided for a " + std::string(clause) + " clause must be an integer.";
  if (number && clause != "TOP") {
    message = "The " + std::string(clause) + " count value exceeds the maximum allowed value.";
  }
  errors_->Add(code, message, count.span);
  return 0;
}

}  // namespace lapse::query::sql
