// Which policy was in force when. It tells at which instant an item became invisible, and lets a partition that missed
// changes of the policy make up for them. Pure.
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
  // The changes that are kept, apart from those that a partition has yet to pass. An item that died before the oldest
  // of them and was not purged since is dated to that change.
  static constexpr size_t kEpochsMax = 1000;

  struct Epoch {
    uint64_t revision = 1;  // of the policy; rises by one with each epoch
    int64_t from_ms = 0;
    Policy policy = {};
    bool log_begins = false;  // the change log begins with this change

    bool operator==(const Epoch&) const = default;
  };

  // Appends an epoch, whose revision follows the last one. Drops the oldest epochs beyond kEpochsMax, but none from
  // `keep_from` on: the least revision that any partition has passed.
  void Add(Epoch epoch, uint64_t keep_from);

  // The epoch of a revision; null if it is not kept.
  const Epoch* Find(uint64_t revision) const;

  // When records of the rule with this base died: at their deadline under the policy then in force, or when a change
  // put the deadline into the past. Returns nullopt if no policy in force until now_ms has expired them. After the
  // clock was set back, epochs from before cannot be told apart from what comes, and are not asked.
  std::optional<int64_t> DiedAtMs(RuleId rule, int64_t base_ms, int64_t now_ms) const;

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 2
  //   1       8     revision of the first epoch; the others follow one by one
  //   9       4     number of epochs
  //   then          each: from in milliseconds (8, signed); flags (1; bit 0: the change log begins); policy (see
  //   Policy)
  //
  // Decode takes them off the front of `bytes`. Returns false, changing nothing, if they are no history.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, PolicyHistory* history);

  const std::vector<Epoch>& epochs() const { return epochs_; }
  bool operator==(const PolicyHistory&) const = default;

 private:
  std::vector<Epoch> epochs_;  // each holds until the next begins
};

}  // namespace lapse::ttl
