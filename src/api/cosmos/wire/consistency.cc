#include "api/cosmos/wire/consistency.h"

#include <array>
#include <string>

namespace lapse::api::cosmos {
namespace {

constexpr std::array<std::string_view, 5> kConsistencyNames = {"Strong", "BoundedStaleness", "Session",
                                                               "ConsistentPrefix", "Eventual"};

}  // namespace

std::string_view ConsistencyName(Consistency level) {
  return kConsistencyNames[static_cast<size_t>(level)];
}

std::optional<Consistency> ParseConsistency(std::string_view name) {
  for (size_t i = 0; i < kConsistencyNames.size(); ++i) {
    if (name == kConsistencyNames[i]) return static_cast<Consistency>(i);
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

Result<Consistency> RequestedStrategy(std::string_view header, Consistency account) {
  if (header == "Eventual") return Consistency::kEventual;
  if (header == "Session") return Consistency::kSession;
  // What a quorum has, at the same price.
  if (header == "LatestCommitted") return Consistency::kBoundedStaleness;
  if (header == "GlobalStrong") {
    if (account == Consistency::kStrong) return Consistency::kStrong;
    return Status(Code::kInvalidArgument,
                  "The value GlobalStrong of x-ms-cosmos-read-consistency-strategy needs an account whose consistency "
                  "level is Strong.");
  }
  return Status(Code::kInvalidArgument,
                "The value of x-ms-cosmos-read-consistency-strategy must be Eventual, Session, LatestCommitted or "
                "GlobalStrong.");
}

Result<Consistency> ConsistencyOf(const net::Request& request, Consistency account) {
  const std::string_view level = request.Header("x-ms-consistency-level");
  const std::string_view strategy = request.Header("x-ms-cosmos-read-consistency-strategy");
  if (!level.empty() && !strategy.empty()) {
    return Status(Code::kInvalidArgument,
                  "A request may have x-ms-consistency-level or x-ms-cosmos-read-consistency-strategy, not both.");
  }
  if (!level.empty()) return RequestedConsistency(level, account);
  if (!strategy.empty()) return RequestedStrategy(strategy, account);
  return account;
}

}  // namespace lapse::api::cosmos
