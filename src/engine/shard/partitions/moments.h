// How readers take the moment of a partition, and pages their views.
//
// The order matters: first the time, then the container's state, then the floors of the partition. So a change of the
// policy that is seen has raised its floors for this time; and where state and floors belong to different revisions of
// the policy, because a change is being published, both are taken again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/partition/view/page_view.h"
#include "engine/partition/view/partition_state.h"
#include "engine/partition/view/read_moment.h"
#include "engine/shard/partitions/container_context.h"
#include "engine/time/store_clock.h"

namespace lapse::engine {

class Partition;
using Partitions = std::vector<std::shared_ptr<Partition>>;

// Time as readers of the partition see it: a commit or a change of the policy under way holds its second.
int64_t TimeIn(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms);

// `clock_ms` was read from the store clock before.
ReadMoment MomentOf(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms);

// A page takes moment and snapshot one after the other. If the second turned or the policy changed in between, a page
// by them would show an item that has expired beside one that was written later: what was never there together. So both
// are taken again. The page must be open (OpenPages).
PageView ViewOf(const ContainerContext& container, const PartitionState& partition, StoreClock* clock);
// One for each partition, in their order, all with one state. Partitions of one store share its snapshot.
std::vector<PageView> ViewsOf(const ContainerContext& container, const Partitions& partitions, StoreClock* clock);

}  // namespace lapse::engine
