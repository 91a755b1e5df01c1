// When is a record dead? The whole rule, pure: no clock, no I/O, no threads. Every reader, every writer and every
// compaction decides with IsDead below and nothing else.
//
// A record may expire by several rules. A rule is (base time, offset): the record carries the base, the container's
// policy the offset, so changing an offset touches no record.
//
//   rule        base                       offset                       applies to
//   kInherit    the record's _ts           the container's default      records without an own ttl
//   kOwn        _ts + own ttl (deadline)   0                            records with an own ttl > 0
//   date rules  a date the user supplied   the rule's expireAfter       records that carry a base for that rule
//
// An own ttl of -1 takes a record out of kInherit and kOwn; date rules apply all the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::ttl {

using RuleId = uint32_t;
constexpr RuleId kInheritRule = 0;
constexpr RuleId kOwnRule = 1;
constexpr RuleId kFirstDateRule = 2;  // never reused within a container

constexpr int32_t kTtlForever = -1;          // as an own ttl or a default: no expiry
constexpr int32_t kTtlMax_s = 2147483647;

// What every record says about its own lifetime.
struct Lifetime {
  struct DateBase {
    RuleId rule;
    int64_t base_ms;
  };

  int64_t ts_s = 0;                 // _ts: the commit that wrote the record
  uint64_t lsn = 0;                 // its place in the container's commit order
  std::optional<int32_t> own_ttl;   // kTtlForever or 1..kTtlMax_s
  std::vector<DateBase> dates;

  // The rule of the pair kInherit/kOwn that governs the record; none for an own ttl of -1.
  std::optional<RuleId> ServerRule() const;
  // Base of ServerRule() in milliseconds (kInherit: _ts; kOwn: the deadline, saturating).
  int64_t ServerBaseMs() const;
};

// The bytes of a lifetime header at the front of a record (docs/formats.md). Decode takes them off the front of
// `record`; false when they are not a header.
void EncodeLifetime(const Lifetime& lifetime, std::string* out);
bool DecodeLifetime(std::string_view* record, Lifetime* lifetime);

// "Records of this rule with base <= base_ms and LSN <= lsn are dead."
struct Floor {
  int64_t base_ms;
  uint64_t lsn;
};

// The floors of one container or one partition, per rule. They only rise: a record that is under a floor stays under
// it. Several floors of one rule are kept only while none covers the other (bases that a user supplies need that).
class Floors {
 public:
  void Raise(RuleId rule, Floor floor);
  bool Covers(RuleId rule, int64_t base_ms, uint64_t lsn) const;
  // Under a floor of any rule that governs it.
  bool Covers(const Lifetime& lifetime) const;
  bool empty() const { return entries_.empty(); }

  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, Floors* floors);

  struct Entry {
    RuleId rule;
    Floor floor;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

// A container's say: is TTL on, what is the default, which date rules exist.
struct Policy {
  struct DateRule {
    RuleId rule;
    int64_t expire_after_s;
  };

  // nullopt: TTL is off. kTtlForever: on without a default. Otherwise the default in seconds.
  std::optional<int32_t> default_ttl;
  std::vector<DateRule> date_rules;  // in force whether TTL is on or off

  bool on() const { return default_ttl.has_value(); }
};

// The instant a record expires under a policy, in milliseconds; nullopt for never. Floors are not looked at.
std::optional<int64_t> DeadlineMs(const Lifetime& lifetime, const Policy& policy);

// Dead under the policy at now_ms, or under a floor.
bool IsDead(const Lifetime& lifetime, const Policy& policy, const Floors& dead, const Floors& purged, int64_t now_ms);

// The dead floors a container needs when its policy changes from `before` to `after` at now_ms, so that nothing that
// had expired comes back: `floors` raised by what expired under `before`. `last_lsn` is the newest LSN given out.
// Nothing is raised that the change could not revive.
void RaiseForChange(const Policy& before, const Policy& after, int64_t now_ms, uint64_t last_lsn, Floors* floors);

}  // namespace lapse::ttl
