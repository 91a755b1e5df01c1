#include "api/admin/parameters.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/escape.h"

namespace lapse::api::admin {
namespace {

std::string Described(std::span<const std::string_view> known) {
  if (known.empty()) return "this route takes no parameters";
  std::string text = "the parameters of this route are: ";
  for (size_t i = 0; i < known.size(); ++i) text.append(i == 0 ? "" : ", ").append(known[i]);
  return text + "; each at most once, as name=value";
}

}  // namespace

Result<std::string> PercentDecoded(std::string_view text) {
  std::string decoded;
  if (!PercentDecode(text, &decoded)) return Status(Code::kInvalidArgument, "malformed percent-encoding");
  return decoded;
}

std::optional<int64_t> ParseWholeNumber(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
  return is_whole ? std::optional(number) : std::nullopt;
}

Result<Parameters> Parameters::Parse(std::string_view query, std::span<const std::string_view> known) {
  Parameters parameters;
  while (!query.empty()) {
    const size_t ampersand = query.find('&');
    const std::string_view one = query.substr(0, ampersand);
    const size_t equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (equals == std::string_view::npos || !is_known || parameters.values_.contains(name) ||
        ampersand + 1 == query.size()) {
      return Status(Code::kInvalidArgument, Described(known));
    }
    LAPSE_ASSIGN_OR_RETURN(std::string value, PercentDecoded(one.substr(equals + 1)));
    parameters.values_.emplace(name, std::move(value));
    if (ampersand == std::string_view::npos) break;
    query.remove_prefix(ampersand + 1);
  }
  return parameters;
}

std::optional<std::string> Parameters::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace lapse::api::admin
