#include <gtest/gtest.h>

#include <vector>

#include "query/plan/describe.h"
#include "query/plan/rewrite.h"

namespace lapse::query::plan {
namespace {

// Makes small plans.
class PlanTest : public testing::Test {
 protected:
  Expression* New(ExpressionKind kind, const std::vector<const Expression*>& children = {}) {
    auto* e = arena_.New<Expression>();
    e->kind = kind;
    e->children = arena_.Copy(std::span<const Expression* const>(children));
    return e;
  }
  const Expression* Variable(Slot slot) {
    Expression* e = New(ExpressionKind::kVariable);
    e->slot = slot;
    return e;
  }
  const Expression* Constant(Value value) {
    Expression* e = New(ExpressionKind::kConstant);
    e->value = value;
    return e;
  }
  const Expression* Property(const Expression* of, std::string_view name) {
    Expression* e = New(ExpressionKind::kProperty, {of});
    e->name = name;
    return e;
  }
  const Expression* Element(const Expression* of, int64_t index) {
    Expression* e = New(ExpressionKind::kElement, {of});
    e->index = index;
    return e;
  }
  const Expression* Object(const std::vector<std::string_view>& names, const std::vector<const Expression*>& children) {
    Expression* e = New(ExpressionKind::kObject, children);
    e->names = arena_.Copy(std::span<const std::string_view>(names));
    return e;
  }
  Operator* New(OperatorKind kind, const Operator* input, const Expression* expression, Slot slot) {
    auto* made = arena_.New<Operator>();
    made->kind = kind;
    made->input = input;
    made->expression = expression;
    made->slot = slot;
    return made;
  }

  TreeArena arena_{4096};
};

TEST_F(PlanTest, TheSameOperationsOnTheSameSlotsAreTheSame) {
  EXPECT_TRUE(SameExpression(*Property(Variable(1), "a"), *Property(Variable(1), "a")));
  EXPECT_FALSE(SameExpression(*Property(Variable(1), "a"), *Property(Variable(2), "a")));
  EXPECT_FALSE(SameExpression(*Property(Variable(1), "a"), *Property(Variable(1), "b")));
  EXPECT_FALSE(SameExpression(*Element(Variable(1), 0), *Element(Variable(1), 1)));
  EXPECT_FALSE(SameExpression(*Element(Variable(1), 0), *Variable(1)));
  EXPECT_TRUE(SameExpression(*Constant(Value::Int64(1)), *Constant(Value::Double(1))));
  EXPECT_FALSE(SameExpression(*Constant(Value::String("1")), *Constant(Value::Int64(1))));
  EXPECT_TRUE(SameExpression(*Object({"a"}, {Variable(1)}), *Object({"a"}, {Variable(1)})));
  EXPECT_FALSE(SameExpression(*Object({"a"}, {Variable(1)}), *Object({"b"}, {Variable(1)})));
  EXPECT_FALSE(SameExpression(*New(ExpressionKind::kArray, {Variable(1)}),
                              *New(ExpressionKind::kArray, {Variable(1), Variable(1)})));
}

TEST_F(PlanTest, TheSameExpressionsHaveTheSameHash) {
  const Expression* expressions[] = {
      Variable(1),
      Variable(2),
      Constant(Value::Int64(1)),
      Constant(Value::String("1")),
      Property(Variable(1), "a"),
      Property(Variable(1), "b"),
      Element(Variable(1), 0),
      Element(Variable(1), 1),
      Object({"a"}, {Variable(1)}),
      Object({"b"}, {Variable(1)}),
      New(ExpressionKind::kArray, {Variable(1)}),
      New(ExpressionKind::kAnd, {Variable(1), Variable(2)}),
      New(ExpressionKind::kOr, {Variable(1), Variable(2)}),
  };
  for (const Expression* a : expressions) {
    for (const Expression* b : expressions) {
      EXPECT_EQ(SameExpression(*a, *b), HashExpression(*a, 7) == HashExpression(*b, 7)) << Describe(*a);
    }
  }
  EXPECT_EQ(HashExpression(*Constant(Value::Int64(1)), 7), HashExpression(*Constant(Value::Double(1)), 7));
  EXPECT_EQ(HashExpression(*Property(Variable(1), "a"), 7), HashExpression(*Property(Variable(1), "a"), 7));
}

TEST_F(PlanTest, ARewriteSharesWhatItDoesNotChange) {
  const Expression* kept = Property(Variable(1), "a");
  const Expression* whole = New(ExpressionKind::kAnd, {kept, Property(Variable(2), "b")});
  auto nothing = [](const Expression&) -> const Expression* { return nullptr; };
  EXPECT_EQ(Rewrite(*whole, nothing, &arena_), whole);
  auto second = [&](const Expression& e) -> const Expression* {
    return e.kind == ExpressionKind::kVariable && e.slot == 2 ? Variable(7) : nullptr;
  };
  const Expression* changed = Rewrite(*whole, second, &arena_);
  EXPECT_EQ(Describe(*changed), "and($1.a, $7.b)");
  EXPECT_EQ(changed->children[0], kept);
  EXPECT_EQ(Describe(*whole), "and($1.a, $2.b)");
}

TEST_F(PlanTest, ARewriteReachesEveryOperatorOfASubquery) {
  const Expression* row = Property(Variable(1), "a");
  auto* inner = arena_.New<Query>();
  inner->last = New(OperatorKind::kProject, New(OperatorKind::kOnce, nullptr, nullptr, 0), row, 5);
  const Operator* chain = New(OperatorKind::kOnce, nullptr, nullptr, 0);
  chain = New(OperatorKind::kUnnest, chain, row, 2);
  Operator* apply = New(OperatorKind::kApply, chain, nullptr, 3);
  apply->query = inner;
  chain = New(OperatorKind::kFilter, apply, row, 0);
  Operator* aggregate = New(OperatorKind::kAggregate, chain, nullptr, 0);
  const GroupKey key = {.expression = row, .slot = 8};
  const AggregateCall call = {.aggregate = nullptr, .name = "sum", .argument = row, .slot = 9};
  aggregate->group_keys = arena_.Copy(std::span<const GroupKey>(&key, 1));
  aggregate->aggregates = arena_.Copy(std::span<const AggregateCall>(&call, 1));
  Operator* sort = New(OperatorKind::kSort, aggregate, nullptr, 0);
  const SortKey order = {.expression = row, .direction = SortKey::Direction::kDescending};
  sort->sort_keys = arena_.Copy(std::span<const SortKey>(&order, 1));
  auto* query = arena_.New<Query>();
  query->last = New(OperatorKind::kProject, sort, row, 4);
  Expression* subquery = New(ExpressionKind::kSubquery);
  subquery->query = query;

  auto replace = [&](const Expression& e) -> const Expression* {
    return e.kind == ExpressionKind::kVariable && e.slot == 1 ? Variable(6) : nullptr;
  };
  EXPECT_EQ(Describe(*Rewrite(*subquery, replace, &arena_)),
            "scalar<once | unnest $6.a $2 | apply <once | project $6.a $5> $3 | filter $6.a | "
            "aggregate by $6.a $8 sum($6.a) $9 | sort $6.a descending | project $6.a $4>");
  auto nothing = [](const Expression&) -> const Expression* { return nullptr; };
  EXPECT_EQ(Rewrite(*subquery, nothing, &arena_), subquery);
}

}  // namespace
}  // namespace lapse::query::plan
