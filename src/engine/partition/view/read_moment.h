// What a reader sees of one partition: one time, one policy, the floors of that moment.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "ttl/policy.h"

namespace lapse::engine {

class Container;
class Partition;

// Immutable. Threads: any.
class ReadMoment {
 public:
  // `clock_ms` was read from the store clock, before the container's state is looked at here.
  ReadMoment(const Container& container, const Partition& partition, int64_t clock_ms);
  // The same with a state that was read after the time of all partitions that a page looks at.
  ReadMoment(const Partition& partition, int64_t now_ms, std::shared_ptr<const ContainerState> state);

  // Time as the partition shows it: a commit or a change of policy that is under way holds its second.
  static int64_t TimeIn(const Container& container, const Partition& partition, int64_t clock_ms);

  int64_t now_ms() const { return now_ms_; }
  const ContainerState& state() const { return *state_; }
  const std::shared_ptr<const ContainerState>& shared_state() const { return state_; }
  const ttl::Floors& dead() const { return *dead_; }
  const ttl::Floors& purged() const { return *purged_; }
  bool IsLive(const ttl::Lifetime& lifetime) const {
    return !ttl::IsDead(lifetime, state_->policy, *dead_, *purged_, now_ms_);
  }

 private:
  int64_t now_ms_;
  std::shared_ptr<const ContainerState> state_;
  const ttl::Floors* dead_;  // of the state
  std::shared_ptr<const ttl::Floors> purged_;
};

// One for each partition of the container, in their order, all with one state.
std::vector<ReadMoment> MomentsOf(const Container& container, int64_t clock_ms);

}  // namespace lapse::engine
