#include "api/cosmos/request_charge.h"

#include <algorithm>

#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kKilobyte = 1024;

// Kilobytes begun, at least one.
int64_t Kilobytes(size_t bytes) {
  return static_cast<int64_t>(std::max<size_t>(1, (bytes + kKilobyte - 1) / kKilobyte));
}

}  // namespace

size_t ChargedBytes(std::string_view document) {
  constexpr std::string_view kTtl = "ttl";
  constexpr size_t kAroundName_bytes = 2;  // the type before it, the zero after it
  if (document.empty()) return 0;          // a delete has none
  doc::Value ttl = doc::Find(document, kTtl);
  return document.size() - (ttl.missing() ? 0 : kTtl.size() + kAroundName_bytes + ttl.raw().size());
}

// 1 KB costs 1, 100 KB cost 10, and on along the same line.
Charge PointReadCharge(size_t bytes) {
  return {100 + (Kilobytes(bytes) - 1) * 900 / 99};
}

// Every kilobyte after the first adds what makes 100 KB cost 50.
Charge WriteCharge(size_t bytes) {
  return {500 + (Kilobytes(bytes) - 1) * 4500 / 99};
}

// The look-up, then each item, then what is sent beyond a kilobyte.
Charge FeedCharge(size_t items, size_t bytes) {
  return {100 + static_cast<int64_t>(items) * 5 + (Kilobytes(bytes) - 1) * 9};
}

void AppendCharge(Charge charge, std::string* out) {
  out->append(std::to_string(charge.hundredths / 100));
  int64_t rest = charge.hundredths % 100;
  if (rest == 0) return;
  out->push_back('.');
  out->push_back(static_cast<char>('0' + rest / 10));
  if (rest % 10 != 0) out->push_back(static_cast<char>('0' + rest % 10));
}

}  // namespace lapse::api::cosmos
