// The cases of tests/query/cases: queries, their parameters, and what they answer. README.md describes the form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapse::query_tests {

// One error of an answer. What a case does not tell is empty, and may be anything.
struct ExpectedError {
  std::string code;      // "SC2001", "2206"
  std::string location;  // "7-14": first unit and the one behind the last
  std::string message;
};

enum class Comparison {
  kAnyOrder,
  kInOrder,
  kAsCreated,  // in the order of the documents where there is one partition, in any order where there are more
  kAbout,      // one number, within one part in 10^9
};

struct QueryCase {
  std::string file;
  int line = 0;
  std::string documents;   // the name of a set
  std::string container;   // more properties of the container, as JSON members
  std::string query;       // the whole text
  std::string condition;   // an expression: the same as a condition keeps the item exactly when its value is `true`
  std::string parameters;  // the JSON array of a request
  Comparison comparison = Comparison::kAnyOrder;
  std::string results;  // a JSON array
  std::vector<ExpectedError> errors;
};

// The item that expressions are about has this property.
inline constexpr char kSubject[] = "subject";

// Reads a file. A line that is not understood is a failure of the test.
std::vector<QueryCase> ReadCaseFile(const std::filesystem::path& path);

// All files, in the order of their names.
std::vector<std::filesystem::path> CaseFiles();

// A case of an expression over the item that has the property `subject`; the result is JSON or "undefined".
QueryCase ExpressionCase(const std::string& expression, const std::string& result);

}  // namespace lapse::query_tests
