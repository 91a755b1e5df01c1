#include "api/cosmos/ttl_property.h"

#include <string>

#include "doc/json.h"
#include "ttl/ttl_value.h"

namespace lapse::api::cosmos {
namespace {

// A value is quoted up to this length; what a client sent instead of a number may be a megabyte long.
constexpr size_t kQuotedBytesMax = 100;

std::string Quoted(doc::Value value) {
  std::string text;
  doc::ValueToJson(value, &text);
  if (text.size() > kQuotedBytesMax) {
    size_t end = kQuotedBytesMax;
    while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
    text.resize(end);
    text += "...";
  }
  return text;
}

Status Invalid(std::string_view property, doc::Value value) {
  std::string message = "The input ";
  message.append(property)
      .append(" '")
      .append(Quoted(value))
      .append(
          "' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' "
          "which "
          "means never expire.");
  return Status(Code::kInvalidArgument, std::move(message));
}

Result<std::optional<int32_t>> Parse(std::string_view property, doc::Value value) {
  std::optional<int32_t> ttl = ttl::ParseTtl(value.AsWholeNumber());
  if (!ttl) return Invalid(property, value);
  return ttl;
}

}  // namespace

Result<std::optional<int32_t>> ItemTtl(doc::Value ttl) {
  if (ttl.missing()) return std::optional<int32_t>();
  return Parse("ttl", ttl);
}

Result<std::optional<int32_t>> ContainerTtl(doc::Value default_ttl) {
  if (default_ttl.missing() || default_ttl.type() == doc::Type::kNull) return std::optional<int32_t>();
  return Parse("defaultTtl", default_ttl);
}

Status CheckAnalyticalTtl(doc::Value ttl) {
  if (ttl.missing() || ttl.type() == doc::Type::kNull || ttl.AsWholeNumber() == 0) return Status::Ok();
  Result<std::optional<int32_t>> parsed = Parse("analyticalStorageTtl", ttl);
  return parsed.ok() ? Status::Ok() : parsed.status();
}

}  // namespace lapse::api::cosmos
