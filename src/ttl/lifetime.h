// What a record says about its own lifetime, and the encoding of that at the front of the record.
//
// A record may expire by several rules. A rule is a pair of base time and offset. The record holds the base and the
// container's policy the offset, so that changing an offset touches no record.
//
//   rule        base                       offset                       applies to
//   kInherit    the record's _ts           the container's default      records without an own ttl
//   kOwn        _ts + own ttl (deadline)   0                            records with an own ttl > 0
//   date rules  a date the user supplied   the rule's expireAfter       records that carry a base for that rule
//
// An own ttl of -1 exempts a record from kInherit and kOwn, but not from date rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::ttl {

using RuleId = uint32_t;
constexpr RuleId kInheritRule = 0;
constexpr RuleId kOwnRule = 1;
constexpr RuleId kFirstDateRule = 2;  // never reused within a container

constexpr int32_t kTtlForever = -1;  // as an own ttl or a default: no expiry
constexpr int32_t kTtlMax_s = 2147483647;

struct Lifetime {
  struct DateBase {
    RuleId rule;
    int64_t base_ms;

    bool operator==(const DateBase&) const = default;
  };

  int64_t ts_s = 0;                     // _ts: time of the commit that wrote the record
  uint64_t sequence = 0;                // position among the changes of its partition
  std::optional<int32_t> own_ttl = {};  // kTtlForever or 1..kTtlMax_s
  std::vector<DateBase> dates = {};     // at most one for each rule, at most 65535

  // Returns kInherit or kOwn, whichever governs the record, or none for an own ttl of -1.
  std::optional<RuleId> ServerRule() const {
    if (!own_ttl) return kInheritRule;
    if (*own_ttl == kTtlForever) return std::nullopt;
    return kOwnRule;
  }

  // Returns the base of ServerRule() in milliseconds (kInherit: _ts; kOwn: the deadline), saturating. Without such a
  // rule, returns _ts.
  int64_t ServerBaseMs() const;

  bool operator==(const Lifetime&) const = default;
};

// The lifetime header. Integers are little-endian.
//
//   offset  size  field
//   0       1     bits 7-4: version, 1; bit 0: an own ttl follows; bit 1: dates follow; bits 3-2: zero
//   1       8     _ts in seconds, signed
//   9       8     sequence number, unsigned
//   17      4     own ttl in seconds, signed: -1 or 1..2147483647         (only with bit 0)
//   then    2     number of dates, unsigned, not zero                     (only with bit 1)
//   then    12    each date: rule id, 4 bytes unsigned, not below 2; base in milliseconds, 8 bytes signed
//
// Decode takes the header off the front of `record`. It reuses the memory of `lifetime`, and allocates only if there
// are dates. Returns false, leaving `record` unchanged and `lifetime` unspecified, if the bytes are not a header.
void EncodeLifetime(const Lifetime& lifetime, std::string* out);
bool DecodeLifetime(std::string_view* record, Lifetime* lifetime);

}  // namespace lapse::ttl
