#include "query/exec/eval/evaluator.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "query/functions/arithmetic.h"
#include "query/functions/comparison.h"
#include "query/functions/function.h"
#include "query/functions/string_changes.h"
#include "query/plan/operator.h"
#include "query/values/test_value.h"

namespace lapse::query::exec {
namespace {

using plan::Expression;
using plan::ExpressionKind;

// Makes expressions as a front end does.
int runs = 0;
constexpr Function kCounted{0, 0, [](EvalContext&, Arguments) {
                              ++runs;
                              return Value();
                            }};

class EvaluatorTest : public testing::Test {
 protected:
  using Children = std::vector<const Expression*>;

  const Expression* Make(ExpressionKind kind, Children children = {}) {
    children_.push_back(std::move(children));
    Expression& made = expressions_.emplace_back();
    made.kind = kind;
    made.children = children_.back();
    return &made;
  }
  const Expression* Constant(std::string_view text) {
    const Expression* made = Make(ExpressionKind::kConstant);
    expressions_.back().value = values_.One(text);
    return made;
  }
  const Expression* Variable(plan::Slot slot) {
    const Expression* made = Make(ExpressionKind::kVariable);
    expressions_.back().slot = slot;
    return made;
  }
  const Expression* PropertyOf(const Expression* object, std::string_view name) {
    const Expression* made = Make(ExpressionKind::kProperty, {object});
    expressions_.back().name = name;
    return made;
  }
  const Expression* ElementOf(const Expression* array, int64_t index) {
    const Expression* made = Make(ExpressionKind::kElement, {array});
    expressions_.back().index = index;
    return made;
  }
  const Expression* Call(const Function& function, Children arguments) {
    const Expression* made = Make(ExpressionKind::kCall, std::move(arguments));
    expressions_.back().function = &function;
    return made;
  }
  // An expression that must not be evaluated. Evaluations of it are counted.
  const Expression* Forbidden() { return Call(kCounted, {}); }
  std::string Shows(const Expression* expression, std::string_view row = "") {
    std::vector<Value> values = values_.List(row);
    values.resize(4);
    for (plan::Slot slot = 0; slot < values.size(); ++slot) evaluator_.set_slot(slot, values[slot]);
    return Shown(evaluator_.Evaluate(*expression));
  }

  TestValues values_;
  std::deque<Children> children_;
  std::deque<Expression> expressions_;
  Evaluator evaluator_{4, {.memory_bytes_max = 1 << 20}};
};

TEST_F(EvaluatorTest, PathsLeadIntoTheRow) {
  const Expression* path = ElementOf(PropertyOf(PropertyOf(Variable(1), "a"), "b"), 1);
  EXPECT_EQ(Shows(path, "0, {'a':{'b':[1,'x']}}"), "'x'");
  EXPECT_EQ(Shows(path, "0, {'a':{'b':[1]}}"), "undefined");
  EXPECT_EQ(Shows(path, "0, {'a':1}"), "undefined");
  EXPECT_EQ(Shows(path, "0"), "undefined");
}

TEST_F(EvaluatorTest, CallsGetTheValuesOfTheirArguments) {
  EXPECT_EQ(Shows(Call(functions::kAdd, {Constant("1"), Variable(0)}), "2"), "3");
  EXPECT_EQ(Shows(Call(functions::kAdd, {Constant("1"), Variable(0)}), "undefined"), "undefined");
  Children many;
  for (int i = 0; i < 100; ++i) many.push_back(Constant("'x'"));
  EXPECT_EQ(Shows(Call(functions::kConcat, many)), "'" + std::string(100, 'x') + "'");
}

TEST_F(EvaluatorTest, ObjectsAndArraysLeaveUndefinedOut) {
  const std::string_view names[] = {"a", "b", "c"};
  const Expression* object = Make(
      ExpressionKind::kObject, {Constant("1"), Variable(0), Call(functions::kConcat, {Constant("'x'"), Variable(1)})});
  expressions_.back().names = names;
  EXPECT_EQ(Shows(object, "undefined, 'y'"), "{'a':1,'c':'xy'}");
  EXPECT_EQ(Shows(object, "[1], 'y'"), "{'a':1,'b':[1],'c':'xy'}");
  const Expression* array = Make(ExpressionKind::kArray, {Variable(0), Constant("2"), Variable(1)});
  EXPECT_EQ(Shows(array, "undefined, {'k':null}"), "[2,{'k':null}]");
  EXPECT_EQ(Shows(Make(ExpressionKind::kArray)), "[]");
  EXPECT_EQ(Shows(Make(ExpressionKind::kObject)), "{}");
}

TEST_F(EvaluatorTest, AndOrAreThreeValued) {
  const auto of = [this](ExpressionKind kind, const char* a, const char* b, const char* c) {
    return Shows(Make(kind, {Constant(a), Constant(b), Constant(c)}));
  };
  EXPECT_EQ(of(ExpressionKind::kAnd, "true", "true", "true"), "true");
  EXPECT_EQ(of(ExpressionKind::kAnd, "true", "undefined", "true"), "undefined");
  EXPECT_EQ(of(ExpressionKind::kAnd, "null", "undefined", "false"), "false");
  EXPECT_EQ(of(ExpressionKind::kAnd, "true", "1", "true"), "undefined");
  EXPECT_EQ(of(ExpressionKind::kOr, "false", "false", "false"), "false");
  EXPECT_EQ(of(ExpressionKind::kOr, "false", "undefined", "false"), "undefined");
  EXPECT_EQ(of(ExpressionKind::kOr, "'x'", "undefined", "true"), "true");
}

TEST_F(EvaluatorTest, OnlyWhatIsNeededIsEvaluated) {
  EXPECT_EQ(Shows(Make(ExpressionKind::kAnd, {Constant("false"), Forbidden()})), "false");
  EXPECT_EQ(Shows(Make(ExpressionKind::kOr, {Constant("true"), Forbidden()})), "true");
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("null"), Forbidden()})), "null");
  EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant("true"), Constant("1"), Forbidden()})), "1");
  EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant("false"), Forbidden(), Constant("2")})), "2");
  EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant("2"), Forbidden(), Constant("'b'"), Forbidden()})), "'b'");
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(Shows(Forbidden()), "undefined");
  EXPECT_EQ(runs, 1);
}

TEST_F(EvaluatorTest, Conditions) {
  for (const char* other : {"false", "undefined", "null", "1", "'true'", "[]"}) {
    EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant(other), Constant("1"), Constant("2")})), "2") << other;
  }
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("undefined"), Variable(0), Constant("3")}), "2"), "2");
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("undefined"), Constant("undefined")})), "undefined");
}

TEST_F(EvaluatorTest, ChooseCountsFromOne) {
  for (const char* none : {"0", "3", "-1", "1.5", "'1'", "undefined", "9223372036854775807"}) {
    EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant(none), Constant("'a'"), Constant("'b'")})), "undefined")
        << none;
  }
  EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant("1.0"), Constant("'a'"), Constant("undefined")})), "'a'");
}

TEST_F(EvaluatorTest, LetPutsItsValueIntoASlot) {
  const Expression* doubled = Call(functions::kAdd, {Variable(2), Variable(2)});
  const Expression* let = Make(ExpressionKind::kLet, {Call(functions::kAdd, {Variable(0), Constant("1")}), doubled});
  expressions_.back().slot = 2;
  EXPECT_EQ(Shows(let, "4"), "10");
}

TEST_F(EvaluatorTest, WhatDoesNotFitTheBudgetIsTold) {
  Evaluator evaluator(0, {.memory_bytes_max = 100});
  Children many;
  for (int i = 0; i < 100; ++i) many.push_back(Constant("1"));
  evaluator.Evaluate(*Make(ExpressionKind::kArray, many));
  EXPECT_EQ(evaluator.status().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace lapse::query::exec
