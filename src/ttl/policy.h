// Decides when a record is dead. Pure: no clock, no I/O, no threads. Every reader and writer decides with IsDead alone.
// Compactions use purged floors, which cover only what IsDead reports as dead. `ttl/lifetime.h` explains the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ttl/floors.h"
#include "ttl/lifetime.h"

namespace lapse::ttl {

// A container's settings: whether TTL is on, the default, and the date rules.
struct Policy {
  struct DateRule {
    RuleId rule;
    int64_t expire_after_s;  // 0..kTtlMax_s

    bool operator==(const DateRule&) const = default;
  };

  // nullopt: TTL is off. kTtlForever: on without a default. Otherwise the default in seconds.
  std::optional<int32_t> default_ttl = {};
  std::vector<DateRule> date_rules = {};  // apply even while TTL is off; at most 65535

  bool on() const { return default_ttl.has_value(); }

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     bits 7-4: version, 1; bit 0: TTL is on, a default follows; bits 3-1: zero
  //   1       4     default in seconds, signed: -1 or 1..2147483647         (only with bit 0)
  //   then    2     number of date rules, unsigned
  //   then    8     each rule: rule id, 4 bytes unsigned, not below 2; expireAfter in seconds, 4 bytes: 0..2147483647
  //
  // Decode takes them off the front of `bytes`. Returns false, changing nothing, if the bytes are not a policy.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, Policy* policy);

  bool operator==(const Policy&) const = default;
};

// Returns when a record expires under a policy, in milliseconds, or nullopt for never. Ignores floors. On overflow
// returns the greatest int64, which store time never reaches.
std::optional<int64_t> DeadlineMs(const Lifetime& lifetime, const Policy& policy);

// Whether the record is dead under the policy at now_ms, or under a floor. Allocates nothing.
bool IsDead(const Lifetime& lifetime, const Policy& policy, const Floors& dead, const Floors& purged, int64_t now_ms);

// Same for all records that share a rule, a base and a side of every floor. `sequence` is that of any of them. Not for
// records that several rules may expire.
bool IsDead(RuleId rule, int64_t base_ms, uint64_t sequence, const Policy& policy, const Floors& dead, int64_t now_ms);

// Returns when records of the rule with this base expire, or nullopt for never.
std::optional<int64_t> DeadlineMs(RuleId rule, int64_t base_ms, const Policy& policy);

// Returns a base above which no record of the rule is dead, or nullopt if none is dead.
std::optional<int64_t> LastDeadBaseMs(RuleId rule, const Policy& policy, const Floors& dead, int64_t now_ms);

// Raises `floors` when a container's policy changes from `before` to `after` at now_ms, so that nothing that expired
// under `before` comes back. `last_sequence` is the newest sequence number in use. Raises only what the change could
// revive.
void RaiseForChange(const Policy& before, const Policy& after, int64_t now_ms, uint64_t last_sequence, Floors* floors);

}  // namespace lapse::ttl
