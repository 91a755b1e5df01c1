// Plans of queries as text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "doc/value.h"
#include "query/plan/describe.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::query::sql {

// Returns the plan of the query, or its error. Parameters are a JSON object: {"@a": 1}.
inline std::string PlanOf(const std::string& text, const std::string& parameters = "{}") {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(parameters, {}, &bson).ok()) << parameters;
  std::vector<Parameter> list;
  doc::Reader reader(bson);
  while (auto element = reader.Next()) {
    list.push_back({.name = element->name, .value = Value::FromBson(element->value)});
  }
  auto tree = Parse(text);
  if (!tree.ok()) return tree.status().message();
  auto plan = Bind(*tree, list);
  if (!plan.ok()) return plan.status().message();
  // The plan must outlive the tree that it was made from.
  tree = Status(Code::kInternal, "gone");
  bson.assign(bson.size(), '?');
  return plan::Describe(plan->query());
}

// Returns the plan of one expression over the item $0.
inline std::string ExpressionOf(const std::string& expression, const std::string& parameters = "{}") {
  std::string plan = PlanOf("SELECT VALUE " + expression + " FROM c", parameters);
  const std::string begin = "scan $0 | project ";
  if (!plan.starts_with(begin)) return plan;
  return plan.substr(begin.size(), plan.rfind(' ') - begin.size());
}

// An error as the service writes it. Its position is that of `piece` in the text.
inline std::string ErrorAt(const std::string& text, const std::string& piece, const std::string& code,
                           const std::string& message) {
  size_t begin = text.find(piece);
  EXPECT_NE(begin, std::string::npos) << piece << " is not in " << text;
  std::string json = R"({"errors":[{"severity":"Error","location":{"start":)" + std::to_string(begin) + R"(,"end":)" +
                     std::to_string(begin + piece.size()) + R"(},"code":")" + code + R"(","message":)";
  doc::StringToJson(message, &json);
  return json + "}]}";
}

// Expects that the query, without its two backticks, is refused with this error for the text between them.
inline void ExpectError(const std::string& marked, const std::string& code, const std::string& message) {
  size_t begin = marked.find('`');
  size_t end = marked.find('`', begin + 1);
  ASSERT_NE(end, std::string::npos) << marked;
  std::string piece = marked.substr(begin + 1, end - begin - 1);
  std::string text = marked.substr(0, begin) + piece + marked.substr(end + 1);
  std::string json = R"({"errors":[{"severity":"Error","location":{"start":)" + std::to_string(begin) + R"(,"end":)" +
                     std::to_string(begin + piece.size()) + R"(},"code":")" + code + R"(","message":)";
  doc::StringToJson(message, &json);
  EXPECT_EQ(PlanOf(text), json + "}]}") << text;
}

inline std::string Unsupported(const std::string& text, const std::string& piece, const std::string& what) {
  return ErrorAt(text, piece, "SC2990",
                 "The specified query includes '" + what + "' which is currently not supported.");
}

}  // namespace lapse::query::sql
