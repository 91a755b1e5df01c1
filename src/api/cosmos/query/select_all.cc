#include "api/cosmos/query/select_all.h"

#include <string>

#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/request_body.h"
#include "base/ascii.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool IsNameCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The next word or the next single sign; empty at the end.
std::string_view TakeToken(std::string_view* rest) {
  while (!rest->empty() && IsSpace(rest->front())) rest->remove_prefix(1);
  size_t size = 0;
  while (size < rest->size() && IsNameCharacter((*rest)[size])) ++size;
  if (size == 0 && !rest->empty()) size = 1;
  std::string_view token = rest->substr(0, size);
  rest->remove_prefix(size);
  return token;
}

bool IsName(std::string_view token) {
  if (token.empty() || !IsNameCharacter(token[0]) || (token[0] >= '0' && token[0] <= '9')) return false;
  for (std::string_view keyword : {"select", "from", "where", "order", "group", "join", "in", "as", "offset"}) {
    if (EqualsIgnoreCase(token, keyword)) return false;
  }
  return true;
}

}  // namespace

bool IsSelectAll(std::string_view query) {
  if (!EqualsIgnoreCase(TakeToken(&query), "select") || TakeToken(&query) != "*") return false;
  if (!EqualsIgnoreCase(TakeToken(&query), "from") || !IsName(TakeToken(&query))) return false;
  std::string_view token = TakeToken(&query);
  if (EqualsIgnoreCase(token, "as")) {
    token = TakeToken(&query);
    if (token.empty()) return false;
  }
  if (token.empty()) return true;
  return IsName(token) && TakeToken(&query).empty();
}

Status CheckSelectAllBody(std::string_view body) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(body));
  doc::Value query = doc::Find(document, "query");
  if (query.type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The body of a query must have the property 'query', a string.");
  }
  doc::Value parameters = doc::Find(document, "parameters");
  if (!parameters.missing() && parameters.type() != doc::Type::kArray) {
    return Status(Code::kInvalidArgument, "The property 'parameters' of a query must be an array.");
  }
  if (IsSelectAll(query.AsString())) return Status::Ok();
  return Status(Code::kUnsupported, "Of queries only SELECT * FROM <name> is supported yet.");
}

}  // namespace lapse::api::cosmos
