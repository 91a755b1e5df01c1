#include "api/cosmos/wire/consistency.h"

#include <array>
#include <string>

namespace lapse::api::cosmos {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"Strong", "BoundedStaleness", "Session", "ConsistentPrefix",
                                                    "Eventual"};

}  // namespace

std::string_view ConsistencyName(Consistency level) {
  return kNames[static_cast<size_t>(level)];
}

std::optional<Consistency> ParseConsistency(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<Consistency>(i);
  }
  return std::nullopt;
}

Result<Consistency> RequestedConsistency(std::string_view header, Consistency account) {
  const std::optional<Consistency> asked = ParseConsistency(header);
  if (!asked) return Status(Code::kInvalidArgument, "The value of x-ms-consistency-level is not a consistency level.");
  if (*asked >= account) return *asked;
  return Status(Code::kInvalidArgument,
                "ConsistencyLevel " + std::string(header) +
                    " specified in the request is invalid when service is configured with consistency level " +
                    std::string(ConsistencyName(account)) +
                    ". Ensure the request consistency level is not stronger than the service consistency level.");
}

}  // namespace lapse::api::cosmos
