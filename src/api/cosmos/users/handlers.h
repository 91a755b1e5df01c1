// The handlers of requests about users, permissions and client encryption keys. Each answers its call exactly once.
// Those marked "blocks" must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

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

}  // namespace lapse::api::cosmos
