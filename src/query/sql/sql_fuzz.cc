// Treats arbitrary bytes as a query. A query that parses must print as a text that parses to the same tree with the
// same meaning. A query that is refused must be refused with a well-formed error.
#include <cstdlib>
#include <string>

#include "doc/json.h"
#include "query/plan/describe.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/sql/print.h"
#include "query/sql/same_syntax.h"

namespace {

using namespace lapse::query;
using namespace lapse::query::sql;

void Require(bool condition) {
  if (!condition) std::abort();
}

void RequireGoodError(const lapse::Status& status) {
  std::string bson;
  Require(status.code() == lapse::Code::kInvalidArgument);
  Require(lapse::doc::JsonToBson(status.message(), {}, &bson).ok());
}

// Returns the plan, or nothing if binding refuses the query.
std::string PlanOf(const SyntaxTree& tree) {
  const Parameter parameters[] = {{"@p", Value::Int64(1)}, {"@s", Value::String("a")}};
  auto plan = Bind(tree, parameters);
  if (plan.ok()) return plan::Describe(plan->query());
  RequireGoodError(plan.status());
  return "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto tree = Parse(text);
  if (!tree.ok()) {
    RequireGoodError(tree.status());
    return 0;
  }
  std::string printed = Print(tree->query());
  auto again = Parse(printed);
  // The printed text may exceed the length limit.
  if (!again.ok()) {
    Require(printed.size() > kTextBytesMax);
    return 0;
  }
  Require(SameSyntax(tree->query(), again->query()));
  Require(Print(again->query()) == printed);
  Require(PlanOf(*tree) == PlanOf(*again));
  return 0;
}
