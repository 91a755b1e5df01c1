// The resources that a request's path names, by name or by rid.
#pragma once

#include <string>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// Parses the path, and decides whether it is one of rids. A request goes by this decision to its end. Clients do not
// escape a `?` in the id of an item: what follows it is part of the id.
void ReadRoute(const net::Request& request, engine::Engine* engine, Route* route);

// Fails: kNotFound, kUnavailable.
Result<engine::DatabasePtr> FindDatabase(const Route& route, const engine::CatalogView& catalog);
Result<engine::ContainerPtr> FindContainer(const Route& route, const engine::CatalogView& catalog);

inline Result<engine::DatabasePtr> FindDatabase(const Call& call) {
  return FindDatabase(call.route(), call.catalog());
}
// Fails also: kForbidden when it is not the one that the request was authorised for; kOtherContainer when it is not the
// one that the client says it means.
Result<engine::ContainerPtr> FindContainer(const Call& call);

// The error of a request for a container by what FindContainer came to: its database may be missing too.
ApiError ContainerMissing(const Call& call, const Status& found);

// Under which names a container is known.
struct ContainerNames {
  std::string database;
  std::string container;
};
// Fails: kNotFound when its database is gone.
Result<ContainerNames> NamesOf(const engine::Container& container, const engine::CatalogView& catalog);

}  // namespace lapse::api::cosmos
