#include "api/cosmos/wire/activity_id.h"

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/random.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kClientIdCharsMax = 64;

bool IsPlainToken(std::string_view text) {
  if (text.empty() || text.size() > kClientIdCharsMax) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return IsDigit(c) || IsLetter(c) || c == '-'; });
}

// Seeded once per thread.
uint64_t NextRandom() {
  thread_local SplitMix64 random = [] {
    std::random_device device;
    return SplitMix64(uint64_t{device()} << 32 | device());
  }();
  return random.Next();
}

}  // namespace

void AppendActivityId(std::string_view from_client, std::string* out) {
  if (IsPlainToken(from_client)) {
    out->append(from_client);
    return;
  }
  const uint64_t high = NextRandom();
  AppendGuid(high, NextRandom(), out);
}

}  // namespace lapse::api::cosmos
