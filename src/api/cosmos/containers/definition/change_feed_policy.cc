#include "api/cosmos/containers/definition/change_feed_policy.h"

#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/sent_json.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kChangeFeedPolicy = "changeFeedPolicy";
constexpr std::string_view kDuration = "retentionDuration";

}  // namespace

Result<int64_t> ChangeLogRetention(doc::Value policy, std::string_view json) {
  if (IsAbsent(policy)) return int64_t{0};
  if (policy.type() != doc::Type::kObject) return Status(Code::kInvalidArgument, "changeFeedPolicy must be an object");
  doc::Value duration = doc::Find(policy.AsDocument(), kDuration);
  if (duration.missing()) return int64_t{0};
  std::optional<int64_t> minutes = duration.AsWholeNumber();
  if (minutes && *minutes >= 0 && *minutes <= kRetentionMinutesMax) return *minutes * 60;
  std::string message = "The input retentionDuration '";
  message.append(QuotedMember(SentMember(json, kChangeFeedPolicy), kDuration, duration));
  message.append(
      "' of changeFeedPolicy is invalid. Ensure to provide a whole number of minutes less than or equal to '");
  message.append(std::to_string(kRetentionMinutesMax))
      .append("' (30 days), or '0' which means that no versions are kept.");
  return Status(Code::kInvalidArgument, std::move(message));
}

}  // namespace lapse::api::cosmos
