// The consistency levels. One node always provides the strongest. A level determines which levels a client may request,
// and the price of reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// From strongest to weakest.
enum class Consistency : uint8_t { kStrong, kBoundedStaleness, kSession, kConsistentPrefix, kEventual };

// "BoundedStaleness", as the API writes it.
std::string_view ConsistencyName(Consistency level);
// Returns nullopt for an unknown level.
std::optional<Consistency> ParseConsistency(std::string_view name);

// Returns the level that a request asks for. Fails: kInvalidArgument for an unknown level, or one stronger than the
// account's.
Result<Consistency> RequestedConsistency(std::string_view header, Consistency account);

// The same for x-ms-cosmos-read-consistency-strategy, which newer clients send instead: Eventual, Session,
// LatestCommitted, GlobalStrong. GlobalStrong needs an account with strong consistency.
Result<Consistency> RequestedStrategy(std::string_view header, Consistency account);

// Returns what a request asks for by either header, or the account's level if it asks for nothing. Fails:
// kInvalidArgument, also if both headers are present.
Result<Consistency> ConsistencyOf(const net::Request& request, Consistency account);

// Whether reads at this level cost double.
constexpr bool ReadsCostDouble(Consistency level) {
  return level == Consistency::kStrong || level == Consistency::kBoundedStaleness;
}

}  // namespace lapse::api::cosmos
