#include "api/cosmos/wire/lookup.h"

#include <optional>
#include <string_view>

#include "api/cosmos/wire/resource_ids.h"

namespace lapse::api::cosmos {
namespace {

Status NoSuchRid() {
  return Status(Code::kNotFound, "no resource has this rid");
}

// Whether the container is the one that the client says it means. The container's own definition can be read and
// changed in any case, which is how a client learns about the new container.
Status CheckIntended(const Call& call, const engine::Container& container) {
  const std::string_view intended = call.request().Header("x-ms-cosmos-intended-collection-rid");
  if (intended.empty() || call.route().kind() == RouteKind::kContainer) return Status::Ok();
  if (ParseContainerRid(intended) == container.id()) return Status::Ok();
  return Status(Code::kOtherContainer,
                "The container of this name is not the one that x-ms-cosmos-intended-collection-rid names. Read the "
                "container anew and retry.");
}

// Returns path and query, which are adjacent in one text.
std::string_view WholeTarget(const net::Request& request) {
  const bool joined = !request.query.empty() && request.query.data() == request.path.data() + request.path.size() + 1;
  return joined ? std::string_view(request.path.data(), request.path.size() + 1 + request.query.size()) : request.path;
}

}  // namespace

void ReadRoute(const net::Request& request, engine::Engine* engine, Route* route) {
  route->Parse(request.path);
  if (route->kind() == RouteKind::kItem && !request.query.empty()) route->Parse(WholeTarget(request));
  // A database with exactly that name takes precedence over the rid.
  if (route->may_be_rids() && !engine->catalog().FindDatabase(route->database()).ok()) route->TakeAsRids();
}

Result<engine::DatabasePtr> FindDatabase(const Route& route, const engine::CatalogView& catalog) {
  if (!route.by_rid()) return catalog.FindDatabase(route.database());
  if (!route.rid()) return NoSuchRid();
  return catalog.FindDatabase(route.rid()->database);
}

Result<engine::ContainerPtr> FindContainer(const Route& route, const engine::CatalogView& catalog) {
  if (!route.by_rid()) return catalog.FindContainer(route.database(), route.container());
  if (!route.rid()) return NoSuchRid();
  return catalog.FindContainer(route.rid()->database, route.rid()->container);
}

Result<engine::ContainerPtr> FindContainer(const Call& call) {
  LAPSE_ASSIGN_OR_RETURN(engine::ContainerPtr found, FindContainer(call.route(), call.catalog()));
  // Another container may have taken the name since the request was authorised.
  if (call.bound() && found->id() != *call.bound()) {
    return Status(Code::kForbidden, "The container that the authorization token is for is no longer there.");
  }
  LAPSE_RETURN_IF_ERROR(CheckIntended(call, *found));
  return found;
}

ApiError ContainerMissing(const Call& call, const Status& found) {
  if (found.code() != Code::kNotFound) return FromStatus(found);
  const Status database = FindDatabase(call).status();
  return database.ok() ? FromStatus(Status(Code::kNotFound, "")) : OwnerMissing(database);
}

Result<ContainerNames> NamesOf(const engine::Container& container, const engine::CatalogView& catalog) {
  LAPSE_ASSIGN_OR_RETURN(const engine::DatabasePtr database, catalog.FindDatabase(container.database()));
  return ContainerNames{database->name, container.state()->definition.name};
}

}  // namespace lapse::api::cosmos
