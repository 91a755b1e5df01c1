// A logical partition as sequential clients would see it: the effect and the answer of each operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/linearizability/history.h"

namespace lapse::linearizability {

struct PartitionState {
  std::map<int, Version> items = {};  // the live items
  int64_t now_s = 0;                  // a lower bound of the second of every later operation

  bool operator==(const PartitionState&) const = default;
  // Different states have different texts.
  std::string Text() const;
};

class PartitionModel {
 public:
  // `default_ttl` of the container: none means that time to live is off, -1 that there is no default.
  explicit PartitionModel(std::optional<int64_t> default_ttl) : default_ttl_(default_ttl) {}

  // Returns the etag of the version that the action at this index writes.
  using EtagOf = std::function<std::string(size_t action)>;
  // Returns the answers of the actions in this second, and sets the state afterwards. Versions that they write have
  // `ts_s`.
  std::vector<ActionResult> Apply(const std::vector<Action>& actions, int64_t now_s, int64_t ts_s,
                                  const EtagOf& etag_of, PartitionState* state) const;

  // Returns the states that the partition can be in if the operation took effect now, with the answer that it had.
  // Returns none if it cannot have taken effect. An operation with an unknown outcome counts as one that had an effect.
  std::vector<PartitionState> After(const PartitionState& before, const Operation& operation) const;

  // Removes what has expired by this second.
  void MoveTo(int64_t now_s, PartitionState* state) const;

 private:
  ActionResult ApplyOne(const Action& action, int64_t ts_s, const std::string& etag, PartitionState* state) const;
  std::vector<PartitionState> AfterAnswer(const PartitionState& before, const Operation& operation) const;
  std::vector<PartitionState> AfterUnknown(const PartitionState& before, const Operation& operation) const;

  const std::optional<int64_t> default_ttl_;
};

}  // namespace lapse::linearizability
