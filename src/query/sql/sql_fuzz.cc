// Any bytes as a query. What parses must print as a text that parses to the same tree; what does not parse must be
// refused with a well-formed error.
#include <cstdlib>
#include <string>

#include "doc/json.h"
#include "query/sql/parse.h"
#include "query/sql/print.h"
#include "query/sql/same_syntax.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lapse::query::sql;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto tree = Parse(text);
  if (!tree.ok()) {
    std::string error;
    Require(tree.status().code() == lapse::Code::kInvalidArgument);
    Require(lapse::doc::JsonToBson(tree.status().message(), {}, &error).ok());
    return 0;
  }
  std::string printed = Print(tree->query());
  auto again = Parse(printed);
  // The printed text may be longer than a text may be.
  if (!again.ok()) {
    Require(printed.size() > kTextBytesMax);
    return 0;
  }
  Require(SameSyntax(tree->query(), again->query()));
  Require(Print(again->query()) == printed);
  return 0;
}
