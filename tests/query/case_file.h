// The cases of tests/query/cases: queries, their parameters and their answers. README.md describes the form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapse::query_tests {

// One error of an answer. A field that the case leaves empty may have any value.
struct ExpectedError {
  std::string code;      // "SC2001", "2206"
  std::string location;  // "7-14": the first unit and the one behind the last
  std::string message;
};

enum class Comparison {
  kAnyOrder,
  kInOrder,
  kAsCreated,  // in the order of the documents with one partition, in any order with more
  kAbout,      // one number, within one part in 10^9
};

struct QueryCase {
  std::string file;
  int line = 0;
  std::string documents;   // the name of a set
  std::string container;   // more properties of the container, as JSON members
  std::string query;       // the whole text
  std::string condition;   // an expression; used as a condition, it keeps the item exactly if its value is `true`
  std::string parameters;  // the JSON array of a request
  Comparison comparison = Comparison::kAnyOrder;
  std::string results;  // a JSON array
  std::vector<ExpectedError> errors;
};

// Expressions are evaluated on the item that has this property.
inline constexpr char kSubject[] = "subject";

// Reads a file. A malformed line fails the test.
std::vector<QueryCase> ReadCaseFile(const std::filesystem::path& path);

// All files, in the order of their names.
std::vector<std::filesystem::path> CaseFiles();

// Returns a case of an expression over the item that has the property `subject`. The result is JSON or "undefined".
QueryCase ExpressionCase(const std::string& expression, const std::string& result);

}  // namespace lapse::query_tests
