// Finds the resources on a request's path, by name or by rid.
#pragma once

#include <string>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// Parses the path, and decides whether it consists of rids. The whole request uses this decision. Clients do not escape
// a `?` in the id of an item, so what follows it is part of the id.
void ReadRoute(const net::Request& request, engine::Engine* engine, Route* route);

// Fails: kNotFound, kUnavailable.
Result<engine::DatabasePtr> FindDatabase(const Route& route, const engine::CatalogView& catalog);
Result<engine::ContainerPtr> FindContainer(const Route& route, const engine::CatalogView& catalog);

inline Result<engine::DatabasePtr> FindDatabase(const Call& call) {
  return FindDatabase(call.route(), call.catalog());
}
// Fails also: kForbidden if the request was authorised for another container; kOtherContainer if the client says that
// it means another one.
Result<engine::ContainerPtr> FindContainer(const Call& call);

// Returns the error of a request for a container, given FindContainer's result: its database may be missing, too.
ApiError ContainerMissing(const Call& call, const Status& found);

// The names of a container and its database.
struct ContainerNames {
  std::string database;
  std::string container;
};
// Fails: kNotFound if its database is gone.
Result<ContainerNames> NamesOf(const engine::Container& container, const engine::CatalogView& catalog);

}  // namespace lapse::api::cosmos
