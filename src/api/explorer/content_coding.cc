#include "api/explorer/content_coding.h"

#include <optional>

#include "api/explorer/header_list.h"
#include "base/ascii.h"

namespace lapse::api::explorer {
namespace {

// ";q=0", "; q=0.000": the parameters after a coding.
bool IsRefusal(std::string_view parameters) {
  const size_t equals = parameters.find('=');
  if (equals == std::string_view::npos) return false;
  if (!EqualsIgnoreCase(TrimBlanks(parameters.substr(0, equals)), "q")) return false;
  const std::string_view weight = TrimBlanks(parameters.substr(equals + 1));
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

bool Accepts(const net::Request& request, std::string_view coding) {
  std::optional<bool> named;
  std::optional<bool> any;
  ForEachElement(request, "accept-encoding", [&](std::string_view element) {
    const size_t semicolon = element.find(';');
    const std::string_view name = TrimBlanks(element.substr(0, semicolon));
    const bool accepted = semicolon == std::string_view::npos || !IsRefusal(element.substr(semicolon + 1));
    if (EqualsIgnoreCase(name, coding)) named = accepted;
    if (name == "*") any = accepted;
  });
  return named.value_or(any.value_or(false));
}

}  // namespace

CodedFile ChooseCoding(const net::Request& request, const ExplorerFile& file) {
  if (!file.brotli.empty() && Accepts(request, "br")) return {"br", "-br", file.brotli};
  if (!file.gzip.empty() && Accepts(request, "gzip")) return {"gzip", "-gzip", file.gzip};
  return {"", "", file.plain};
}

}  // namespace lapse::api::explorer
