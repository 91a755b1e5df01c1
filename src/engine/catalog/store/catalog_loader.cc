#include "engine/catalog/store/catalog_loader.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/log.h"
#include "engine/catalog/store/index_life.h"
#include "engine/catalog/store/policy_change.h"
#include "engine/catalog/store/stored_contents.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/index/indexed_paths.h"
#include "store/prefix_scan.h"

namespace lapse::engine {
namespace {

PartitionId PartitionIn(std::string_view key) {
  ByteReader reader(key);
  PartitionId partition;
  partition.container = reader.BigEndian<ContainerId>();
  partition.number = reader.BigEndian<PartitionNumber>();
  return partition;
}

}  // namespace

Status CatalogLoader::Run() {
  LAPSE_RETURN_IF_ERROR(LoadIdCounters());
  catalog_->view_->state()->ForEachContainer(
      [this](const ContainerPtr& container) { known_[container->id()] = container; });
  const auto scan = [this](MetaKind kind, Status (CatalogLoader::*take)(std::string_view, std::string_view)) {
    return store::ScanPrefix(catalog_->store_, kMetaFamily, MetaPrefix(kind),
                             [&](std::string_view id, std::string_view bytes) { return (this->*take)(id, bytes); });
  };
  LAPSE_RETURN_IF_ERROR(scan(MetaKind::kDatabase, &CatalogLoader::TakeDatabase));
  LAPSE_RETURN_IF_ERROR(scan(MetaKind::kPartition, &CatalogLoader::TakePartition));
  LAPSE_RETURN_IF_ERROR(scan(MetaKind::kContainer, &CatalogLoader::TakeContainer));
  LAPSE_RETURN_IF_ERROR(catalog_->resources().Load(catalog_->store_));
  for (const auto& [id, container] : known_) container->context().Mark(ContainerState::Standing::kDropped);
  LAPSE_RETURN_IF_ERROR(RemoveOrphans());
  catalog_->view_->Publish(std::move(loaded_));
  return Status::Ok();
}

Status CatalogLoader::LoadIdCounters() {
  store::PinnedValue value;
  const Status found = catalog_->store_->Get(kMetaFamily, IdCounterKey(), &value);
  if (found.code() == Code::kNotFound) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(found);
  LAPSE_ASSIGN_OR_RETURN(loaded_.ids, DecodeIdCounters(value.view()));
  return Status::Ok();
}

Status CatalogLoader::TakeDatabase(std::string_view id, std::string_view bytes) {
  LAPSE_ASSIGN_OR_RETURN(DatabaseRecord record, DecodeDatabase(bytes));
  record.id = ByteReader(id).BigEndian<DatabaseId>();
  auto database = std::make_shared<Database>(Database{std::move(record), nullptr});
  database->pool = catalog_->PoolOf(*database);
  databases_[database->id] = database;
  loaded_.Put(database);
  return Status::Ok();
}

Status CatalogLoader::TakePartition(std::string_view id, std::string_view bytes) {
  LAPSE_ASSIGN_OR_RETURN(PartitionFacts partition, DecodePartition(bytes));
  partition.id = PartitionIn(id);
  if (partition.shard >= catalog_->shards_.size()) {
    return {Code::kCorruption, "a partition in the catalog is in a shard that is not there"};
  }
  partitions_[partition.id] = std::move(partition);
  return Status::Ok();
}

Status CatalogLoader::TakeContainer(std::string_view id_bytes, std::string_view bytes) {
  LAPSE_ASSIGN_OR_RETURN(ContainerRecord record, DecodeContainer(bytes, catalog_->options_.derivation));
  const auto owner = databases_.find(record.database);
  if (owner == databases_.end()) return {Code::kCorruption, "a container in the catalog has no database"};
  const ContainerId id = ByteReader(id_bytes).BigEndian<ContainerId>();
  const ContainerDefinition& definition = record.state.definition;
  record.state.indexed = std::make_shared<const IndexedPaths>(definition.indexing, definition.lifetime_property,
                                                              catalog_->options_.derivation);
  catalog_->AddIndexes(record.state, id);
  const auto stored = std::make_shared<const ContainerState>(std::move(record.state));
  containers_.insert(id);
  ContainerPtr container;
  if (const auto known = known_.find(id); known != known_.end()) {
    container = known->second;
    known_.erase(known);
    Renew(container, stored);
  } else {
    container = catalog_->NewContainer(record.database, id, stored, *owner->second);
    LAPSE_RETURN_IF_ERROR(OpenPartitions(container));
  }
  container->ShareThroughput(catalog_->options_.rate_limiting);
  catalog_->WakeBackground(*container);
  loaded_.Put(owner->second->name, container);
  return Status::Ok();
}

// The container was in doubt, or nothing of it has changed. So no commit is under way that could see floors and policy
// of different revisions.
void CatalogLoader::Renew(const ContainerPtr& container, const std::shared_ptr<const ContainerState>& stored) {
  const std::vector<IndexId> given_up = IndexesOnlyIn(*container->state(), *stored);
  for (const auto& partition : container->partitions()) {
    const Result<PartitionTally> tally = partition->CertainTally();
    Result<PartitionPolicy> policy =
        tally.ok() ? CatchUp(partition->store(), partition->id(), *stored, tally->last_sequence) : tally.status();
    if (!policy.ok()) {
      policy = partition->floors()->policy;
      if (policy->revision != stored->policy_revision) ++catalog_->partitions_behind_;
    }
    partition->PublishPolicy(*std::move(policy), stored->policy_revision);
  }
  container->context().Publish(stored);
  catalog_->GiveUp(*container, given_up);
}

Status CatalogLoader::OpenPartitions(const ContainerPtr& container) {
  std::vector<PartitionFacts> partitions;
  const PartitionId first{container->id(), 0};
  for (auto at = partitions_.lower_bound(first); at != partitions_.end() && at->first.container == container->id();
       ++at) {
    partitions.push_back(at->second);
  }
  std::sort(partitions.begin(), partitions.end(),
            [](const PartitionFacts& a, const PartitionFacts& b) { return a.range.min < b.range.min; });
  if (partitions.empty() || !partitions.front().range.min.empty()) {
    return {Code::kCorruption, "a container in the catalog lacks partitions"};
  }
  const std::shared_ptr<const ContainerState> state = container->state();
  for (const PartitionFacts& facts : partitions) {
    LAPSE_ASSIGN_OR_RETURN(const PartitionStart start, StartOf(facts, *state));
    catalog_->OpenPartition(facts, start, container.get());
  }
  return Status::Ok();
}

Result<PartitionStart> CatalogLoader::StartOf(const PartitionFacts& facts, const ContainerState& state) {
  store::Shard* const store = catalog_->ShardOf(facts).store();
  PartitionStart start;
  LAPSE_ASSIGN_OR_RETURN(start.tally, LoadTally(store, facts.id));
  LAPSE_ASSIGN_OR_RETURN(start.released_bodies, HeldBodies::LoadReleased(store, facts.id, start.tally.purged.floors));
  start.policy_revision = state.policy_revision;
  Result<PartitionPolicy> policy = CatchUp(store, facts.id, state, start.tally.last_sequence);
  if (policy.status().code() == Code::kCorruption) return policy.status();
  if (!policy.ok()) {
    // A store that refuses writes now may accept them later.
    policy = LoadPolicy(store, facts.id);
    LAPSE_RETURN_IF_ERROR(policy.status());
    ++catalog_->partitions_behind_;
  }
  start.policy = *std::move(policy);
  return start;
}

// A drop, and the creation of a container in several stores, take several writes. This completes what a crash left
// between them.
Status CatalogLoader::RemoveOrphans() {
  store::Batch definitions;
  for (const auto& [id, facts] : partitions_) {
    if (!containers_.contains(id.container)) definitions.Delete(kMetaFamily, PartitionDefinitionKey(id));
  }
  for (Shard* shard : catalog_->shards_) LAPSE_RETURN_IF_ERROR(RemoveOrphansOf(shard));
  if (definitions.empty()) return Status::Ok();
  const Status removed = catalog_->store_->Write(definitions, store::Durability::kSync, store::Room::kReserve);
  // No request sees them, so the next start may retry.
  if (!removed.ok()) Log(LogLevel::kWarn, "partitions of dropped containers are left", {{"error", removed.ToString()}});
  return Status::Ok();
}

Status CatalogLoader::RemoveOrphansOf(Shard* shard) {
  std::map<ContainerId, std::vector<PartitionId>> orphans;
  const auto take_tally = [&](std::string_view key, std::string_view) {
    const PartitionId partition = PartitionIn(key);
    const auto facts = partitions_.find(partition);
    const bool is_here = containers_.contains(partition.container) && facts != partitions_.end() &&
                         facts->second.shard == shard->number();
    if (!is_here) orphans[partition.container].push_back(partition);
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(store::ScanPrefix(shard->store(), kMetaFamily, MetaPrefix(MetaKind::kTally), take_tally));
  for (const auto& [container, partitions] : orphans) {
    store::Batch batch;
    Status removed = containers_.contains(container) ? RemovePartitionRecords(partitions, shard->store(), &batch)
                                                     : RemoveContents(container, partitions, shard->store(), &batch);
    if (removed.ok()) removed = shard->store()->Write(batch, store::Durability::kSync, store::Room::kReserve);
    if (!removed.ok()) {
      Log(LogLevel::kWarn, "what is left of a dropped container could not be removed", {{"error", removed.ToString()}});
    }
  }
  return Status::Ok();
}

}  // namespace lapse::engine
