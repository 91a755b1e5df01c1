// Tests the cases of tests/query/parser. Each query parses and prints as the case says, or is refused with the error in
// refusals.json. differences.json lists the cases in which our language differs from theirs, with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "doc/json.h"
#include "doc/value.h"
#include "query/sql/parse.h"
#include "query/sql/print.h"
#include "query/sql/same_syntax.h"

namespace lapse::query::sql {
namespace {

const std::filesystem::path kFolder = "tests/query/parser";

struct Case {
  std::string query;
  std::optional<std::string> printed;  // nullopt: refused
};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Returns the text in <tag><![CDATA[...]]></tag>.
std::optional<std::string> TextOf(std::string_view xml, const std::string& tag) {
  std::string open = "<" + tag + "><![CDATA[";
  std::string close = "]]></" + tag + ">";
  size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  begin += open.size();
  return std::string(xml.substr(begin, xml.find(close, begin) - begin));
}

std::vector<Case> ReadCases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const auto& file : files) {
    std::string xml = ReadFile(file);
    for (size_t at = xml.find("<Result>"); at != std::string::npos; at = xml.find("<Result>", at)) {
      size_t end = xml.find("</Result>", at);
      std::string_view one = std::string_view(xml).substr(at, end - at);
      cases.push_back({.query = TextOf(one, "Query").value_or(""), .printed = TextOf(one, "ParsedQuery")});
      at = end;
    }
  }
  return cases;
}

// Reads a file of [{"query": ..., "result": ...}, ...] and returns the result of each query.
std::map<std::string, std::string> ReadResults(const std::string& name, const std::string& field) {
  std::string bson;
  Status status = doc::JsonArrayToBson(ReadFile(kFolder / name), {}, &bson);
  EXPECT_TRUE(status.ok()) << name << ": " << status.ToString();
  std::map<std::string, std::string> results;
  doc::Reader reader(bson);
  while (auto element = reader.Next()) {
    std::string_view entry = element->value.AsDocument();
    std::string query(doc::Find(entry, "query").AsString());
    EXPECT_TRUE(results.emplace(query, doc::Find(entry, field).AsString()).second) << "twice: " << query;
  }
  return results;
}

// Returns the normal form, or the error.
std::string ResultOf(const std::string& query) {
  auto tree = Parse(query);
  return tree.ok() ? Print(tree->query(), Chains::kPairs) : tree.status().message();
}

TEST(ParserCasesTest, EveryCaseParsesOrIsRefusedAsItSays) {
  std::vector<Case> cases = ReadCases();
  EXPECT_EQ(cases.size(), 292u);
  auto refusals = ReadResults("refusals.json", "error");
  auto differences = ReadResults("differences.json", "result");
  auto reasons = ReadResults("differences.json", "reason");
  std::set<std::string> used;
  for (const Case& one : cases) {
    std::string result = ResultOf(one.query);
    auto difference = differences.find(one.query);
    if (difference != differences.end()) {
      EXPECT_EQ(result, difference->second) << one.query;
      EXPECT_NE(result, one.printed.value_or("")) << one.query << " is no difference";
      EXPECT_FALSE(reasons[one.query].empty()) << one.query;
      used.insert(one.query);
    } else if (one.printed) {
      EXPECT_EQ(result, *one.printed) << one.query;
    } else {
      auto refusal = refusals.find(one.query);
      EXPECT_EQ(result, refusal == refusals.end() ? "" : refusal->second) << one.query;
      used.insert(one.query);
    }
  }
  for (const auto& [query, error] : refusals) EXPECT_TRUE(used.contains(query)) << "not a case: " << query;
  for (const auto& [query, result] : differences) EXPECT_TRUE(used.contains(query)) << "not a case: " << query;
}

TEST(ParserCasesTest, WhatIsPrintedParsesToTheSameTree) {
  for (const Case& one : ReadCases()) {
    auto tree = Parse(one.query);
    if (!tree.ok()) continue;
    for (Chains chains : {Chains::kFlat, Chains::kPairs}) {
      std::string printed = Print(tree->query(), chains);
      auto again = Parse(printed);
      ASSERT_TRUE(again.ok()) << printed << ": " << again.status().message();
      EXPECT_TRUE(SameSyntax(tree->query(), again->query())) << one.query << " became " << printed;
    }
  }
}

}  // namespace
}  // namespace lapse::query::sql
