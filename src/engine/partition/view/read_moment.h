// A moment of one partition: a time, a policy, and the floors that belong to both. A reader sees a partition as of one
// moment, and a commit is stamped with one.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/status.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "ttl/policy.h"

namespace lapse::engine {

// Immutable. Threads: any.
class ReadMoment {
 public:
  // `floors` must belong to the policy of `state` (shard/partitions/moments.h ensures it).
  ReadMoment(int64_t now_ms, std::shared_ptr<const ContainerState> state, std::shared_ptr<const PartitionFloors> floors)
      : now_ms_(now_ms), state_(std::move(state)), floors_(std::move(floors)) {}

  int64_t now_ms() const { return now_ms_; }
  const ContainerState& state() const { return *state_; }
  const std::shared_ptr<const ContainerState>& shared_state() const { return state_; }
  const ttl::Floors& dead() const { return floors_->policy.dead; }
  const ttl::Floors& purged() const { return floors_->purged; }
  // Returns where the change log begins: changes up to this one were not logged.
  Sequence log_since() const { return floors_->policy.log_since; }
  bool IsLive(const ttl::Lifetime& lifetime) const {
    return !ttl::IsDead(lifetime, state_->policy, dead(), purged(), now_ms_);
  }
  // Returns Ok, or why the state of the partition's items is unknown.
  Status Check() const {
    LAPSE_RETURN_IF_ERROR(state_->Check());
    if (floors_->behind())
      return {Code::kUnavailable, "a partition has not taken a change of its container's policy yet"};
    return Status::Ok();
  }

 private:
  int64_t now_ms_;
  std::shared_ptr<const ContainerState> state_;
  std::shared_ptr<const PartitionFloors> floors_;
};

}  // namespace lapse::engine
