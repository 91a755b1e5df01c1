#include "ttl/policy.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "base/bytes.h"
#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

constexpr uint8_t kPolicyVersion = 1 << 4;
constexpr uint8_t kOn = 1 << 0;
constexpr size_t kDateRuleBytes = sizeof(RuleId) + sizeof(int32_t);

// Returns the greatest base that a rule with this offset has expired at now_ms, or nullopt if that is out of range.
// Both expiry and floors use it, so a floor covers exactly what had expired.
std::optional<int64_t> LastExpiredBaseMs(int64_t offset_s, int64_t now_ms) {
  int64_t base_ms = 0;
  if (__builtin_sub_overflow(now_ms, SaturatingSecondsToMs(offset_s), &base_ms)) return std::nullopt;
  return base_ms;
}

bool HasExpired(int64_t base_ms, int64_t offset_s, int64_t now_ms) {
  auto last = LastExpiredBaseMs(offset_s, now_ms);
  return last && base_ms <= *last;
}

// Returns the policy's offset for a rule, or nullopt if the rule expires nothing.
std::optional<int64_t> OffsetOf(RuleId rule, const Policy& policy) {
  if (rule == kOwnRule) return policy.on() ? std::optional<int64_t>(0) : std::nullopt;
  if (rule == kInheritRule) {
    if (!policy.on() || *policy.default_ttl == kTtlForever) return std::nullopt;
    return *policy.default_ttl;
  }
  for (const Policy::DateRule& date_rule : policy.date_rules) {
    if (date_rule.rule == rule) return date_rule.expire_after_s;
  }
  return std::nullopt;
}

bool HasExpiredUnder(const Lifetime& lifetime, const Policy& policy, int64_t now_ms) {
  if (auto rule = lifetime.ServerRule()) {
    auto offset_s = OffsetOf(*rule, policy);
    if (offset_s && HasExpired(lifetime.ServerBaseMs(), *offset_s, now_ms)) return true;
  }
  return std::any_of(lifetime.dates.begin(), lifetime.dates.end(), [&](const Lifetime::DateBase& date) {
    auto offset_s = OffsetOf(date.rule, policy);
    return offset_s && HasExpired(date.base_ms, *offset_s, now_ms);
  });
}

void RaiseRuleForChange(RuleId rule, const Policy& before, const Policy& after, int64_t now_ms, uint64_t last_sequence,
                        Floors* floors) {
  auto old_offset_s = OffsetOf(rule, before);
  if (!old_offset_s) return;
  auto new_offset_s = OffsetOf(rule, after);
  bool still_expires_all = new_offset_s && *new_offset_s <= *old_offset_s;
  if (still_expires_all) return;
  if (auto base_ms = LastExpiredBaseMs(*old_offset_s, now_ms)) floors->Raise(rule, Floor{*base_ms, last_sequence});
}

bool DecodeDateRules(ByteReader* reader, std::vector<Policy::DateRule>* date_rules) {
  size_t count = reader->LittleEndian<uint16_t>();
  if (!reader->ok() || reader->rest().size() < count * kDateRuleBytes) return false;
  date_rules->reserve(count);
  for (size_t i = 0; i < count; ++i) {
    RuleId rule = reader->LittleEndian<RuleId>();
    int32_t expire_after_s = reader->LittleEndian<int32_t>();
    if (rule < kFirstDateRule || expire_after_s < 0) return false;
    date_rules->push_back({rule, expire_after_s});
  }
  return true;
}

}  // namespace

void Policy::Encode(std::string* out) const {
  assert(!default_ttl || *default_ttl == kTtlForever || *default_ttl > 0);
  assert(date_rules.size() <= std::numeric_limits<uint16_t>::max());

  PutLittleEndian(out, static_cast<uint8_t>(on() ? kPolicyVersion | kOn : kPolicyVersion));
  if (default_ttl) PutLittleEndian(out, *default_ttl);
  PutLittleEndian(out, static_cast<uint16_t>(date_rules.size()));
  for (const DateRule& date_rule : date_rules) {
    assert(date_rule.rule >= kFirstDateRule);
    assert(date_rule.expire_after_s >= 0 && date_rule.expire_after_s <= kTtlMax_s);
    PutLittleEndian(out, date_rule.rule);
    PutLittleEndian(out, static_cast<int32_t>(date_rule.expire_after_s));
  }
}

bool Policy::Decode(std::string_view* bytes, Policy* policy) {
  ByteReader reader(*bytes);
  uint8_t flags = reader.Byte();
  if ((flags & ~kOn) != kPolicyVersion) return false;
  Policy decoded;
  if (flags & kOn) {
    decoded.default_ttl = reader.LittleEndian<int32_t>();
    if (*decoded.default_ttl != kTtlForever && *decoded.default_ttl <= 0) return false;
  }
  if (!DecodeDateRules(&reader, &decoded.date_rules)) return false;
  *policy = std::move(decoded);
  *bytes = reader.rest();
  return true;
}

std::optional<int64_t> DeadlineMs(RuleId rule, int64_t base_ms, const Policy& policy) {
  auto offset_s = OffsetOf(rule, policy);
  if (!offset_s) return std::nullopt;
  return SaturatingAdd(base_ms, SaturatingSecondsToMs(*offset_s));
}

std::optional<int64_t> DeadlineMs(const Lifetime& lifetime, const Policy& policy) {
  std::optional<int64_t> earliest_ms;
  auto consider = [&](RuleId rule, int64_t base_ms) {
    auto deadline_ms = DeadlineMs(rule, base_ms, policy);
    if (deadline_ms) earliest_ms = std::min(earliest_ms.value_or(*deadline_ms), *deadline_ms);
  };
  if (auto rule = lifetime.ServerRule()) consider(*rule, lifetime.ServerBaseMs());
  for (const Lifetime::DateBase& date : lifetime.dates) consider(date.rule, date.base_ms);
  return earliest_ms;
}

bool IsDead(const Lifetime& lifetime, const Policy& policy, const Floors& dead, const Floors& purged, int64_t now_ms) {
  return HasExpiredUnder(lifetime, policy, now_ms) || dead.Covers(lifetime) || purged.Covers(lifetime);
}

bool IsDead(RuleId rule, int64_t base_ms, uint64_t sequence, const Policy& policy, const Floors& dead, int64_t now_ms) {
  auto offset_s = OffsetOf(rule, policy);
  return (offset_s && HasExpired(base_ms, *offset_s, now_ms)) || dead.Covers(rule, base_ms, sequence);
}

std::optional<int64_t> LastDeadBaseMs(RuleId rule, const Policy& policy, const Floors& dead, int64_t now_ms) {
  std::optional<int64_t> last_ms;
  if (auto offset_s = OffsetOf(rule, policy)) last_ms = LastExpiredBaseMs(*offset_s, now_ms);
  for (const Floors::Entry& entry : dead.entries()) {
    if (entry.rule == rule) last_ms = std::max(last_ms.value_or(entry.floor.base_ms), entry.floor.base_ms);
  }
  return last_ms;
}

void RaiseForChange(const Policy& before, const Policy& after, int64_t now_ms, uint64_t last_sequence, Floors* floors) {
  RaiseRuleForChange(kInheritRule, before, after, now_ms, last_sequence, floors);
  RaiseRuleForChange(kOwnRule, before, after, now_ms, last_sequence, floors);
  for (const Policy::DateRule& date_rule : before.date_rules) {
    RaiseRuleForChange(date_rule.rule, before, after, now_ms, last_sequence, floors);
  }
}

}  // namespace lapse::ttl
