#include "engine/partition/view/partition_state.h"

#include <utility>

#include "base/check.h"

namespace lapse::engine {

PartitionState::PartitionState(PartitionFacts facts, store::Shard* store, const PartitionStart& start,
                               KnownListsMemory* known_lists, const SteadyClock* steady)
    : facts_(std::move(facts)),
      store_(store),
      last_lsn_(start.tally.last_lsn),
      last_sequence_(start.tally.last_sequence),
      stored_bytes_(start.tally.stored.bytes),
      floors_(std::make_shared<const PartitionFloors>(
          PartitionFloors{start.policy, start.policy_revision, start.tally.purged.floors})),
      index_memory_(known_lists, steady),
      tally_(start.tally) {
  shown_erasures_.Publish(start.tally.erased);
}

PartitionTally PartitionState::tally() const {
  std::lock_guard lock(mutex_);
  return tally_;
}

void PartitionState::PublishTally(const PartitionTally& tally) {
  std::lock_guard lock(mutex_);
  if (tally.purged.floors != tally_.purged.floors) {
    auto next = std::make_shared<PartitionFloors>(*floors());
    next->purged = tally.purged.floors;
    floors_.store(std::move(next), std::memory_order_release);
  }
  shown_erasures_.Publish(tally.erased);
  tally_ = tally;
  stored_bytes_.store(tally_.stored.bytes, std::memory_order_relaxed);
  last_sequence_.store(tally_.last_sequence, std::memory_order_release);
  last_lsn_.store(tally_.last_lsn, std::memory_order_release);
}

void PartitionState::PublishPolicy(PartitionPolicy policy, uint64_t revision) {
  std::lock_guard lock(mutex_);
  auto next = std::make_shared<PartitionFloors>(*floors());
  LAPSE_CHECK(policy.revision >= next->policy.revision && policy.dead.CoverAll(next->policy.dead),
              "a partition's policy goes on, and its dead floors rise");
  next->policy = std::move(policy);
  next->revision = revision;
  floors_.store(std::move(next), std::memory_order_release);
}

}  // namespace lapse::engine
