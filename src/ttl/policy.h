// When is a record dead? The whole rule, pure: no clock, no I/O, no threads. Every reader and every writer
// decides with IsDead below and nothing else; compactions go by purged floors, which only cover what IsDead says is
// dead. `ttl/lifetime.h` says what the rules are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ttl/floors.h"
#include "ttl/lifetime.h"

namespace lapse::ttl {

// A container's say: is TTL on, what is the default, which date rules exist.
struct Policy {
  struct DateRule {
    RuleId rule;
    int64_t expire_after_s;  // 0..kTtlMax_s

    bool operator==(const DateRule&) const = default;
  };

  // nullopt: TTL is off. kTtlForever: on without a default. Otherwise the default in seconds.
  std::optional<int32_t> default_ttl = {};
  std::vector<DateRule> date_rules = {};  // in force whether TTL is on or off; at most 65535

  bool on() const { return default_ttl.has_value(); }

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     bits 7-4: version, 1; bit 0: TTL is on, a default follows; bits 3-1: zero
  //   1       4     default in seconds, signed: -1 or 1..2147483647         (only with bit 0)
  //   then    2     number of date rules, unsigned
  //   then    8     each rule: rule id, 4 bytes unsigned, not below 2; expireAfter in seconds, 4 bytes: 0..2147483647
  //
  // Decode takes them off the front of `bytes`. False when the bytes are not a policy: then nothing has changed.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, Policy* policy);

  bool operator==(const Policy&) const = default;
};

// The instant a record expires under a policy, in milliseconds; nullopt for never. Floors are not looked at. A sum that
// does not fit is the greatest int64, which store time never reaches.
std::optional<int64_t> DeadlineMs(const Lifetime& lifetime, const Policy& policy);

// Dead under the policy at now_ms, or under a floor. Allocates nothing.
bool IsDead(const Lifetime& lifetime, const Policy& policy, const Floors& dead, const Floors& purged, int64_t now_ms);

// The same for all records at once that share a rule, a base and a side of every floor: `sequence` is that of any of
// them. Records that could die by several rules are not asked about this way.
bool IsDead(RuleId rule, int64_t base_ms, uint64_t sequence, const Policy& policy, const Floors& dead, int64_t now_ms);

// When records of the rule with this base expire; nullopt: never.
std::optional<int64_t> DeadlineMs(RuleId rule, int64_t base_ms, const Policy& policy);

// No record of the rule with a greater base is dead; nullopt: none is.
std::optional<int64_t> LastDeadBaseMs(RuleId rule, const Policy& policy, const Floors& dead, int64_t now_ms);

// The dead floors a container needs when its policy changes from `before` to `after` at now_ms, so that nothing that
// had expired comes back: `floors` raised by what expired under `before`. `last_sequence` is the newest sequence number
// given out. Nothing is raised that the change could not revive.
void RaiseForChange(const Policy& before, const Policy& after, int64_t now_ms, uint64_t last_sequence, Floors* floors);

}  // namespace lapse::ttl
