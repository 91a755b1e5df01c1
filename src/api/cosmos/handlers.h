// What each route and verb does, one function each, in the file named beside it. Every one answers its call exactly
// once; those marked "blocks" must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// account.cc
void ReadAccount(CallPtr call);

// databases.cc
void CreateDatabase(CallPtr call);  // blocks
void ListDatabases(CallPtr call);
void QueryDatabases(CallPtr call);  // blocks
void ReadDatabase(CallPtr call);
void DeleteDatabase(CallPtr call);  // blocks

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

// items_read.cc
void ReadItem(CallPtr call);

// items_write.cc
void CreateItem(CallPtr call);  // upsert too, when the header asks for it
void ReplaceItem(CallPtr call);
void DeleteItem(CallPtr call);
void PatchItem(CallPtr call);

// batch_request.cc: transactional batches, and bulk requests
void RunBatch(CallPtr call);

// key_deletion.cc
void DeleteKey(CallPtr call);  // all items of a partition key

// items_feed.cc
void ReadItemFeed(CallPtr call);  // blocks

// change_feed.cc
void ReadChangeFeed(CallPtr call);  // blocks

// query_items.cc
void QueryItems(CallPtr call);  // blocks

// plan_query.cc
void PlanQuery(CallPtr call);

// users.cc
void CreateUser(CallPtr call);  // blocks
void UpsertUser(CallPtr call);  // blocks
void ListUsers(CallPtr call);
void QueryUsers(CallPtr call);  // blocks
void ReadUser(CallPtr call);
void ReplaceUser(CallPtr call);  // blocks
void DeleteUser(CallPtr call);   // blocks

// permissions.cc
void CreatePermission(CallPtr call);  // blocks
void UpsertPermission(CallPtr call);  // blocks
void ListPermissions(CallPtr call);
void QueryPermissions(CallPtr call);  // blocks
void ReadPermission(CallPtr call);
void ReplacePermission(CallPtr call);  // blocks
void DeletePermission(CallPtr call);   // blocks

// encryption_keys.cc
void CreateEncryptionKey(CallPtr call);  // blocks
void ListEncryptionKeys(CallPtr call);
void QueryEncryptionKeys(CallPtr call);  // blocks
void ReadEncryptionKey(CallPtr call);
void ReplaceEncryptionKey(CallPtr call);  // blocks

// conflicts.cc
void ListConflicts(CallPtr call);
void QueryConflicts(CallPtr call);  // blocks
void FindConflict(CallPtr call);    // to read or to delete it: there is none

// offers.cc
void ListOffers(CallPtr call);
void QueryOffers(CallPtr call);  // blocks
void ReadOffer(CallPtr call);
void ReplaceOffer(CallPtr call);  // blocks

}  // namespace lapse::api::cosmos
