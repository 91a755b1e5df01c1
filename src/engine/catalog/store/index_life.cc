#include "engine/catalog/store/index_life.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/log.h"
#include "engine/catalog/store/catalog_store.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {

std::optional<IndexId> ChangeIndexes(bool is_empty, ContainerState* state, IdCounters* ids,
                                     std::vector<IndexId>* given_up) {
  const IndexingDefinition& wanted = state->definition.indexing;
  const bool keep = !wanted.IndexesNothing();
  auto give_up = [given_up](std::optional<ContainerIndex>* index) {
    if (index->has_value()) given_up->push_back((*index)->id);
    index->reset();
  };
  auto is_wanted = [&](const std::optional<ContainerIndex>& index) {
    return keep && index.has_value() && index->definition == wanted;
  };
  if (is_wanted(state->index_in_making)) return std::nullopt;
  give_up(&state->index_in_making);
  if (is_wanted(state->index)) return std::nullopt;
  if (!keep) {
    give_up(&state->index);
    return std::nullopt;
  }
  ContainerIndex made{.id = ++ids->last_container, .definition = wanted, .paths = state->indexed};
  const IndexId id = made.id;
  if (is_empty) give_up(&state->index);
  (is_empty ? state->index : state->index_in_making) = std::move(made);
  return id;
}

std::vector<IndexId> IndexesOnlyIn(const ContainerState& before, const ContainerState& after) {
  std::vector<IndexId> only;
  for (const auto* index : {&before.index, &before.index_in_making}) {
    if (!index->has_value()) continue;
    const auto is_it = [&](const auto& other) { return other.has_value() && other->id == (*index)->id; };
    if (!is_it(after.index) && !is_it(after.index_in_making)) only.push_back((*index)->id);
  }
  return only;
}

size_t WholeIndexes::Note(PartitionId partition, IndexId index) {
  std::lock_guard lock(mutex_);
  auto& of_container = whole_[partition.container];
  of_container[partition.number] = index;
  return static_cast<size_t>(
      std::count_if(of_container.begin(), of_container.end(), [&](const auto& one) { return one.second == index; }));
}

void WholeIndexes::Forget(ContainerId container) {
  std::lock_guard lock(mutex_);
  whole_.erase(container);
}

void CatalogStore::AddIndexes(const ContainerState& state, ContainerId container) const {
  for (const auto* index : {&state.index, &state.index_in_making}) {
    if (!index->has_value()) continue;
    for (Shard* shard : shards_) shard->dead_space().AddIndex((*index)->id, container);
  }
}

// Readers that began earlier may still use them.
void CatalogStore::GiveUp(const Container& container, const std::vector<IndexId>& indexes) const {
  for (Shard* shard : shards_) shard->dead_space().GaveUp(indexes, container.context().shared_pages());
}

bool CatalogStore::IndexIsWhole(PartitionId partition, IndexId index) {
  const ContainerPtr container = view_->state()->FindContainer(partition.container);
  if (container == nullptr || whole_indexes_.Note(partition, index) < container->partitions().size()) return false;
  const Status in_use = PutIndexInUse(container, index);
  if (in_use.ok()) return true;
  // The builder's next turn retries.
  Log(LogLevel::kWarn, "an index could not be put in use", {{"error", in_use.ToString()}});
  return false;
}

Status CatalogStore::PutIndexInUse(const ContainerPtr& container, IndexId index) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<ContainerState>(*container->state());
  LAPSE_RETURN_IF_ERROR(next->Check());
  if (!next->index_in_making.has_value() || next->index_in_making->id != index) return Status::Ok();
  CommitGate::Closed closed(&container->context().gate());
  std::vector<IndexId> given_up;
  if (next->index.has_value()) given_up.push_back(next->index->id);
  next->index = std::exchange(next->index_in_making, std::nullopt);
  store::Batch batch;
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  for (const auto& partition : container->partitions()) {
    // In other stores the record stays: nothing reads it, and it is removed with the container.
    if (partition->store() == store_) batch.Delete(kMetaFamily, IndexBuildKey(partition->id(), index));
  }
  // Synced whatever the user chose: the entries of the replaced index are dropped on the strength of it.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  container->context().Publish(std::move(next));
  whole_indexes_.Forget(container->id());
  GiveUp(*container, given_up);
  return Status::Ok();
}

}  // namespace lapse::engine
