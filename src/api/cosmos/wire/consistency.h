// The consistency levels. One node gives the strongest to everybody; a level says what a client may ask for, and what
// reads cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// From the strongest to the weakest.
enum class Consistency : uint8_t { kStrong, kBoundedStaleness, kSession, kConsistentPrefix, kEventual };

// "BoundedStaleness", as the API writes it.
std::string_view ConsistencyName(Consistency level);
// Nothing for what is no level.
std::optional<Consistency> ParseConsistency(std::string_view name);

// The level that a request asks for. Fails: kInvalidArgument for what is no level, or
// is stronger than the account's.
Result<Consistency> RequestedConsistency(std::string_view header, Consistency account);

// The same for x-ms-cosmos-read-consistency-strategy, which newer clients send instead: Eventual, Session,
// LatestCommitted, GlobalStrong. The last one needs an account that is strong.
Result<Consistency> RequestedStrategy(std::string_view header, Consistency account);

// What a request asks for by either header; the account's level when it asks for nothing. Fails: kInvalidArgument, also
// when both are there.
Result<Consistency> ConsistencyOf(const net::Request& request, Consistency account);

// Whether reads at this level cost double.
constexpr bool ReadsCostDouble(Consistency level) {
  return level == Consistency::kStrong || level == Consistency::kBoundedStaleness;
}

}  // namespace lapse::api::cosmos
