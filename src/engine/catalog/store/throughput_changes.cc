// The part of the catalog's store that changes throughput. Partitions stay as they are and share it.
#include <memory>
#include <mutex>
#include <utility>

#include "engine/catalog/store/catalog_store.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

Status NoThroughput() {
  return {Code::kNotFound, "it has no throughput of its own"};
}

Status CheckThroughputChange(const Throughput& to, const ThroughputChanges& changes, RevisionCondition condition) {
  if (condition != 0 && condition != changes.revision) {
    return {Code::kPreconditionFailed, "the throughput has changed"};
  }
  if (to.none()) return {Code::kInvalidArgument, "Throughput can be changed, not taken away."};
  return to.Check();
}

}  // namespace

Result<DatabasePtr> CatalogStore::SetDatabaseThroughput(std::string_view name, Throughput throughput,
                                                        RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  CatalogState next = *view_->state();
  const CatalogState::Entry* const found = next.Find(name);
  if (found == nullptr) return Status(Code::kNotFound, "no such database");
  auto changed = std::make_shared<Database>(*found->database);
  if (changed->throughput.none()) return NoThroughput();
  LAPSE_RETURN_IF_ERROR(CheckThroughputChange(throughput, changed->throughput_changes, condition));
  changed->throughput = throughput;
  changed->throughput_changes.Note(throughput, clock_->NowMs() / 1000);
  store::Batch batch;
  batch.Put(kMetaFamily, DatabaseKey(changed->id), EncodeDatabase(*changed));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  changed->pool = PoolOf(*changed);
  const DatabasePtr database = std::move(changed);
  next.Put(database);
  view_->Publish(std::move(next));
  return database;
}

Result<ContainerPtr> CatalogStore::SetContainerThroughput(std::string_view database, std::string_view name,
                                                          Throughput throughput, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, view_->Known(database, name));
  auto next = std::make_shared<ContainerState>(*container->state());
  if (next->definition.throughput.none() && container->shared_pool() != nullptr) return NoThroughput();
  LAPSE_RETURN_IF_ERROR(CheckThroughputChange(throughput, next->throughput_changes, condition));
  next->definition.throughput = throughput;
  next->throughput_changes.Note(throughput, clock_->NowMs() / 1000);
  store::Batch batch;
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  container->context().Publish(std::move(next));
  container->ShareThroughput(options_.rate_limiting);
  return container;
}

}  // namespace lapse::engine
