// What a request sees of a container: one time, one state. Internal: only sources of this folder include it.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/catalog/container.h"
#include "engine/commit/partition.h"
#include "engine/engine_parts.h"
#include "engine/items/records.h"
#include "ttl/policy.h"

namespace lapse::engine {

// One moment of the container. Time is read first: a state that is published later has floors that cover it.
struct Container::View {
  explicit View(const Container& of) : container(of), now_ms(of.parts_->clock->NowMs()), state(of.state()) {}

  bool IsLive(const HeadRecord& head) { return IsLive(head.lifetime, head.stream); }
  bool IsLive(const ttl::Lifetime& lifetime, uint32_t stream) {
    return !ttl::IsDead(lifetime, state->policy, state->dead, PurgedOf(stream), now_ms);
  }

  const Container& container;
  const int64_t now_ms;
  const std::shared_ptr<const ContainerState> state;

 private:
  // A walk stays in one stream for long.
  const ttl::Floors& PurgedOf(uint32_t stream) {
    if (purged == nullptr || stream != purged_stream) {
      const Partition* partition = container.PartitionOf(stream);
      purged = partition == nullptr ? std::make_shared<const ttl::Floors>() : partition->purged_floors();
      purged_stream = stream;
    }
    return *purged;
  }

  std::shared_ptr<const ttl::Floors> purged;
  uint32_t purged_stream = 0;
};

}  // namespace lapse::engine
