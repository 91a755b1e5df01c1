#include "server/client/ttl_path.h"

#include <optional>

#include "base/escape.h"
#include "ttl/ttl_value.h"

namespace lapse::server::client {
namespace {

Result<std::string> DefaultTtlText(std::string_view text) {
  if (text == "off" || text == "-1") return std::string(text);
  Result<int64_t> ms = ttl::ParseDurationMs(text);
  bool is_whole = ms.ok() && *ms % 1000 == 0;
  std::optional<int32_t> seconds = ttl::ParseTtl(is_whole ? std::optional(*ms / 1000) : std::nullopt);
  if (!seconds) {
    return Status(Code::kInvalidArgument, "'" + std::string(text) + "' is no default: -1, off, seconds, or 30d");
  }
  return std::to_string(*seconds);
}

}  // namespace

Result<std::string> TtlPath(std::string_view database, std::string_view container, std::string_view what_if,
                            std::string_view horizon) {
  if (database.empty() || container.empty()) return Status(Code::kInvalidArgument, "a name must not be empty");
  std::string path = "/_lapse/ttl/" + PercentEncode(database) + "/" + PercentEncode(container);
  char separator = '?';
  auto append = [&](std::string_view name, std::string_view value) {
    path.push_back(separator);
    path.append(name).append("=").append(value);
    separator = '&';
  };
  if (!what_if.empty()) {
    LAPSE_ASSIGN_OR_RETURN(std::string default_ttl, DefaultTtlText(what_if));
    append("defaultTtl", default_ttl);
  }
  if (!horizon.empty()) append("forecast", horizon);
  return path;
}

std::string StatsPath(std::string_view after) {
  const std::string path = "/_lapse/stats";
  return after.empty() ? path : path + "?after=" + PercentEncode(after);
}

}  // namespace lapse::server::client
