// Calls functions in tests. Arguments and results are text as in values/test_value.h.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "query/functions/function.h"
#include "query/values/test_value.h"

namespace lapse::query {

class FunctionTest : public testing::Test {
 protected:
  struct Case {
    std::string_view arguments;
    std::string_view result;
  };

  Value Call(const Function& function, const std::vector<Value>& arguments) {
    EXPECT_GE(arguments.size(), function.arguments_min);
    EXPECT_LE(arguments.size(), function.arguments_max);
    return function.evaluate(context_, arguments);
  }
  std::string Eval(const Function& function, std::string_view arguments) {
    return Shown(Call(function, values_.List(arguments)));
  }
  void Expect(const Function& function, std::initializer_list<Case> cases) {
    for (const Case& c : cases) EXPECT_EQ(Eval(function, c.arguments), c.result) << "of (" << c.arguments << ")";
    EXPECT_TRUE(context_.status().ok());
  }

  // `kinds` has a letter for each argument: s string, n number, i integer, b bool, a array, o object, v any value. The
  // arguments must be valid. Replaces each of them in turn by values of all other kinds, and expects undefined each
  // time.
  void ExpectKinds(const Function& function, std::string_view kinds, std::string_view arguments) {
    const std::vector<Value> good = values_.List(arguments);
    ASSERT_EQ(good.size(), kinds.size());
    EXPECT_FALSE(Call(function, good).IsUndefined()) << "of (" << arguments << ")";
    for (size_t i = 0; i < good.size(); ++i) {
      for (const Value& other : values_.List("undefined, null, true, 1, 1.5, 'x', [1], {'a':1}")) {
        if (IsKind(kinds[i], other)) continue;
        std::vector<Value> bad = good;
        bad[i] = other;
        EXPECT_TRUE(Call(function, bad).IsUndefined())
            << "of (" << arguments << ") with " << Shown(other) << " at " << i;
      }
    }
  }

  TestValues values_;
  EvalContext context_{{.memory_bytes_max = size_t{8} << 20, .now_ticks = 15'973'607'943'002'652, .seed = 1}};

 private:
  static bool IsKind(char kind, Value value) {
    switch (kind) {
      case 's': return value.IsString();
      case 'n': return value.IsNumber();
      case 'i': return value.kind() == Kind::kInt64;
      case 'b': return value.IsBool();
      case 'a': return value.IsArray();
      case 'o': return value.IsObject();
      default: return !value.IsUndefined();
    }
  }
};

}  // namespace lapse::query
