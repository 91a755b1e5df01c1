// The part of the catalog's store that creates and drops databases.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/catalog/store/catalog_store.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

Status NoDatabase() {
  return {Code::kNotFound, "no such database"};
}

}  // namespace

Result<DatabasePtr> CatalogStore::CreateDatabase(std::string_view name, Throughput throughput, std::string properties) {
  LAPSE_RETURN_IF_ERROR(throughput.Check());
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  CatalogState next = *view_->state();
  if (next.Find(name) != nullptr) return Status(Code::kAlreadyExists, "the database exists");

  auto made = std::make_shared<Database>();
  made->id = ++next.ids.last_database;
  made->name = name;
  made->ts_s = clock_->NowMs() / 1000;
  made->throughput = throughput;
  made->throughput_changes = ThroughputChanges::First(throughput, made->ts_s);
  made->properties = std::move(properties);
  made->pool = PoolOf(*made);
  const DatabasePtr database = std::move(made);
  store::Batch batch;
  batch.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(next.ids));
  batch.Put(kMetaFamily, DatabaseKey(database->id), EncodeDatabase(*database));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  next.Put(database);
  view_->Publish(std::move(next));
  return database;
}

Status CatalogStore::DropDatabase(std::string_view name) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  CatalogState next = *view_->state();
  const CatalogState::Entry* const found = next.Find(name);
  if (found == nullptr) return NoDatabase();
  const DatabasePtr database = found->database;
  std::vector<ContainerPtr> containers;
  found->containers.ForEach(
      [&](const std::string&, const ContainerPtr& container) { containers.push_back(container); });
  store::Batch batch;
  batch.Delete(kMetaFamily, DatabaseKey(database->id));
  for (const ContainerPtr& container : containers) batch.Delete(kMetaFamily, ContainerKey(container->id()));
  const std::vector<OwnedResourcePtr> owned = resources().Of(database->id);
  for (const OwnedResourcePtr& resource : owned) {
    batch.Delete(kMetaFamily, OwnedResourceKey(resource->place.database, resource->number));
  }
  LAPSE_RETURN_IF_ERROR(Remove(containers, batch));
  next.Drop(*database);
  view_->Publish(std::move(next));
  resources().Remove(owned);
  return Status::Ok();
}

}  // namespace lapse::engine
