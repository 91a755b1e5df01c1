// Which policy was in force when. It tells at which instant an item became invisible, and lets a partition catch up
// with policy changes it has missed. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ttl/policy.h"

namespace lapse::ttl {

// Threads: none of its own; const calls may run together.
class PolicyHistory {
 public:
  // Number of changes kept, in addition to those that a partition has not passed yet. An item that died before the
  // oldest one and has not been purged is dated to that change.
  static constexpr size_t kEpochsMax = 1000;

  struct Epoch {
    uint64_t revision = 1;  // of the policy; rises by one with each epoch
    int64_t from_ms = 0;
    Policy policy = {};
    bool log_begins = false;  // the change log begins with this change

    bool operator==(const Epoch&) const = default;
  };

  // Appends an epoch, whose revision must follow the last one. Drops the oldest epochs beyond kEpochsMax, but none from
  // `keep_from` on, the lowest revision that any partition has passed.
  void Add(Epoch epoch, uint64_t keep_from);

  // Returns the epoch of a revision, or null if it is no longer kept.
  const Epoch* Find(uint64_t revision) const;

  // Returns when records of the rule with this base died: at their deadline under the policy then in force, or when a
  // change moved the deadline into the past. Returns nullopt if no policy in force until now_ms has expired them. After
  // the clock was set back, ignores earlier epochs, whose times are ambiguous.
  std::optional<int64_t> DiedAtMs(RuleId rule, int64_t base_ms, int64_t now_ms) const;

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 2
  //   1       8     revision of the first epoch; the others follow one by one
  //   9       4     number of epochs
  //   then          each: from in milliseconds (8, signed); flags (1; bit 0: the change log begins);
  //                 policy (see Policy)
  //
  // Decode takes them off the front of `bytes`. Returns false, changing nothing, if they are no history.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, PolicyHistory* history);

  const std::vector<Epoch>& epochs() const { return epochs_; }
  bool operator==(const PolicyHistory&) const = default;

 private:
  std::vector<Epoch> epochs_;  // each applies until the next begins
};

}  // namespace lapse::ttl
