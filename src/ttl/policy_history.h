// Which default was in force when: what tells at which instant an item became invisible. Pure.
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
  // Changes that are remembered. Of an item that died before the oldest of them and was not purged since, the death is
  // dated to that change.
  static constexpr size_t kEpochsMax = 1000;

  struct Epoch {
    int64_t from_ms;
    std::optional<int32_t> default_ttl;  // see Policy

    bool operator==(const Epoch&) const = default;
  };

  // From this instant on the default is this. What changes nothing is not remembered. After a clock that was set back,
  // what was before cannot be told apart from what comes, and is forgotten.
  void Add(int64_t from_ms, std::optional<int32_t> default_ttl);

  // When records of the rule with this base died: at their deadline under the policy then in force, or when a change
  // put the deadline into the past. nullopt: no policy in force until now_ms has expired them.
  std::optional<int64_t> DiedAtMs(RuleId rule, int64_t base_ms, int64_t now_ms) const;

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 1
  //   1       4     number of epochs
  //   5       13    each: from in milliseconds, 8 bytes signed; 1 byte: is TTL on; default, 4 bytes signed, 0 when off
  //
  // Decode takes them off the front of `bytes`. False when the bytes are not a history: then nothing has changed.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, PolicyHistory* history);

  const std::vector<Epoch>& epochs() const { return epochs_; }
  bool operator==(const PolicyHistory&) const = default;

 private:
  std::vector<Epoch> epochs_;  // each holds until the next begins
};

}  // namespace lapse::ttl
