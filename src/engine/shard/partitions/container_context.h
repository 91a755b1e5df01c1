// What the partitions of one container share.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "engine/partition/view/open_pages.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/shard/partitions/commit_gate.h"
#include "engine/time/store_clock.h"

namespace lapse::engine {

// Threads: any may read. Only the catalog publishes states; partitions publish their floors before it does.
class ContainerContext {
 public:
  ContainerContext(ContainerId id, std::shared_ptr<const ContainerState> state) : id_(id), state_(std::move(state)) {}
  ContainerContext(const ContainerContext&) = delete;
  ContainerContext& operator=(const ContainerContext&) = delete;

  ContainerId id() const { return id_; }
  std::shared_ptr<const ContainerState> state() const { return state_.load(std::memory_order_acquire); }
  void Publish(std::shared_ptr<const ContainerState> state) {
    state_.store(std::move(state), std::memory_order_release);
  }
  // Publishes the same state with another standing.
  void Mark(ContainerState::Standing standing) {
    auto marked = std::make_shared<ContainerState>(*state());
    marked->standing = standing;
    Publish(std::move(marked));
  }
  // Holds the second for readers of all partitions while the policy changes.
  SecondHold& second_hold() { return second_hold_; }
  const SecondHold& second_hold() const { return second_hold_; }
  // Commits pass this gate; a policy change or a drop closes it.
  CommitGate& gate() { return gate_; }
  // The pages that are being read, in all partitions.
  OpenPages& pages() { return *pages_; }
  const std::shared_ptr<OpenPages>& shared_pages() const { return pages_; }

 private:
  const ContainerId id_;
  std::atomic<std::shared_ptr<const ContainerState>> state_;
  SecondHold second_hold_;
  CommitGate gate_;
  const std::shared_ptr<OpenPages> pages_ = std::make_shared<OpenPages>();
};

}  // namespace lapse::engine
