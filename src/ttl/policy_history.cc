#include "ttl/policy_history.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace lapse::ttl {
namespace {

constexpr uint8_t kPolicyHistoryVersion = 1;
constexpr size_t kEpochBytes = sizeof(int64_t) + 1 + sizeof(int32_t);

bool IsDefault(int32_t ttl) {
  return ttl == kTtlForever || ttl > 0;
}

}  // namespace

void PolicyHistory::Add(int64_t from_ms, std::optional<int32_t> default_ttl) {
  if (!epochs_.empty() && epochs_.back().default_ttl == default_ttl) return;
  if (!epochs_.empty() && from_ms < epochs_.back().from_ms) epochs_.clear();
  epochs_.push_back({from_ms, default_ttl});
  if (epochs_.size() > kEpochsMax) epochs_.erase(epochs_.begin());
}

std::optional<int64_t> PolicyHistory::DiedAtMs(RuleId rule, int64_t base_ms, int64_t now_ms) const {
  for (size_t i = 0; i < epochs_.size(); ++i) {
    Policy policy;
    policy.default_ttl = epochs_[i].default_ttl;
    const std::optional<int64_t> deadline_ms = DeadlineMs(rule, base_ms, policy);
    if (!deadline_ms) continue;
    const int64_t died_ms = std::max(*deadline_ms, epochs_[i].from_ms);
    const bool last = i + 1 == epochs_.size();
    // A change in the very millisecond of the deadline comes after it: it raised a floor over what had expired.
    if (last ? died_ms <= now_ms : died_ms <= epochs_[i + 1].from_ms) return died_ms;
  }
  return std::nullopt;
}

void PolicyHistory::Encode(std::string* out) const {
  PutLittleEndian(out, kPolicyHistoryVersion);
  PutLittleEndian(out, static_cast<uint32_t>(epochs_.size()));
  for (const Epoch& epoch : epochs_) {
    PutLittleEndian(out, epoch.from_ms);
    PutLittleEndian(out, static_cast<uint8_t>(epoch.default_ttl.has_value()));
    PutLittleEndian(out, epoch.default_ttl.value_or(0));
  }
}

bool PolicyHistory::Decode(std::string_view* bytes, PolicyHistory* history) {
  ByteReader reader(*bytes);
  if (reader.Byte() != kPolicyHistoryVersion) return false;
  const uint32_t count = reader.LittleEndian<uint32_t>();
  if (!reader.ok() || reader.rest().size() / kEpochBytes < count) return false;

  std::vector<Epoch> epochs;
  epochs.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Epoch epoch{};
    epoch.from_ms = reader.LittleEndian<int64_t>();
    const uint8_t on = reader.Byte();
    const int32_t default_ttl = reader.LittleEndian<int32_t>();
    if (on > 1 || (on == 1 && !IsDefault(default_ttl)) || (on == 0 && default_ttl != 0)) return false;
    if (on == 1) epoch.default_ttl = default_ttl;
    if (!epochs.empty() && epoch.from_ms < epochs.back().from_ms) return false;
    epochs.push_back(epoch);
  }
  history->epochs_ = std::move(epochs);
  *bytes = reader.rest();
  return true;
}

}  // namespace lapse::ttl
