// Queries over resources other than items: databases, containers, users, offers and the like.
#pragma once

#include <string>
#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "query/exec/items/listed_items.h"

namespace lapse::api::cosmos {

// A feed of resources that can be queried.
struct QueriedFeed {
  std::string name;         // identifies it in continuations
  std::string rid;          // of the owner
  std::string_view member;  // "Databases"
  query::exec::ListedItems::NextItems next;
};

// Answers the query in the request's body.
void SendQuery(Call* call, const QueriedFeed& feed);

// Makes a list entry from the JSON that feeds return for a resource. Fails: never for JSON that this server writes.
Result<query::exec::ListedItem> Listed(std::string_view key, std::string_view json);

}  // namespace lapse::api::cosmos
