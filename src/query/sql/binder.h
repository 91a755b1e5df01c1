// The binder itself. Private to this folder: other folders use bind.h.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/plan/operator.h"
#include "query/sql/bind.h"
#include "query/sql/error_list.h"
#include "query/sql/function_names.h"
#include "query/sql/syntax.h"
#include "query/tree_arena.h"

namespace lapse::query::sql {

// Threads: one. After an error it continues with a harmless stand-in, so that one response reports several errors. Its
// result is then unusable.
class Binder {
 public:
  // Plans live in the arena.
  Binder(std::string_view text, std::span<const Parameter> parameters, TreeArena* arena, ErrorList* errors);

  plan::Query BindText(const Query& query);

  plan::Slot slot_count() const { return slot_count_; }
  // An error in the form without a code. It is reported only after all others.
  const std::optional<std::string>& plain_error() const { return plain_error_; }

 private:
  // Lives in the arena.
  using Children = std::span<const plan::Expression* const>;

  // The context of a query.
  enum class Place {
    kText,    // the whole text
    kSource,  // the first source of such a query; it may name the container
    kNested,  // anywhere else; it sees the aliases around it
  };

  // The origin of a variable's value.
  enum class Origin {
    kDocument,  // the item, or the value at a path in it
    kElement,   // an element of an array in it
    kDerived,   // the result of a query, or of an expression
  };

  struct Variable {
    std::string_view name;
    plan::Slot slot = 0;
    Origin origin = Origin::kDerived;
  };

  enum class Aggregates { kForbidden, kAllowed };

  // A query that is being bound.
  struct Frame {
    size_t first_variable = 0;
    std::vector<plan::Slot> source_slots;  // of its FROM clause
    Aggregates aggregates_are = Aggregates::kForbidden;
    const Expression* in_aggregate = nullptr;  // the call whose argument is being bound
    std::vector<plan::AggregateCall> aggregates;
    std::vector<plan::GroupKey> keys;
    std::unordered_multimap<uint64_t, size_t> keys_by_hash;

    bool IsGrouped() const { return !keys.empty() || !aggregates.empty(); }
  };

  // Queries: bind_query.cc
  plan::Query BindQuery(const Query& query, Place place);
  // Binds ALL(query) as a query that has a result exactly if some row is a counterexample.
  plan::Query BindCounterexamples(const Query& query);
  plan::Query BindClauses(const Query& query, Place place, bool counterexamples);
  void CheckNested(const Query& query);
  const plan::Expression* BindSelection(const Query& query);
  const plan::Expression* BindItems(const Query& query);
  void BindGroupKeys(const Query& query);
  // Returns the group key that equals the expression, or null.
  const plan::GroupKey* FindKey(const plan::Expression& e) const;
  const plan::Operator* NewGroupsOf(const plan::Operator* input, plan::Slot slot);
  const plan::Operator* BindGroups(const plan::Operator* input, const plan::Expression** selection);
  // Returns the expression as it is evaluated after grouping, with keys read from their slots. Calls `complain` for
  // each reference to a value of a single row.
  template <typename Complain>
  const plan::Expression* OverGroups(const plan::Expression& e, Complain complain);
  void RefuseOrderOfGroups(const Query& query);
  const plan::Operator* BindSlice(const Query& query, const plan::Operator* input);
  uint64_t BindCount(const Expression& count, std::string_view code, std::string_view clause);

  // Sort keys: bind_order.cc
  const plan::Operator* BindOrder(const Query& query, const plan::Operator* input);
  void CheckSortKey(const Expression& key);

  // Sources: bind_source.cc
  const plan::Operator* BindSources(const Query& query, Place place);
  const plan::Operator* BindSource(const Source& source, Place place, const plan::Operator* input);
  const plan::Operator* BindPathSource(const Source& source, Place place, const plan::Operator* input);
  const plan::Operator* BindQuerySource(const Source& source, Place place, const plan::Operator* input);
  const plan::Expression* BindSteps(const Expression& path, const plan::Expression* root);
  void Declare(const Source& source, plan::Slot slot, Origin origin);

  // Expressions: bind_expression.cc
  const plan::Expression* Bind(const Expression& e);
  const plan::Expression* BindIdentifier(const Expression& e);
  const plan::Expression* BindParameter(const Expression& e);
  const plan::Expression* BindIndex(const Expression& e, const plan::Expression* target);
  const plan::Expression* BindObject(const Expression& e);
  const plan::Expression* BindLet(const Expression& e);
  const plan::Expression* BindSubquery(const Expression& e, plan::SubqueryMode mode);
  const plan::Expression* BindAll(const Expression& e);
  const plan::Expression* BindNegatable(const Expression& e, const OperatorFunction& function);
  Children BindList(std::span<const Expression* const> list);

  // Calls: bind_call.cc
  const plan::Expression* BindCall(const Expression& e);
  const plan::Expression* BindAggregate(const Expression& e, const FunctionName& name);
  bool CheckArguments(const Expression& e, const FunctionName& name);

  // Parts of the plan
  plan::Slot NewSlot() { return slot_count_++; }
  plan::Expression* NewNode(plan::ExpressionKind kind, const Expression* origin);
  const plan::Expression* NewNode(plan::ExpressionKind kind, const Expression* origin, Children children);
  const plan::Expression* NewCall(const OperatorFunction& function, const Expression* origin, Children children);
  const plan::Expression* NewConstant(Value value, const Expression* origin);
  const plan::Expression* NewVariable(plan::Slot slot, const Expression* origin);
  const plan::Expression* NewProperty(const plan::Expression* target, std::string_view name, const Expression* origin);
  plan::Operator* NewOperator(plan::OperatorKind kind, const plan::Operator* input, plan::Slot slot = 0);
  const plan::Operator* NewProjection(const plan::Operator* input, const plan::Expression* e, plan::Slot slot);
  const plan::Operator* NewUnnesting(const plan::Operator* input, const plan::Expression* e, plan::Slot slot);
  const plan::Operator* NewFilter(const plan::Operator* input, const plan::Expression* e);
  const plan::Expression* NotTrue(const plan::Expression* e, Value if_true);
  Children NewChildren(std::initializer_list<const plan::Expression*> children);
  Value Keep(Value value);  // a copy whose bytes live as long as the plan
  // Reports names that occur twice. `place` returns the position of a name.
  void CheckNames(std::span<const std::string_view> names, const std::function<Span(size_t)>& place);

  const Variable* Find(std::string_view name) const;
  std::optional<Value> FindParameter(const Expression& e);
  std::string_view TextOf(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  const plan::Expression* Unsupported(std::string_view what, Span span);
  const plan::Expression* Unresolved(const Expression& e);

  std::string_view text_;
  struct GivenParameter {
    Value value;
    bool is_kept = false;  // in the arena of the plan, once for all of its uses
  };
  std::unordered_map<std::string_view, GivenParameter> parameters_;
  TreeArena* arena_;
  ErrorList* errors_;
  std::optional<std::string> plain_error_;
  plan::Slot slot_count_ = 0;
  std::vector<Variable> variables_;  // all visible variables, innermost last
  std::vector<Frame> frames_;
};

}  // namespace lapse::query::sql
