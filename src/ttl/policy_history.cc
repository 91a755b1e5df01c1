#include "ttl/policy_history.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace lapse::ttl {
namespace {

constexpr uint8_t kPolicyHistoryVersion = 2;
constexpr uint8_t kLogBegins = 1;

}  // namespace

void PolicyHistory::Add(Epoch epoch, uint64_t keep_from) {
  epochs_.push_back(std::move(epoch));
  while (epochs_.size() > kEpochsMax && epochs_.front().revision < keep_from) epochs_.erase(epochs_.begin());
}

const PolicyHistory::Epoch* PolicyHistory::Find(uint64_t revision) const {
  if (epochs_.empty() || revision < epochs_.front().revision || revision > epochs_.back().revision) return nullptr;
  return &epochs_[revision - epochs_.front().revision];
}

std::optional<int64_t> PolicyHistory::DiedAtMs(RuleId rule, int64_t base_ms, int64_t now_ms) const {
  size_t first = epochs_.empty() ? 0 : epochs_.size() - 1;
  while (first > 0 && epochs_[first - 1].from_ms <= epochs_[first].from_ms) --first;
  for (size_t i = first; i < epochs_.size(); ++i) {
    const std::optional<int64_t> deadline_ms = DeadlineMs(rule, base_ms, epochs_[i].policy);
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
  PutLittleEndian(out, epochs_.empty() ? uint64_t{0} : epochs_.front().revision);
  PutLittleEndian(out, static_cast<uint32_t>(epochs_.size()));
  for (const Epoch& epoch : epochs_) {
    PutLittleEndian(out, epoch.from_ms);
    PutLittleEndian(out, epoch.log_begins ? kLogBegins : uint8_t{0});
    epoch.policy.Encode(out);
  }
}

bool PolicyHistory::Decode(std::string_view* bytes, PolicyHistory* history) {
  ByteReader front(*bytes);
  if (front.Byte() != kPolicyHistoryVersion) return false;
  uint64_t revision = front.LittleEndian<uint64_t>();
  const uint32_t count = front.LittleEndian<uint32_t>();
  if (!front.ok() || (count == 0) != (revision == 0)) return false;
  std::string_view rest = front.rest();
  std::vector<Epoch> epochs;
  for (uint32_t i = 0; i < count; ++i) {
    ByteReader reader(rest);
    Epoch epoch;
    epoch.revision = revision++;
    epoch.from_ms = reader.LittleEndian<int64_t>();
    const uint8_t flags = reader.Byte();
    epoch.log_begins = flags == kLogBegins;
    if (!reader.ok() || flags > kLogBegins) return false;
    rest = reader.rest();
    if (!Policy::Decode(&rest, &epoch.policy)) return false;
    epochs.push_back(std::move(epoch));
  }
  history->epochs_ = std::move(epochs);
  *bytes = rest;
  return true;
}

}  // namespace lapse::ttl
