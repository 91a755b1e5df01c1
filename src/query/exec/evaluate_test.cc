#include "query/exec/evaluate.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "query/functions/arithmetic.h"
#include "query/functions/comparison.h"
#include "query/functions/string_changes.h"
#include "query/plan/operator.h"
#include "query/values/test_value.h"

namespace lapse::query::exec {
namespace {

using plan::Expression;
using plan::ExpressionKind;

// Makes expressions as a front end does.
class EvaluateTest : public testing::Test, public SubqueryRunner {
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
  // What must not be evaluated: it is counted.
  const Expression* Forbidden() {
    const Expression* made = Make(ExpressionKind::kSubquery);
    expressions_.back().query = &query_;
    return made;
  }
  Value Run(const plan::Query&, plan::SubqueryMode mode, Row row) override {
    ++runs_;
    mode_ = mode;
    return row.empty() ? Value() : row[0];
  }
  std::string Shows(const Expression* expression, std::string_view row = "") {
    std::vector<Value> values = values_.List(row);
    values.resize(4);
    Evaluator evaluator(&context_, this);
    return Shown(evaluator.Evaluate(*expression, values));
  }

  TestValues values_;
  std::deque<Children> children_;
  std::deque<Expression> expressions_;
  plan::Query query_;
  int runs_ = 0;
  plan::SubqueryMode mode_ = plan::SubqueryMode::kScalar;
  EvalContext context_{{.memory_bytes_max = 1 << 20}};
};

TEST_F(EvaluateTest, PathsLeadIntoTheRow) {
  const Expression* path = ElementOf(PropertyOf(PropertyOf(Variable(1), "a"), "b"), 1);
  EXPECT_EQ(Shows(path, "0, {'a':{'b':[1,'x']}}"), "'x'");
  EXPECT_EQ(Shows(path, "0, {'a':{'b':[1]}}"), "undefined");
  EXPECT_EQ(Shows(path, "0, {'a':1}"), "undefined");
  EXPECT_EQ(Shows(path, "0"), "undefined");
}

TEST_F(EvaluateTest, CallsGetTheValuesOfTheirArguments) {
  EXPECT_EQ(Shows(Call(functions::kAdd, {Constant("1"), Variable(0)}), "2"), "3");
  EXPECT_EQ(Shows(Call(functions::kAdd, {Constant("1"), Variable(0)}), "undefined"), "undefined");
  Children many;
  for (int i = 0; i < 100; ++i) many.push_back(Constant("'x'"));
  EXPECT_EQ(Shows(Call(functions::kConcat, many)), "'" + std::string(100, 'x') + "'");
}

TEST_F(EvaluateTest, ObjectsAndArraysLeaveUndefinedOut) {
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

TEST_F(EvaluateTest, AndOrAreThreeValued) {
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

TEST_F(EvaluateTest, OnlyWhatIsNeededIsEvaluated) {
  EXPECT_EQ(Shows(Make(ExpressionKind::kAnd, {Constant("false"), Forbidden()})), "false");
  EXPECT_EQ(Shows(Make(ExpressionKind::kOr, {Constant("true"), Forbidden()})), "true");
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("null"), Forbidden()})), "null");
  EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant("true"), Constant("1"), Forbidden()})), "1");
  EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant("false"), Forbidden(), Constant("2")})), "2");
  EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant("2"), Forbidden(), Constant("'b'"), Forbidden()})), "'b'");
  EXPECT_EQ(runs_, 0);
}

TEST_F(EvaluateTest, Conditions) {
  for (const char* other : {"false", "undefined", "null", "1", "'true'", "[]"}) {
    EXPECT_EQ(Shows(Make(ExpressionKind::kConditional, {Constant(other), Constant("1"), Constant("2")})), "2") << other;
  }
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("undefined"), Variable(0), Constant("3")}), "2"), "2");
  EXPECT_EQ(Shows(Make(ExpressionKind::kCoalesce, {Constant("undefined"), Constant("undefined")})), "undefined");
}

TEST_F(EvaluateTest, ChooseCountsFromOne) {
  for (const char* none : {"0", "3", "-1", "1.5", "'1'", "undefined", "9223372036854775807"}) {
    EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant(none), Constant("'a'"), Constant("'b'")})), "undefined")
        << none;
  }
  EXPECT_EQ(Shows(Make(ExpressionKind::kChoose, {Constant("1.0"), Constant("'a'"), Constant("undefined")})), "'a'");
}

TEST_F(EvaluateTest, LetPutsItsValueIntoASlot) {
  const Expression* doubled = Call(functions::kAdd, {Variable(2), Variable(2)});
  const Expression* let = Make(ExpressionKind::kLet, {Call(functions::kAdd, {Variable(0), Constant("1")}), doubled});
  expressions_.back().slot = 2;
  EXPECT_EQ(Shows(let, "4"), "10");
}

TEST_F(EvaluateTest, SubqueriesGetTheRow) {
  Expression subquery;
  subquery.kind = ExpressionKind::kSubquery;
  subquery.mode = plan::SubqueryMode::kExists;
  subquery.query = &query_;
  EXPECT_EQ(Shows(&subquery, "'row'"), "'row'");
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(mode_, plan::SubqueryMode::kExists);
}

TEST_F(EvaluateTest, WhatDoesNotFitTheBudgetIsTold) {
  EvalContext small({.memory_bytes_max = 100});
  Evaluator evaluator(&small);
  Children many;
  for (int i = 0; i < 100; ++i) many.push_back(Constant("1"));
  evaluator.Evaluate(*Make(ExpressionKind::kArray, many), {});
  EXPECT_EQ(small.status().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace lapse::query::exec
