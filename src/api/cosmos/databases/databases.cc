#include <algorithm>
#include <string>
#include <vector>

#include "api/cosmos/account/limit_checks.h"
#include "api/cosmos/databases/handlers.h"
#include "api/cosmos/offers/throughput.h"
#include "api/cosmos/query/query_resources.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/names.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kFeed = "dbs";

void SendDatabase(Call* call, int status, const engine::Database& database) {
  std::string etag;
  AppendDatabaseEtag(database.id, &etag);
  call->AddEtag(etag);
  AppendDatabaseJson(database, &call->body());
  call->Send(status, engine::kMetadataMilliRu);
}

Result<engine::DatabasePtr> Create(Call* call) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(call->request().body));
  doc::Value id = doc::Find(document, "id");
  if (!id.missing() && id.type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The id of a database must be a string");
  }
  std::string name(id.missing() ? std::string_view() : id.AsString());
  LAPSE_RETURN_IF_ERROR(CheckResourceName(name));
  LAPSE_ASSIGN_OR_RETURN(engine::Throughput throughput, RequestedThroughput(call->request()));
  return call->catalog_store().CreateDatabase(name, throughput,
                                              WithoutSystemNames(std::move(document), IsDatabaseSystemName));
}

// Sorted by name.
Result<std::vector<engine::DatabasePtr>> SortedDatabases(const engine::CatalogView& catalog) {
  LAPSE_ASSIGN_OR_RETURN(std::vector<engine::DatabasePtr> databases, catalog.ListDatabases());
  std::sort(databases.begin(), databases.end(), [](const auto& a, const auto& b) { return a->name < b->name; });
  return databases;
}

// Whether If-Match allows a change of the database.
Status CheckCondition(std::string_view if_match, const engine::Database& database) {
  std::string etag;
  AppendDatabaseEtag(database.id, &etag);
  if (if_match.empty() || if_match == "*" || if_match == etag) return Status::Ok();
  return Status(Code::kPreconditionFailed, "");
}

}  // namespace

void CreateDatabase(CallPtr call) {
  if (auto full = CheckRoomForDatabase(call->catalog(), call->context().limits)) return call->Fail(*full);
  Result<engine::DatabasePtr> created = Create(call.get());
  if (!created.ok()) return call->Fail(created.status());
  SendDatabase(call.get(), 201, **created);
}

void ListDatabases(CallPtr call) {
  Result<PageRequest> page = ReadPageRequest(call->request(), kFeed);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::vector<engine::DatabasePtr>> databases = SortedDatabases(call->catalog());
  if (!databases.ok()) return call->Fail(databases.status());

  FeedBody feed("", "Databases", &call->body());
  std::string last;
  std::string next_position;
  for (const engine::DatabasePtr& database : *databases) {
    if (database->name <= page->position) continue;
    const auto append = [&](std::string* json) { AppendDatabaseJson(*database, json); };
    if (feed.count() == page->items_max || !feed.Add(append)) {
      next_position = last;
      break;
    }
    last = database->name;
  }
  feed.End();
  AddPageHeaders(call.get(), kFeed, feed.count(), next_position);
  call->Send(200, engine::kMetadataMilliRu);
}

void QueryDatabases(CallPtr call) {
  QueriedFeed feed{std::string(kFeed), "", "Databases", {}};
  feed.next = [&](std::string_view after) -> Result<std::vector<query::exec::ListedItem>> {
    LAPSE_ASSIGN_OR_RETURN(const std::vector<engine::DatabasePtr> databases, SortedDatabases(call->catalog()));
    std::vector<query::exec::ListedItem> listed;
    for (const engine::DatabasePtr& database : databases) {
      if (database->name <= after) continue;
      std::string json;
      AppendDatabaseJson(*database, &json);
      LAPSE_ASSIGN_OR_RETURN(listed.emplace_back(), Listed(database->name, json));
    }
    return listed;
  };
  SendQuery(call.get(), feed);
}

void ReadDatabase(CallPtr call) {
  Result<engine::DatabasePtr> database = FindDatabase(*call);
  if (!database.ok()) return call->Fail(database.status());
  std::string etag;
  AppendDatabaseEtag((*database)->id, &etag);
  if (call->request().Header("if-none-match") == etag) {
    call->AddEtag(etag);
    return call->Fail(Status(Code::kNotModified, ""));
  }
  SendDatabase(call.get(), 200, **database);
}

void DeleteDatabase(CallPtr call) {
  Result<engine::DatabasePtr> database = FindDatabase(*call);
  if (!database.ok()) return call->Fail(database.status());
  Status status = CheckCondition(call->request().Header("if-match"), **database);
  if (status.ok()) status = call->catalog_store().DropDatabase((*database)->name);
  if (!status.ok()) return call->Fail(status);
  call->Send(204, engine::kMetadataMilliRu);
}

}  // namespace lapse::api::cosmos
