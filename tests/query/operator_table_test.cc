// Every operator with operands of every type on both sides. The expected results follow the rules of the language,
// written a second time in the plainest way.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/query/case_file.h"
#include "tests/query/query_fixture.h"

namespace lapse::query_tests {
namespace {

enum class Type { kUndefined, kNull, kBool, kNumber, kString, kArray, kObject };

struct Operand {
  Type type;
  std::string literal;   // also its JSON text
  std::string property;  // the same value in the document
  double number = 0;     // of a number; 1 for true

  bool IsTrue() const { return type == Type::kBool && number == 1; }
  bool IsFalse() const { return type == Type::kBool && number == 0; }
};

const std::vector<Operand>& Operands() {
  static const std::vector<Operand> operands = {
      {Type::kUndefined, "undefined", "c.missing"},
      {Type::kNull, "null", "c.nil"},
      {Type::kBool, "true", "c.yes", 1},
      {Type::kBool, "false", "c.no", 0},
      {Type::kNumber, "0", "c.zero", 0},
      {Type::kNumber, "2", "c.two", 2},
      {Type::kNumber, "-7", "c.minus", -7},
      {Type::kNumber, "0.5", "c.half", 0.5},
      {Type::kString, "\"hello\"", "c.word"},
      {Type::kString, "\"\"", "c.empty"},
      {Type::kArray, "[1,2,3]", "c.list"},
      {Type::kObject, "{\"a\":1}", "c.small"},
  };
  return operands;
}

const char* const kUndefined = "undefined";

std::string BoolText(bool value) {
  return value ? "true" : "false";
}

std::string NumberText(double number) {
  if (std::isnan(number)) return "\"NaN\"";
  if (std::isinf(number)) return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  if (number == std::floor(number)) return std::to_string(static_cast<int64_t>(number));
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

using Rule = std::function<std::string(const Operand&, const Operand&)>;

struct BinaryOperator {
  std::string text;
  Rule rule;
};

bool Both(Type type, const Operand& a, const Operand& b) {
  return a.type == type && b.type == type;
}

Rule Arithmetic(double (*compute)(double, double)) {
  return [compute](const Operand& a, const Operand& b) -> std::string {
    return Both(Type::kNumber, a, b) ? NumberText(compute(a.number, b.number)) : kUndefined;
  };
}

// The operands here are small, so a cast truncates as ToInt32 does.
Rule Bitwise(double (*compute)(int32_t, int32_t)) {
  return [compute](const Operand& a, const Operand& b) -> std::string {
    if (!Both(Type::kNumber, a, b)) return kUndefined;
    return NumberText(compute(static_cast<int32_t>(a.number), static_cast<int32_t>(b.number)));
  };
}

// Each value of a type has one text, so equal texts mean equal values.
Rule Equality(bool equal_gives) {
  return [equal_gives](const Operand& a, const Operand& b) -> std::string {
    if (a.type == Type::kUndefined || b.type == Type::kUndefined) return kUndefined;
    return BoolText((a.type == b.type && a.literal == b.literal) == equal_gives);
  };
}

// `compute` gets the sign of the comparison.
Rule Comparison(bool (*compute)(int)) {
  return [compute](const Operand& a, const Operand& b) -> std::string {
    if (a.type != b.type) return kUndefined;
    switch (a.type) {
      case Type::kNull: return BoolText(compute(0));
      case Type::kBool:
      case Type::kNumber: return BoolText(compute(a.number < b.number ? -1 : a.number > b.number ? 1 : 0));
      case Type::kString:
        return BoolText(compute(a.literal.size() == b.literal.size() ? 0 : a.literal == "\"\"" ? -1 : 1));
      default: return kUndefined;
    }
  };
}

std::string And(const Operand& a, const Operand& b) {
  if (a.IsFalse() || b.IsFalse()) return "false";
  return a.IsTrue() && b.IsTrue() ? "true" : kUndefined;
}

std::string Or(const Operand& a, const Operand& b) {
  if (a.IsTrue() || b.IsTrue()) return "true";
  return a.IsFalse() && b.IsFalse() ? "false" : kUndefined;
}

std::string Concatenation(const Operand& a, const Operand& b) {
  if (!Both(Type::kString, a, b)) return kUndefined;
  return a.literal.substr(0, a.literal.size() - 1) + b.literal.substr(1);
}

std::string Coalesce(const Operand& a, const Operand& b) {
  return a.type == Type::kUndefined ? b.literal : a.literal;
}

std::vector<BinaryOperator> BinaryOperators() {
  return {
      {"+", Arithmetic([](double a, double b) { return a + b; })},
      {"-", Arithmetic([](double a, double b) { return a - b; })},
      {"*", Arithmetic([](double a, double b) { return a * b; })},
      {"/", Arithmetic([](double a, double b) { return a / b; })},
      {"%", Arithmetic([](double a, double b) { return std::fmod(a, b); })},
      {"&", Bitwise([](int32_t a, int32_t b) { return double(a & b); })},
      {"|", Bitwise([](int32_t a, int32_t b) { return double(a | b); })},
      {"^", Bitwise([](int32_t a, int32_t b) { return double(a ^ b); })},
      {"<<", Bitwise([](int32_t a, int32_t b) { return double(int32_t(uint32_t(a) << (b & 31))); })},
      {">>", Bitwise([](int32_t a, int32_t b) { return double(a >> (b & 31)); })},
      {">>>", Bitwise([](int32_t a, int32_t b) { return double(uint32_t(a) >> (b & 31)); })},
      {"=", Equality(true)},
      {"!=", Equality(false)},
      {"<>", Equality(false)},
      {"<", Comparison([](int sign) { return sign < 0; })},
      {"<=", Comparison([](int sign) { return sign <= 0; })},
      {">", Comparison([](int sign) { return sign > 0; })},
      {">=", Comparison([](int sign) { return sign >= 0; })},
      {"||", Concatenation},
      {"AND", And},
      {"OR", Or},
      {"??", Coalesce},
  };
}

class OperatorTableTest : public QueryFixture {
 protected:
  void Add(const std::string& expression, const std::string& result) {
    QueryCase one = ExpressionCase(expression, result);
    one.file = __FILE__;
    one.line = __LINE__;
    one.documents = "values";
    cases_.push_back(std::move(one));
  }
  std::vector<QueryCase> cases_;
};

// One side is in the document and the other one in the query text, in turn.
TEST_F(OperatorTableTest, BinaryOperatorsWithEveryPairOfTypes) {
  for (const BinaryOperator& op : BinaryOperators()) {
    bool turn = false;
    for (const Operand& left : Operands()) {
      for (const Operand& right : Operands()) {
        turn = !turn;
        Add((turn ? left.property : left.literal) + " " + op.text + " " + (turn ? right.literal : right.property),
            op.rule(left, right));
      }
      turn = !turn;
    }
  }
  Check(cases_);
}

TEST_F(OperatorTableTest, UnaryAndConditionalOperatorsWithEveryType) {
  for (const Operand& one : Operands()) {
    const bool number = one.type == Type::kNumber;
    for (const std::string& text : {one.literal, one.property}) {
      Add("NOT " + text, one.type == Type::kBool ? BoolText(!one.IsTrue()) : kUndefined);
      Add("- " + text, number ? NumberText(one.number == 0 ? 0 : -one.number) : kUndefined);
      Add("+ " + text, number ? one.literal : kUndefined);
      Add("~" + text, number ? NumberText(~static_cast<int32_t>(one.number)) : kUndefined);
      Add(text + " ? 'a' : 'b'", one.IsTrue() ? "\"a\"" : "\"b\"");
      Add("IIF(" + text + ", 'a', 'b')", one.IsTrue() ? "\"a\"" : "\"b\"");
    }
  }
  Check(cases_);
}

// BETWEEN is two comparisons, IN is a chain of equalities.
TEST_F(OperatorTableTest, BetweenAndInWithEveryType) {
  const Rule less_or_equal = Comparison([](int sign) { return sign <= 0; });
  const Rule equal = Equality(true);
  const auto truth = [](const std::string& text) {
    return text == kUndefined ? Operand{Type::kUndefined, "", ""}
                              : Operand{Type::kBool, text, "", text == "true" ? 1.0 : 0.0};
  };
  const auto negated = [](const std::string& text) -> std::string {
    return text == kUndefined ? kUndefined : BoolText(text == "false");
  };
  const auto& all = Operands();
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < all.size(); ++j) {
      const Operand& x = all[i];
      const Operand& a = all[j];
      const Operand& b = all[(j + 1) % all.size()];
      const std::string between = And(truth(less_or_equal(a, x)), truth(less_or_equal(x, b)));
      Add(x.property + " BETWEEN " + a.literal + " AND " + b.property, between);
      Add(x.property + " NOT BETWEEN " + a.literal + " AND " + b.property, negated(between));
      // An undefined member never matches.
      const auto is = [&](const Operand& member) { return x.type == member.type && x.literal == member.literal; };
      const std::string in = x.type == Type::kUndefined ? kUndefined : BoolText(is(a) || is(b));
      Add(x.property + " IN (" + a.literal + ", " + b.property + ")", in);
      Add(x.property + " NOT IN (" + a.literal + ", " + b.property + ")", negated(in));
    }
  }
  Check(cases_);
}

TEST_F(OperatorTableTest, TypeChecksWithEveryType) {
  const struct {
    const char* name;
    std::vector<Type> types;
  } checks[] = {
      {"IS_ARRAY", {Type::kArray}},
      {"IS_BOOL", {Type::kBool}},
      {"IS_BOOLEAN", {Type::kBool}},
      {"IS_NULL", {Type::kNull}},
      {"IS_NUMBER", {Type::kNumber}},
      {"IS_OBJECT", {Type::kObject}},
      {"IS_STRING", {Type::kString}},
      {"IS_DEFINED", {Type::kNull, Type::kBool, Type::kNumber, Type::kString, Type::kArray, Type::kObject}},
      {"IS_PRIMITIVE", {Type::kNull, Type::kBool, Type::kNumber, Type::kString}},
      {"IS_FINITE_NUMBER", {Type::kNumber}},
  };
  for (const Operand& one : Operands()) {
    for (const std::string& text : {one.literal, one.property}) {
      for (const auto& check : checks) {
        bool found = false;
        for (Type type : check.types) found = found || type == one.type;
        Add(std::string(check.name) + "(" + text + ")", BoolText(found));
      }
      Add("IS_INTEGER(" + text + ")", BoolText(one.type == Type::kNumber && one.number == std::floor(one.number)));
    }
  }
  Check(cases_);
}

}  // namespace
}  // namespace lapse::query_tests
