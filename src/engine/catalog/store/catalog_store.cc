#include "engine/catalog/store/catalog_store.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/fail_point.h"
#include "base/log.h"
#include "engine/catalog/store/catalog_loader.h"
#include "engine/records/ids/families.h"
#include "engine/records/index/indexed_paths.h"

namespace lapse::engine {
namespace {

constinit FailPoint change_written("catalog.change_written");

}  // namespace

CatalogStore::CatalogStore(const CatalogOptions& options, std::vector<Shard*> shards, const ReaderParts& readers,
                           CatalogView* view)
    : options_(options),
      shards_(std::move(shards)),
      store_(shards_.front()->store()),
      clock_(readers.clock),
      readers_(readers),
      view_(view) {}

Status CatalogStore::Load() {
  return CatalogLoader(this).Run();
}

Status CatalogStore::Settle() {
  if (is_settled()) return Status::Ok();
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  CompletePolicies();
  return Status::Ok();
}

Status CatalogStore::SettleLocked() {
  if (!view_->in_doubt()) return Status::Ok();
  if (Status loaded = Load(); !loaded.ok()) {
    return {Code::kUnavailable, "it is not known whether a change of the catalog counts: " + loaded.message()};
  }
  view_->set_in_doubt(false);
  return Status::Ok();
}

Status CatalogStore::Write(const store::Batch& batch, store::Durability durability, store::Room room) {
  Status written = store_->Write(batch, durability, room);
  if (written.ok()) written = change_written.Check();
  if (written.code() != Code::kUnknownOutcome) return written;
  view_->set_in_doubt(true);
  if (Status settled = SettleLocked(); !settled.ok()) {
    Log(LogLevel::kError, "catalog could not be read again after a failed change", {{"error", settled.ToString()}});
    // Neither the old definition nor the new one may decide what has expired.
    view_->state()->ForEachContainer(
        [](const ContainerPtr& container) { container->context().Mark(ContainerState::Standing::kInDoubt); });
  }
  return written;
}

std::shared_ptr<RequestUnitPool> CatalogStore::PoolOf(const DatabaseRecord& database) const {
  if (database.throughput.none()) return nullptr;
  const int64_t rate = MilliRuPerPartition(database.throughput, options_.rate_limiting, 1);
  const DatabasePtr* const before = view_->state()->Find(database.id);
  if (before == nullptr || (*before)->pool == nullptr) {
    return std::make_shared<RequestUnitPool>(*readers_.steady, rate);
  }
  (*before)->pool->SetRate(rate);
  return (*before)->pool;
}

// Containers that have throughput of their own do not share.
ContainerPtr CatalogStore::NewContainer(DatabaseId database, ContainerId id,
                                        std::shared_ptr<const ContainerState> state, const Database& owner) const {
  std::shared_ptr<RequestUnitPool> pool = state->definition.throughput.none() ? owner.pool : nullptr;
  return std::make_shared<Container>(database, std::make_shared<ContainerContext>(id, std::move(state)), readers_,
                                     std::move(pool));
}

void CatalogStore::OpenPartition(const PartitionFacts& facts, const PartitionStart& start, Container* container) const {
  auto budget = container->shared_pool() != nullptr ? std::make_shared<Budget>(container->shared_pool())
                                                    : std::make_shared<Budget>(*readers_.steady, 0);
  container->AddPartition(ShardOf(facts).OpenPartition(facts, container->shared_context(), start, budget), budget);
}

std::vector<ShardNumber> CatalogStore::PlacesFor(size_t partitions) const {
  std::vector<ShardNumber> emptiest(shards_.size());
  std::iota(emptiest.begin(), emptiest.end(), 0);
  std::stable_sort(emptiest.begin(), emptiest.end(),
                   [this](ShardNumber a, ShardNumber b) { return shards_[a]->opened() < shards_[b]->opened(); });
  std::vector<ShardNumber> places;
  for (size_t i = 0; i < partitions; ++i) places.push_back(emptiest[i % emptiest.size()]);
  return places;
}

void CatalogStore::WakeBackground(const Container& container) const {
  const bool builds = container.state()->index_in_making.has_value();
  for (const auto& partition : container.partitions()) {
    partition->AskForSweep();
    if (builds) ShardOf(partition->facts()).index_builder().Ask(partition);
  }
}

}  // namespace lapse::engine
