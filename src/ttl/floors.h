// Floors: what stays dead, however the policy and the time change. They make "expired is for ever" free per record.
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

// The floors of one container or one partition, per rule. They only rise: a record under a floor stays under it. A rule
// has several floors only if none covers another. That happens with bases supplied by users, and after a clock was set
// back: later records have a lower _ts but a higher sequence number.
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
  // Whether a floor of any rule that governs the record covers it. Allocates nothing.
  bool Covers(const Lifetime& lifetime) const;
  // Whether every record under a floor of the other is under one of these.
  bool CoverAll(const Floors& other) const;
  bool empty() const { return entries_.empty(); }

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 1
  //   1       4     number of entries, unsigned
  //   5       20    each entry: rule id, 4 bytes unsigned; base in milliseconds, 8 bytes signed;
  //                 sequence number, 8 bytes unsigned
  //
  // Entries are in the order of entries(). Decode takes them off the front of `bytes`. Returns false, changing nothing,
  // if the bytes are not floors.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, Floors* floors);

  // Sorted by rule, then by ascending base. Within a rule the sequence number descends.
  const std::vector<Entry>& entries() const { return entries_; }

  bool operator==(const Floors&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace lapse::ttl
