#include "query/sql/parse.h"

#include <simdjson.h>

#include <memory>
#include <string>

#include "query/sql/error_list.h"
#include "query/sql/parser.h"

namespace lapse::query::sql {
namespace {

// Size of the first chunk: the copy of the text and, for most queries, the whole tree.
size_t ExpectedBytes(std::string_view text) {
  return text.size() + text.size() * 16 + 1024;
}

using ParseWhole = const Query* (Parser::*)();

Result<SyntaxTree> ParseAs(ParseWhole parse, std::string_view text) {
  ErrorList errors;
  if (text.size() > kTextBytesMax) {
    errors.Add("SC3020",
               "The SQL query text exceeded the maximum limit of " + std::to_string(kTextBytesMax) + " characters.");
    return errors.ToStatus(text);
  }
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    errors.Add("SC1010", "Syntax error, the query text is not valid UTF-8.");
    return errors.ToStatus(text);
  }
  auto arena = std::make_unique<TreeArena>(ExpectedBytes(text));
  std::string_view own_text = arena->Copy(text);
  Parser parser(own_text, arena.get(), &errors);
  const Query* query = (parser.*parse)();
  if (query == nullptr) return errors.ToStatus(own_text);
  return SyntaxTree(std::move(arena), own_text, query);
}

}  // namespace

Result<SyntaxTree> Parse(std::string_view text) {
  return ParseAs(&Parser::ParseText, text);
}

Result<SyntaxTree> ParseCondition(std::string_view text) {
  return ParseAs(&Parser::ParseConditionText, text);
}

}  // namespace lapse::query::sql
