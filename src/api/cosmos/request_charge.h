// The price list in request units. Deterministic: the same request on the same data always costs the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapse::api::cosmos {

// Hundredths of a request unit.
struct Charge {
  int64_t hundredths = 0;
};

constexpr Charge kMetadataCharge{100};  // account, databases, containers, ranges
constexpr Charge kFailureCharge{100};   // a request that was refused

// What of a document is paid for: all but the property `ttl`.
size_t ChargedBytes(std::string_view document);

// `bytes` are charged bytes.
Charge PointReadCharge(size_t bytes);
Charge WriteCharge(size_t bytes);
Charge FeedCharge(size_t items, size_t bytes);

// `1`, `5.71`: at most two decimals.
void AppendCharge(Charge charge, std::string* out);

}  // namespace lapse::api::cosmos
