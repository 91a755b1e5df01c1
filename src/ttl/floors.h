// Floors: what stays dead, whatever the policy and the time become. They make "expired is for ever" cost nothing per
// record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ttl/lifetime.h"

namespace lapse::ttl {

// "Records of this rule with base <= base_ms and sequence number <= sequence are dead."
struct Floor {
  int64_t base_ms;
  uint64_t sequence;

  bool operator==(const Floor&) const = default;
};

// The floors of one container or one partition, per rule. They only rise: a record that is under a floor stays under
// it. Several floors of one rule are kept only while none covers the other (bases that a user supplies need that, and
// so does a clock that was repaired: what is written after it has a lower _ts, and a higher sequence number).
//
// Threads: none of its own; const calls may run together.
class Floors {
 public:
  struct Entry {
    RuleId rule;
    Floor floor;

    bool operator==(const Entry&) const = default;
  };

  void Raise(RuleId rule, Floor floor);
  bool Covers(RuleId rule, int64_t base_ms, uint64_t sequence) const;
  // Under a floor of any rule that governs it. Allocates nothing.
  bool Covers(const Lifetime& lifetime) const;
  // Whether every record under a floor of the other is under one of these.
  bool CoverAll(const Floors& other) const;
  bool empty() const { return entries_.empty(); }

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 1
  //   1       4     number of entries, unsigned
  //   5       20    each entry: rule id, 4 bytes unsigned; base in milliseconds, 8 bytes signed; sequence number, 8
  //   bytes unsigned
  //
  // in the order of entries(). Decode takes them off the front of `bytes`. False when the bytes are not floors: then
  // nothing has changed.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, Floors* floors);

  // By rule, then by rising base; within a rule the sequence number falls.
  const std::vector<Entry>& entries() const { return entries_; }

  bool operator==(const Floors&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace lapse::ttl
