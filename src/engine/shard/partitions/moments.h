// How readers take the moment of a partition, and pages their views.
//
// The order matters: first the time, then the container's state, then the partition's floors. A policy change that is
// visible in the state has therefore raised its floors for this time. While a change is being published, state and
// floors may belong to different revisions of the policy; then both are taken again.
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

// The time as readers of the partition see it: a commit or policy change under way holds its second.
int64_t TimeIn(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms);

// `clock_ms` must have been read from the store clock before the call.
ReadMoment MomentOf(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms);

// A page takes moment and snapshot one after the other. If the second turns or the policy changes in between, the page
// would show an expired item beside one that was written later, a state that never existed. So both are taken again.
// The page must be open (OpenPages).
PageView ViewOf(const ContainerContext& container, const PartitionState& partition, StoreClock* clock);
// One view for each partition, in their order, all with one state. Partitions of one store share its snapshot.
std::vector<PageView> ViewsOf(const ContainerContext& container, const Partitions& partitions, StoreClock* clock);

}  // namespace lapse::engine
