#include "api/cosmos/containers/definition/ttl_property.h"

#include <string>
#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/sent_json.h"
#include "ttl/ttl_value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kTtlRule =
    "a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire.";
constexpr std::string_view kAnalyticalTtlRule =
    "a positive integer less than or equal to '2147483647', '-1' which means never expire, or '0' which means off.";

Result<std::optional<int32_t>> Parse(std::string_view property, doc::Value value, std::string_view json,
                                     std::string_view rule) {
  std::optional<int32_t> ttl = ttl::ParseTtl(value.AsWholeNumber());
  if (ttl) return ttl;
  std::string message = "The input ";
  message.append(property).append(" '").append(QuotedMember(json, property, value));
  message.append("' is invalid. Ensure to provide ").append(rule);
  return Status(Code::kInvalidArgument, std::move(message));
}

}  // namespace

Result<std::optional<int32_t>> ItemTtl(doc::Value ttl, std::string_view json) {
  if (ttl.missing()) return std::optional<int32_t>();
  return Parse("ttl", ttl, json, kTtlRule);
}

Result<std::optional<int32_t>> ContainerTtl(doc::Value default_ttl, std::string_view json) {
  if (IsAbsent(default_ttl)) return std::optional<int32_t>();
  return Parse("defaultTtl", default_ttl, json, kTtlRule);
}

Status CheckAnalyticalTtl(doc::Value ttl, std::string_view json) {
  if (IsAbsent(ttl) || ttl.AsWholeNumber() == 0) return Status::Ok();
  Result<std::optional<int32_t>> parsed = Parse("analyticalStorageTtl", ttl, json, kAnalyticalTtlRule);
  return parsed.ok() ? Status::Ok() : parsed.status();
}

}  // namespace lapse::api::cosmos
