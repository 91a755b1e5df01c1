#include "api/cosmos/query/property_query.h"

#include <algorithm>
#include <optional>

#include "api/cosmos/query/select_all.h"
#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/request_body.h"
#include "base/ascii.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

Status NotSupported(std::span<const std::string_view> properties) {
  std::string names;
  for (std::string_view property : properties) names.append(names.empty() ? "" : ", ").append(property);
  return Status(Code::kUnsupported,
                "Of these queries only SELECT * FROM <name>, and a comparison of one property with a text (" + names +
                    "), are supported yet.");
}

void Trim(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kSpaces), text->size()));
  text->remove_suffix(text->size() - std::min(text->find_last_not_of(kSpaces) + 1, text->size()));
}

// Where the word stands by itself, in whatever case.
size_t FindWord(std::string_view text, std::string_view lower) {
  for (size_t at = 1; at + lower.size() < text.size(); ++at) {
    if (EqualsIgnoreCase(text.substr(at, lower.size()), lower) &&
        kSpaces.find(text[at - 1]) != std::string_view::npos &&
        kSpaces.find(text[at + lower.size()]) != std::string_view::npos) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::optional<std::string> FindParameter(std::string_view query, std::string_view name) {
  doc::Value parameters = doc::Find(query, "parameters");
  if (parameters.type() != doc::Type::kArray) return std::nullopt;
  doc::Reader reader(parameters.AsDocument());
  while (auto element = reader.Next()) {
    if (element->value.type() != doc::Type::kObject) continue;
    doc::Value its_name = doc::Find(element->value.AsDocument(), "name");
    doc::Value value = doc::Find(element->value.AsDocument(), "value");
    if (its_name.type() != doc::Type::kString || its_name.AsString() != name) continue;
    if (value.type() == doc::Type::kString) return std::string(value.AsString());
  }
  return std::nullopt;
}

// A text in quotes, without escapes, or the parameter that stands for one.
std::optional<std::string> ReadText(std::string_view operand, std::string_view query) {
  if (operand.starts_with('@')) return FindParameter(query, operand);
  const bool quoted =
      operand.size() >= 2 && (operand.front() == '"' || operand.front() == '\'') && operand.back() == operand.front();
  if (!quoted) return std::nullopt;
  std::string_view text = operand.substr(1, operand.size() - 2);
  if (text.find_first_of("\\\"'") != std::string_view::npos) return std::nullopt;
  return std::string(text);
}

Result<PropertyQuery> ReadComparison(std::string_view comparison, std::string_view query,
                                     std::span<const std::string_view> properties) {
  const size_t equals = comparison.find('=');
  if (equals == std::string_view::npos) return NotSupported(properties);
  std::string_view left = comparison.substr(0, equals);
  std::string_view right = comparison.substr(equals + 1);
  Trim(&left);
  Trim(&right);
  const size_t dot = left.find('.');
  if (dot == std::string_view::npos) return NotSupported(properties);
  PropertyQuery parsed;
  parsed.property = left.substr(dot + 1);
  for (std::string_view known : properties) {
    if (parsed.property != known) continue;
    std::optional<std::string> value = ReadText(right, query);
    if (!value) return NotSupported(properties);
    parsed.value = *std::move(value);
    return parsed;
  }
  return NotSupported(properties);
}

}  // namespace

Result<PropertyQuery> ParsePropertyQuery(std::string_view body, std::span<const std::string_view> properties) {
  LAPSE_ASSIGN_OR_RETURN(std::string query, ParseBody(body));
  doc::Value text = doc::Find(query, "query");
  if (text.type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The body of a query must have the property 'query', a string.");
  }
  std::string_view sql = text.AsString();
  const size_t where = FindWord(sql, "where");
  if (!IsSelectAll(sql.substr(0, where))) return NotSupported(properties);
  if (where == std::string_view::npos) return PropertyQuery();
  return ReadComparison(sql.substr(where + std::string_view("where").size()), query, properties);
}

}  // namespace lapse::api::cosmos
