#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/account/limit_checks.h"
#include "api/cosmos/containers/definition/container_definition.h"
#include "api/cosmos/containers/definition/encryption_policy.h"
#include "api/cosmos/containers/handlers.h"
#include "api/cosmos/offers/throughput.h"
#include "api/cosmos/query/query_resources.h"
#include "api/cosmos/users/owned_kind.h"
#include "api/cosmos/wire/container_link.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/catalog/counts/census.h"

namespace lapse::api::cosmos {
namespace {

constexpr int64_t kPartitionQuotaKb = 10LL * 1024 * 1024;  // the service's figure for each physical partition
constexpr uint64_t kNoSuchRevision = UINT64_MAX;

std::string EtagOf(const engine::Container& container, const engine::ContainerState& state) {
  std::string etag;
  AppendContainerEtag(container.id(), state.revision, &etag);
  return etag;
}

// Adds the database of the container. The Java SDK makes the container's link from it, and reads no change feed without
// it.
void AddOwner(Call* call, const engine::Container& container) {
  const Result<ContainerNames> names = NamesOf(container, call->catalog());
  if (!names.ok()) return;
  std::string rid;
  AppendDatabaseRid(container.database(), &rid);
  call->response().AddHeader("x-ms-content-path", rid);
  call->response().AddHeader("x-ms-alt-content-path", EncodedDatabaseLink(names->database));
}

void SendContainer(Call* call, int status, const engine::Container& container) {
  std::shared_ptr<const engine::ContainerState> state = container.state();
  AddOwner(call, container);
  call->AddEtag(EtagOf(container, *state));
  AppendContainerJson(container, *state, &call->body());
  call->Send(status, engine::kMetadataMilliRu);
}

Status AddQuota(Call* call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(engine::Count live, engine::Census(container).Live());
  std::string quota_kb = std::to_string(kPartitionQuotaKb * static_cast<int64_t>(container.partitions().size()));
  std::string usage_kb = std::to_string((live.bytes + 1023) / 1024);
  call->response().AddHeader("x-ms-resource-quota",
                             "functions=50;storedProcedures=100;triggers=25;documentSize=10240;documentsSize=" +
                                 quota_kb + ";documentsCount=-1;collectionSize=" + quota_kb + ";");
  call->response().AddHeader("x-ms-resource-usage",
                             "functions=0;storedProcedures=0;triggers=0;documentSize=0;documentsSize=" + usage_kb +
                                 ";documentsCount=" + std::to_string(live.items) + ";collectionSize=" + usage_kb + ";");
  return Status::Ok();
}

bool WantsCounts(const Call& call) {
  return HeaderIsTrue(call.request(), "x-ms-documentdb-populatequotainfo");
}

// An etag of another container, or an invalid one, becomes a revision that no container has.
engine::RevisionCondition ConditionOf(std::string_view if_match, const engine::Container& container) {
  if (if_match.empty() || if_match == "*") return 0;
  return ParseContainerEtag(if_match, container.id()).value_or(kNoSuchRevision);
}

bool HasEncryptionKey(const Call& call, std::string_view name) {
  Result<engine::ResourcePlace> place = PlaceInDatabase(call, kEncryptionKeyKind);
  return place.ok() && call.catalog().FindResource(*place, name).ok();
}

std::optional<ApiError> NoRoom(const Call& call) {
  Result<engine::DatabasePtr> database = FindDatabase(call);
  Result<engine::Throughput> throughput = RequestedThroughput(call.request());
  // These errors are reported when the container is created.
  if (!database.ok() || !throughput.ok()) return std::nullopt;
  return CheckRoomForContainer(call.catalog(), **database, throughput->none(), call.context().limits);
}

Result<engine::ContainerPtr> Create(Call* call) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(call->request().body));
  LAPSE_ASSIGN_OR_RETURN(engine::ContainerDefinition definition,
                         NewContainerDefinition(document, call->request().body,
                                                MayHaveNoPartitionKey(call->request().Header("x-ms-version"))));
  LAPSE_RETURN_IF_ERROR(CheckEncryptionPolicy(definition.properties, definition.partition_key,
                                              [call](std::string_view name) { return HasEncryptionKey(*call, name); }));
  LAPSE_ASSIGN_OR_RETURN(definition.throughput, RequestedThroughput(call->request()));
  LAPSE_ASSIGN_OR_RETURN(const engine::DatabasePtr database, FindDatabase(*call));
  return call->catalog_store().CreateContainer(database->name, std::move(definition));
}

Result<engine::ContainerPtr> Replace(Call* call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(call->request().body));
  std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(engine::ContainerDefinition definition,
                         ReplacedContainerDefinition(document, state->definition, call->request().body));
  LAPSE_RETURN_IF_ERROR(CheckSameEncryptionPolicy(state->definition.properties, definition.properties));
  engine::ContainerChange change{.default_ttl = definition.default_ttl,
                                 .properties = std::move(definition.properties),
                                 .change_log_retention_s = definition.change_log_retention_s,
                                 .indexing = std::move(definition.indexing)};
  LAPSE_ASSIGN_OR_RETURN(const ContainerNames names, NamesOf(container, call->catalog()));
  return call->catalog_store().ReplaceContainer(names.database, names.container, std::move(change),
                                                ConditionOf(call->request().Header("if-match"), container));
}

void SendDefinition(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(ContainerMissing(*call, container.status()));
  std::string_view if_none_match = call->request().Header("if-none-match");
  if (!if_none_match.empty()) {
    std::string etag = EtagOf(**container, *(*container)->state());
    if (if_none_match == "*" || if_none_match == etag) {
      call->AddEtag(etag);
      return call->Fail(Status(Code::kNotModified, ""));
    }
  }
  if (WantsCounts(*call)) {
    if (Status counted = AddQuota(call.get(), **container); !counted.ok()) return call->Fail(counted);
  }
  Result<int> progress = (*container)->IndexProgress();
  if (!progress.ok()) return call->Fail(progress.status());
  call->response().AddHeader("x-ms-documentdb-collection-index-transformation-progress", int64_t{*progress});
  SendContainer(call.get(), 200, **container);
}

using NamedContainer = std::pair<std::string, engine::ContainerPtr>;

// Sorted by name.
Result<std::vector<NamedContainer>> SortedContainers(const engine::CatalogView& catalog, const std::string& database) {
  LAPSE_ASSIGN_OR_RETURN(const std::vector<engine::ContainerPtr> found, catalog.ListContainers(database));
  std::vector<NamedContainer> containers;
  for (const engine::ContainerPtr& container : found) {
    containers.emplace_back(container->state()->definition.name, container);
  }
  std::sort(containers.begin(), containers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return containers;
}

}  // namespace

void CreateContainer(CallPtr call) {
  if (auto full = NoRoom(*call)) return call->Fail(*full);
  Result<engine::ContainerPtr> created = Create(call.get());
  if (created.ok()) return SendContainer(call.get(), 201, **created);
  call->Fail(OwnerMissing(created.status()));
}

void ListContainers(CallPtr call) {
  Result<engine::DatabasePtr> database = FindDatabase(*call);
  if (!database.ok()) return call->Fail(OwnerMissing(database.status()));
  std::string rid;
  AppendDatabaseRid((*database)->id, &rid);
  std::string feed_name = "colls/" + rid;
  Result<PageRequest> page = ReadPageRequest(call->request(), feed_name);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::vector<NamedContainer>> containers = SortedContainers(call->catalog(), (*database)->name);
  if (!containers.ok()) return call->Fail(OwnerMissing(containers.status()));

  FeedBody feed(rid, "DocumentCollections", &call->body());
  std::string last;
  std::string next_position;
  for (const NamedContainer& named : *containers) {
    const std::string& name = named.first;
    const engine::Container& container = *named.second;
    if (name <= page->position) continue;
    const auto append = [&](std::string* json) { AppendContainerJson(container, *container.state(), json); };
    if (feed.count() == page->items_max || !feed.Add(append)) {
      next_position = last;
      break;
    }
    last = name;
  }
  feed.End();
  AddPageHeaders(call.get(), feed_name, feed.count(), next_position);
  call->Send(200, engine::kMetadataMilliRu);
}

void QueryContainers(CallPtr call) {
  Result<engine::DatabasePtr> database = FindDatabase(*call);
  if (!database.ok()) return call->Fail(OwnerMissing(database.status()));
  QueriedFeed feed;
  AppendDatabaseRid((*database)->id, &feed.rid);
  feed.name = "colls/" + feed.rid;
  feed.member = "DocumentCollections";
  feed.next = [&](std::string_view after) -> Result<std::vector<query::exec::ListedItem>> {
    LAPSE_ASSIGN_OR_RETURN(const std::vector<NamedContainer> containers,
                           SortedContainers(call->catalog(), (*database)->name));
    std::vector<query::exec::ListedItem> listed;
    for (const auto& [name, container] : containers) {
      if (name <= after) continue;
      std::string json;
      AppendContainerJson(*container, *container->state(), &json);
      LAPSE_ASSIGN_OR_RETURN(listed.emplace_back(), Listed(name, json));
    }
    return listed;
  };
  SendQuery(call.get(), feed);
}

void ReadContainer(CallPtr call) {
  // Counting items may read the disk, and so may the progress of a new index.
  Result<engine::ContainerPtr> container = FindContainer(*call);
  const bool makes_index = container.ok() && (*container)->state()->index_in_making.has_value();
  if (WantsCounts(*call) || makes_index) return RunBlocking(std::move(call), SendDefinition);
  SendDefinition(std::move(call));
}

void ReplaceContainer(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(ContainerMissing(*call, container.status()));
  Result<engine::ContainerPtr> replaced = Replace(call.get(), **container);
  if (!replaced.ok()) return call->Fail(replaced.status());
  SendContainer(call.get(), 200, **replaced);
}

void DeleteContainer(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(ContainerMissing(*call, container.status()));
  Result<ContainerNames> names = NamesOf(**container, call->catalog());
  if (!names.ok()) return call->Fail(OwnerMissing(names.status()));
  Status dropped = call->catalog_store().DropContainer(names->database, names->container,
                                                       ConditionOf(call->request().Header("if-match"), **container));
  if (!dropped.ok()) return call->Fail(dropped);
  call->Send(204, engine::kMetadataMilliRu);
}

}  // namespace lapse::api::cosmos
