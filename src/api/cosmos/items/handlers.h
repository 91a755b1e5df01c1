// The handlers of requests about items, and of the deletion of a whole partition key. Each answers its call exactly
// once. Those marked "blocks" must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// items_read.cc
void ReadItem(CallPtr call);

// items_write.cc
void CreateItem(CallPtr call);  // also an upsert, if the header asks for it
void ReplaceItem(CallPtr call);
void DeleteItem(CallPtr call);
void PatchItem(CallPtr call);

// key_deletion.cc
void DeleteKey(CallPtr call);  // all items of a partition key

// items_feed.cc
void ReadItemFeed(CallPtr call);  // blocks

}  // namespace lapse::api::cosmos
