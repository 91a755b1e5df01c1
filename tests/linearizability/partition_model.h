// A logical partition as one client after another would see it: what each operation does and answers.
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
  std::map<int, Version> items = {};  // those that live
  int64_t now_s = 0;                  // no operation from here on takes place in an earlier second

  bool operator==(const PartitionState&) const = default;
  // Different states have different texts.
  std::string Text() const;
};

class PartitionModel {
 public:
  // `default_ttl` of the container: none is "time to live is off", -1 "no default".
  explicit PartitionModel(std::optional<int64_t> default_ttl) : default_ttl_(default_ttl) {}

  // The etag of the version that the action at a place writes.
  using EtagOf = std::function<std::string(size_t action)>;
  // What the actions answer in this second, and what is there afterwards. Versions that they write have `ts_s`.
  std::vector<ActionResult> Apply(const std::vector<Action>& actions, int64_t now_s, int64_t ts_s,
                                  const EtagOf& etag_of, PartitionState* state) const;

  // The states in which the partition can be if the operation took effect now, with the answer that it had. None: it
  // cannot have. An operation whose outcome is not known is one that had an effect.
  std::vector<PartitionState> After(const PartitionState& before, const Operation& operation) const;

  // Takes away what has expired in this second.
  void MoveTo(int64_t now_s, PartitionState* state) const;

 private:
  ActionResult ApplyOne(const Action& action, int64_t ts_s, const std::string& etag, PartitionState* state) const;
  std::vector<PartitionState> AfterAnswer(const PartitionState& before, const Operation& operation) const;
  std::vector<PartitionState> AfterUnknown(const PartitionState& before, const Operation& operation) const;

  const std::optional<int64_t> default_ttl_;
};

}  // namespace lapse::linearizability
