#include "api/cosmos/wire/request_body.h"

#include "doc/json.h"

namespace lapse::api::cosmos {

Status ItemTooLarge() {
  return {Code::kTooLarge, "Request size is too large"};
}

Result<std::string> ParseBody(std::string_view body) {
  constexpr doc::JsonLimits kLimits{.depth_max = kItemDepthMax, .bytes_max = kItemBytesMax};
  std::string document;
  Status parsed = doc::JsonToBson(body, kLimits, &document);
  if (parsed.ok()) return document;
  if (parsed.code() == Code::kTooLarge) return ItemTooLarge();
  return Status(Code::kInvalidArgument, "The input content is invalid: " + parsed.message());
}

bool IsAbsent(doc::Value value) {
  return value.missing() || value.type() == doc::Type::kNull;
}

}  // namespace lapse::api::cosmos
