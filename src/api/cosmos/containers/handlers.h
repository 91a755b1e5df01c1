// The handlers of requests about containers and their partition key ranges. Each answers its call exactly once. Those
// marked "blocks" must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// containers.cc
void CreateContainer(CallPtr call);  // blocks
void ListContainers(CallPtr call);
void QueryContainers(CallPtr call);  // blocks
void ReadContainer(CallPtr call);
void ReplaceContainer(CallPtr call);  // blocks
void DeleteContainer(CallPtr call);   // blocks

// partition_key_ranges.cc
void ListPartitionKeyRanges(CallPtr call);
void ReadPartitionKeyRange(CallPtr call);

}  // namespace lapse::api::cosmos
