// The part of the catalog's store that creates and drops containers.
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/log.h"
#include "engine/catalog/store/catalog_store.h"
#include "engine/catalog/store/stored_contents.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/index/indexed_paths.h"
#include "engine/records/partitions/partition_policy.h"
#include "engine/shard/partitions/commit_gate.h"

namespace lapse::engine {

Result<std::shared_ptr<ContainerState>> CatalogStore::FirstState(ContainerDefinition definition, int64_t now_ms) const {
  auto state = std::make_shared<ContainerState>();
  state->policy.default_ttl = definition.default_ttl;
  state->history.Add({.revision = state->policy_revision,
                      .from_ms = now_ms,
                      .policy = state->policy,
                      .log_begins = definition.change_log_retention_s > 0},
                     state->policy_revision);
  state->ts_s = now_ms / 1000;
  state->throughput_changes = ThroughputChanges::First(definition.throughput, state->ts_s);
  state->definition = std::move(definition);
  state->indexed = std::make_shared<const IndexedPaths>(state->definition.indexing, state->definition.lifetime_property,
                                                        options_.derivation);
  if (!state->indexed->knows_rules()) return UnknownRule();
  return state;
}

Result<ContainerPtr> CatalogStore::CreateContainer(std::string_view database, ContainerDefinition definition) {
  LAPSE_RETURN_IF_ERROR(definition.throughput.Check());
  LAPSE_RETURN_IF_ERROR(definition.unique_keys.Check());
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  CatalogState next = *view_->state();
  const CatalogState::Entry* const owner = next.Find(database);
  if (owner == nullptr) return Status(Code::kNotFound, "no such database");
  if (owner->containers.contains(definition.name)) return Status(Code::kAlreadyExists, "the container exists");
  const DatabasePtr database_of = owner->database;

  const int64_t now_ms = clock_->NowMs();
  LAPSE_ASSIGN_OR_RETURN(const std::shared_ptr<ContainerState> state, FirstState(std::move(definition), now_ms));
  const ContainerId id = ++next.ids.last_container;
  std::vector<IndexId> given_up;
  ChangeIndexes(true, state.get(), &next.ids, &given_up);
  AddIndexes(*state, id);
  const ContainerPtr container = NewContainer(database_of->id, id, state, *database_of);

  std::map<ShardNumber, store::Batch> batches;
  store::Batch& of_catalog = batches[0];
  of_catalog.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(next.ids));
  of_catalog.Put(kMetaFamily, ContainerKey(id), EncodeContainer(database_of->id, *state));
  const size_t partitions = PartitionsFor(state->definition.throughput);
  const std::vector<ShardNumber> places = PlacesFor(partitions);
  std::vector<EpkRange> ranges = SplitEvenly(static_cast<int>(partitions), state->definition.partition_key);
  for (PartitionNumber number = 0; number < partitions; ++number) {
    const PartitionFacts facts{{id, number}, std::move(ranges[number]), places[number]};
    PartitionStart start;
    start.policy.moment_ms = now_ms;
    of_catalog.Put(kMetaFamily, PartitionDefinitionKey(facts.id), EncodePartition(facts));
    store::Batch& of_partition = batches[facts.shard];
    of_partition.Put(kMetaFamily, PartitionTallyKey(facts.id), EncodeTally(start.tally));
    of_partition.Put(kMetaFamily, PartitionPolicyKey(facts.id), EncodePartitionPolicy(start.policy));
    OpenPartition(facts, start, container.get());
  }
  container->ShareThroughput(options_.rate_limiting);
  // The catalog is written last: contents that it does not name do not count, and the next start removes them.
  for (const auto& [shard, batch] : batches) {
    if (shard == 0) continue;
    LAPSE_RETURN_IF_ERROR(shards_[shard]->store()->Write(batch, store::Durability::kSync));
  }
  LAPSE_RETURN_IF_ERROR(Write(of_catalog));
  next.Put(database_of->name, container);
  view_->Publish(std::move(next));
  return container;
}

Status CatalogStore::DropContainer(std::string_view database, std::string_view name, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, view_->Known(database, name));
  if (condition != 0 && condition != container->state()->revision) {
    return {Code::kPreconditionFailed, "the container's definition has changed"};
  }
  store::Batch batch;
  batch.Delete(kMetaFamily, ContainerKey(container->id()));
  LAPSE_RETURN_IF_ERROR(Remove({container}, batch));
  CatalogState next = *view_->state();
  next.Drop(std::string(database), *container);
  view_->Publish(std::move(next));
  return Status::Ok();
}

// Writes the catalog first: from then on the containers are gone, whatever happens. Then removes their contents, where
// a failure leaves only records that no request sees (CatalogLoader::RemoveOrphans). No commit adds items meanwhile.
Status CatalogStore::Remove(const std::vector<ContainerPtr>& containers, const store::Batch& from_catalog) {
  std::vector<std::unique_ptr<CommitGate::Closed>> closed;
  for (const ContainerPtr& container : containers) {
    closed.push_back(std::make_unique<CommitGate::Closed>(&container->context().gate()));
  }
  // Synced whatever the user chose, since files are deleted on the strength of it. May use the reserve of a full disk,
  // since it makes room.
  LAPSE_RETURN_IF_ERROR(Write(from_catalog, store::Durability::kSync, store::Room::kReserve));
  for (const ContainerPtr& container : containers) {
    container->context().Mark(ContainerState::Standing::kDropped);
    whole_indexes_.Forget(container->id());
    RemoveContentsOf(*container);
    for (Shard* shard : shards_) {
      shard->dead_space().Dropped(container->id(), container->context().shared_pages());
    }
  }
  return Status::Ok();
}

// Partition definitions, which are in the catalog's store, go last: from one that is left, a start finds the rest.
void CatalogStore::RemoveContentsOf(const Container& container) {
  std::map<ShardNumber, std::vector<PartitionId>> by_shard;
  by_shard[0];
  for (const auto& partition : container.partitions()) by_shard[partition->facts().shard].push_back(partition->id());
  for (auto shard = by_shard.rbegin(); shard != by_shard.rend(); ++shard) {
    store::Batch contents;
    Status removed = RemoveContents(container.id(), shard->second, shards_[shard->first]->store(), &contents);
    if (shard->first == 0) {
      for (const auto& partition : container.partitions()) {
        contents.Delete(kMetaFamily, PartitionDefinitionKey(partition->id()));
      }
    }
    if (removed.ok()) {
      removed = shards_[shard->first]->store()->Write(contents, store::Durability::kSync, store::Room::kReserve);
    }
    if (!removed.ok()) {
      Log(LogLevel::kWarn, "what a dropped container held goes at the next start", {{"error", removed.ToString()}});
    }
  }
}

}  // namespace lapse::engine
