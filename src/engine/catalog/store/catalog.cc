#include "engine/catalog/store/catalog.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/bytes.h"
#include "base/fail_point.h"
#include "base/log.h"
#include "engine/catalog/throughput/request_unit_pool.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/partition/view/open_pages.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/reclaimer.h"

namespace lapse::engine {
namespace {

constinit FailPoint change_written("catalog.change_written");

Status NoDatabase() {
  return {Code::kNotFound, "no such database"};
}
Status NoContainer() {
  return {Code::kNotFound, "no such container"};
}

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

ThroughputChanges FirstThroughput(const Throughput& throughput, int64_t now_s) {
  return {.last_s = now_s, .ru_most = throughput.ru_per_second()};
}

// Those that have throughput of their own do not share.
std::shared_ptr<RequestUnitPool> PoolFor(const ContainerState& state, const Database& database) {
  return state.definition.throughput.none() ? database.pool : nullptr;
}

// Calls `take(id bytes, value)` for every record of one kind.
template <typename Take>
Status ForEach(store::Shard* shard, const std::string& prefix, Take take) {
  store::IterateOptions options;
  options.lower = prefix;
  options.upper = PrefixEnd(prefix);
  std::unique_ptr<store::Iterator> records = shard->NewIterator(kMetaFamily, options);
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    LAPSE_RETURN_IF_ERROR(take(records->key().substr(prefix.size()), records->value()));
  }
  return records->status();
}

// What a container has beside its record in the catalog: its partitions, and everything of its items.
void RemoveContents(ContainerId container, const std::vector<PartitionId>& partitions, store::Batch* batch) {
  for (PartitionId partition : partitions) {
    batch->Delete(kMetaFamily, PartitionDefinitionKey(partition));
    batch->Delete(kMetaFamily, PartitionTallyKey(partition));
    batch->Delete(kMetaFamily, HeldBodiesKey(partition));
    batch->Delete(kMetaFamily, IndexBuildKey(partition));
  }
  const std::string begin = ContainerPrefix(container);
  const std::string end = PrefixEnd(begin);
  for (store::FamilyId family : kItemFamilies) {
    // Nobody asks for entries of an index that no container has; they go with compactions.
    if (family != kIndexFamily) batch->DeleteRange(family, begin, end);
  }
}

// What it holds may have become due, or what it may keep.
void AskForSweep(const Container& container) {
  for (const auto& partition : container.partitions()) partition->AskForSweep();
}

std::shared_ptr<const IndexedPaths> IndexedBy(const ContainerDefinition& definition, const Derivation* derivation) {
  return std::make_shared<const IndexedPaths>(definition.indexing, definition.lifetime_property, derivation);
}

// Which of its indexes the one after it has no more.
std::vector<IndexId> IndexesOnlyIn(const ContainerState& before, const ContainerState& after) {
  std::vector<IndexId> only;
  for (const auto* index : {&before.index, &before.index_in_making}) {
    if (!index->has_value()) continue;
    const auto is_it = [&](const auto& other) { return other.has_value() && other->id == (*index)->id; };
    if (!is_it(after.index) && !is_it(after.index_in_making)) only.push_back((*index)->id);
  }
  return only;
}

Status UnknownRule() {
  return {Code::kInvalidArgument, "the indexing definition has a rule that is not known"};
}

}  // namespace

// What exists at one moment. A change publishes a new one.
struct Catalog::State {
  struct Entry {
    DatabasePtr database;
    std::map<std::string, ContainerPtr, std::less<>> containers;
  };
  std::map<std::string, Entry, std::less<>> databases;
  IdCounters ids;
  // The same by id, made when the state is published.
  std::unordered_map<DatabaseId, DatabasePtr> databases_by_id;
  std::unordered_map<ContainerId, ContainerPtr> containers_by_id;

  void IndexById() {
    databases_by_id.clear();
    containers_by_id.clear();
    for (const auto& [database_name, entry] : databases) {
      databases_by_id[entry.database->id] = entry.database;
      for (const auto& [name, container] : entry.containers) containers_by_id[container->id()] = container;
    }
  }

  const Entry* Find(std::string_view name) const {
    auto found = databases.find(name);
    return found == databases.end() ? nullptr : &found->second;
  }

  std::map<ContainerId, ContainerPtr> ContainersById() const {
    std::map<ContainerId, ContainerPtr> by_id;
    for (const auto& [database_name, entry] : databases) {
      for (const auto& [name, container] : entry.containers) by_id[container->id()] = container;
    }
    return by_id;
  }
};

Catalog::Catalog(const CatalogParts& parts)
    : parts_(parts), shard_(parts.commit.shards->catalog()), state_(std::make_shared<const State>()) {}
Catalog::~Catalog() = default;

// Also run after a write whose outcome is unknown: what the store holds is what counts. Containers that are known
// already stay the same objects.
Status Catalog::Load() {
  auto loaded = std::make_shared<State>();
  store::PinnedValue value;
  Status counters = shard_->Get(kMetaFamily, IdCounterKey(), &value);
  if (counters.ok()) {
    LAPSE_ASSIGN_OR_RETURN(loaded->ids, DecodeIdCounters(value.view()));
  } else if (counters.code() != Code::kNotFound) {
    return counters;
  }
  std::map<DatabaseId, std::string> names;
  auto take_database = [&](std::string_view id, std::string_view bytes) -> Status {
    LAPSE_ASSIGN_OR_RETURN(Database database, DecodeDatabase(bytes));
    database.id = ByteReader(id).BigEndian<uint32_t>();
    names[database.id] = database.name;
    database.pool = PoolOf(database);
    State::Entry& entry = loaded->databases[database.name];
    entry.database = std::make_shared<const Database>(std::move(database));
    return Status::Ok();
  };
  std::map<ContainerId, ContainerPtr> known = state()->ContainersById();
  auto take_container = [&](std::string_view key, std::string_view bytes) -> Status {
    LAPSE_ASSIGN_OR_RETURN(ContainerRecord record, DecodeContainer(bytes, parts_.commit.derivation));
    auto owner = names.find(record.database);
    if (owner == names.end()) return {Code::kCorruption, "a container in the catalog has no database"};
    ContainerId id = ByteReader(key).BigEndian<uint32_t>();
    record.state.indexed = IndexedBy(record.state.definition, parts_.commit.derivation);
    for (const auto* index : {&record.state.index, &record.state.index_in_making}) {
      if (index->has_value()) parts_.commit.purge_filter->AddIndex((*index)->id, id);
    }
    auto stored = std::make_shared<const ContainerState>(std::move(record.state));
    State::Entry& entry = loaded->databases[owner->second];
    ContainerPtr& container = entry.containers[stored->definition.name];
    if (auto found = known.find(id); found != known.end()) {
      container = found->second;
      const std::vector<IndexId> given_up = IndexesOnlyIn(*container->state(), *stored);
      container->state_.store(stored, std::memory_order_release);
      GiveUp(given_up);
      container->ShareThroughput(parts_.rate_limiting);
      AskForSweep(*container);
      known.erase(found);
      return Status::Ok();
    }
    container =
        std::make_shared<Container>(record.database, id, stored, parts_.commit, PoolFor(*stored, *entry.database));
    return LoadPartitions(container.get());
  };
  LAPSE_RETURN_IF_ERROR(ForEach(shard_, MetaPrefix(MetaKind::kDatabase), take_database));
  LAPSE_RETURN_IF_ERROR(ForEach(shard_, MetaPrefix(MetaKind::kContainer), take_container));
  LAPSE_RETURN_IF_ERROR(resources_.Load(shard_));
  for (const auto& [id, container] : known) container->Mark(ContainerState::Standing::kDropped);
  LAPSE_RETURN_IF_ERROR(RemoveOrphans(*loaded));
  Publish(std::move(loaded));
  return Status::Ok();
}

ContainerId Catalog::LastContainer() const {
  return state()->ids.last_container;
}

// A drop is two writes. When the second one did not happen, it is made up for here.
Status Catalog::RemoveOrphans(const State& loaded) {
  const std::map<ContainerId, ContainerPtr> present = loaded.ContainersById();
  std::map<ContainerId, std::vector<PartitionId>> orphans;
  auto take_partition = [&](std::string_view key, std::string_view) {
    ByteReader reader(key);
    PartitionId partition;
    partition.container = reader.BigEndian<ContainerId>();
    partition.number = reader.BigEndian<PartitionNumber>();
    if (!present.contains(partition.container)) orphans[partition.container].push_back(partition);
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(ForEach(shard_, MetaPrefix(MetaKind::kPartition), take_partition));
  for (const auto& [container, partitions] : orphans) {
    store::Batch batch;
    RemoveContents(container, partitions, &batch);
    const Status removed =
        parts_.commit.shards->OfContainer(container)->Write(batch, store::Durability::kSync, store::Room::kReserve);
    // Nobody sees them: the next start tries again.
    if (!removed.ok()) {
      Log(LogLevel::kWarn, "what is left of a dropped container could not be removed", {{"error", removed.ToString()}});
    }
  }
  return Status::Ok();
}

std::unique_ptr<Partition> Catalog::MakePartition(Container* container, PartitionNumber number, EpkRange range,
                                                  const PartitionTally& tally,
                                                  const ttl::Floors& released_bodies) const {
  Budget budget =
      container->shared_pool() != nullptr ? Budget(container->shared_pool()) : Budget(*parts_.commit.steady, 0);
  return std::make_unique<Partition>(container, number, std::move(range), tally, released_bodies, std::move(budget),
                                     parts_.commit);
}

Status Catalog::LoadPartitions(Container* container) {
  std::string prefix = MetaPrefix(MetaKind::kPartition);
  PutBigEndian(&prefix, container->id());
  auto take_partition = [&](std::string_view key, std::string_view bytes) -> Status {
    const PartitionId id{container->id(), ByteReader(key).BigEndian<PartitionNumber>()};
    LAPSE_ASSIGN_OR_RETURN(EpkRange range, DecodePartition(bytes));
    store::Shard* const shard = parts_.commit.shards->Of(id);
    LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTally(shard, id));
    LAPSE_ASSIGN_OR_RETURN(const ttl::Floors released, HeldBodies::LoadReleased(shard, id, tally.purged.floors));
    container->partitions_.push_back(MakePartition(container, id.number, std::move(range), tally, released));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(ForEach(shard_, prefix, take_partition));
  auto& partitions = container->partitions_;
  std::sort(partitions.begin(), partitions.end(),
            [](const auto& a, const auto& b) { return a->range().min < b->range().min; });
  if (partitions.empty() || !partitions.front()->range().min.empty()) {
    return {Code::kCorruption, "a container in the catalog lacks partitions"};
  }
  container->ShareThroughput(parts_.rate_limiting);
  AskForSweep(*container);
  return Status::Ok();
}

std::shared_ptr<RequestUnitPool> Catalog::PoolOf(const Database& database) const {
  if (database.throughput.none()) return nullptr;
  const int64_t rate = MilliRuPerPartition(database.throughput, parts_.rate_limiting, 1);
  std::shared_ptr<const State> now = state();
  const State::Entry* before = now->Find(database.name);
  if (before == nullptr || before->database->id != database.id || before->database->pool == nullptr) {
    return std::make_shared<RequestUnitPool>(*parts_.commit.steady, rate);
  }
  before->database->pool->SetRate(rate);
  return before->database->pool;
}

void Catalog::Publish(std::shared_ptr<State> next) {
  next->IndexById();
  state_.store(std::move(next), std::memory_order_release);
}

Status Catalog::Write(const store::Batch& batch) {
  return Write(batch, parts_.commit.durability, store::Room::kOrdinary);
}

Status Catalog::Write(const store::Batch& batch, store::Durability durability, store::Room room) {
  Status written = shard_->Write(batch, durability, room);
  if (written.ok()) written = change_written.Check();
  if (written.code() != Code::kUnknownOutcome) return written;
  in_doubt_ = true;
  if (Status settled = SettleLocked(); !settled.ok()) {
    Log(LogLevel::kError, "catalog could not be read again after a failed change", {{"error", settled.ToString()}});
    // Neither the old definition nor the new one may decide what has expired.
    for (const auto& [id, container] : state()->ContainersById()) container->Mark(ContainerState::Standing::kInDoubt);
  }
  return written;
}

Status Catalog::CheckCertain() const {
  if (!in_doubt_) return Status::Ok();
  return {Code::kUnavailable, "it is not known whether a change of the catalog counts"};
}

Status Catalog::Settle() {
  if (!in_doubt_) return Status::Ok();
  std::lock_guard lock(change_mutex_);
  return SettleLocked();
}

Status Catalog::SettleLocked() {
  if (!in_doubt_) return Status::Ok();
  if (Status loaded = Load(); !loaded.ok()) {
    return {Code::kUnavailable, "it is not known whether a change of the catalog counts: " + loaded.message()};
  }
  in_doubt_ = false;
  return Status::Ok();
}

Result<DatabasePtr> Catalog::CreateDatabase(std::string_view name, Throughput throughput, std::string properties) {
  LAPSE_RETURN_IF_ERROR(throughput.Check());
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<State>(*state());
  if (next->Find(name) != nullptr) return Status(Code::kAlreadyExists, "the database exists");

  Database made;
  made.id = ++next->ids.last_database;
  made.name = name;
  made.ts_s = parts_.commit.clock->NowMs() / 1000;
  made.throughput = throughput;
  made.throughput_changes = FirstThroughput(throughput, made.ts_s);
  made.properties = std::move(properties);
  made.pool = PoolOf(made);
  auto database = std::make_shared<const Database>(std::move(made));
  store::Batch batch;
  batch.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(next->ids));
  batch.Put(kMetaFamily, DatabaseKey(database->id), EncodeDatabase(*database));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  next->databases[database->name].database = database;
  Publish(std::move(next));
  return DatabasePtr(database);
}

Result<DatabasePtr> Catalog::FindDatabase(std::string_view name) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::shared_ptr<const State> now = state();
  const State::Entry* entry = now->Find(name);
  if (entry == nullptr) return NoDatabase();
  return entry->database;
}

Result<DatabasePtr> Catalog::FindDatabase(DatabaseId id) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::shared_ptr<const State> now = state();
  auto found = now->databases_by_id.find(id);
  if (found == now->databases_by_id.end()) return NoDatabase();
  return found->second;
}

Result<std::vector<DatabasePtr>> Catalog::ListDatabases() {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::vector<DatabasePtr> databases;
  std::shared_ptr<const State> now = state();  // keeps what is walked while a change publishes the next
  for (const auto& [name, entry] : now->databases) databases.push_back(entry.database);
  return databases;
}

bool Catalog::HasDatabase(DatabaseId id) const {
  return state()->databases_by_id.contains(id);
}

Status Catalog::DropDatabase(std::string_view name) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<State>(*state());
  auto found = next->databases.find(name);
  if (found == next->databases.end()) return NoDatabase();
  std::vector<ContainerPtr> containers;
  for (const auto& [container_name, container] : found->second.containers) containers.push_back(container);
  store::Batch batch;
  batch.Delete(kMetaFamily, DatabaseKey(found->second.database->id));
  for (const ContainerPtr& container : containers) batch.Delete(kMetaFamily, ContainerKey(container->id()));
  const std::vector<OwnedResourcePtr> owned = resources_.Of(found->second.database->id);
  for (const OwnedResourcePtr& resource : owned) {
    batch.Delete(kMetaFamily, OwnedResourceKey(resource->place.database, resource->number));
  }
  LAPSE_RETURN_IF_ERROR(Remove(containers, batch));
  next->databases.erase(found);
  Publish(std::move(next));
  resources_.Remove(owned);
  return Status::Ok();
}

Result<ContainerPtr> Catalog::CreateContainer(std::string_view database, ContainerDefinition definition) {
  LAPSE_RETURN_IF_ERROR(definition.throughput.Check());
  LAPSE_RETURN_IF_ERROR(definition.unique_keys.Check());
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<State>(*state());
  auto owner = next->databases.find(database);
  if (owner == next->databases.end()) return NoDatabase();
  if (owner->second.containers.contains(definition.name)) return Status(Code::kAlreadyExists, "the container exists");

  std::string name = definition.name;
  DatabaseId database_id = owner->second.database->id;
  auto made = std::make_shared<ContainerState>();
  made->policy.default_ttl = definition.default_ttl;
  const int64_t now_ms = parts_.commit.clock->NowMs();
  made->history.Add(now_ms, definition.default_ttl);
  made->ts_s = now_ms / 1000;
  made->definition = std::move(definition);
  made->throughput_changes = FirstThroughput(made->definition.throughput, made->ts_s);
  made->indexed = IndexedBy(made->definition, parts_.commit.derivation);
  if (!made->indexed->knows_rules()) return UnknownRule();
  const ContainerId id_of_container = ++next->ids.last_container;
  std::vector<IndexId> given_up;
  ChangeIndexes(id_of_container, true, made.get(), &next->ids, &given_up);
  auto container = std::make_shared<Container>(database_id, id_of_container, made, parts_.commit,
                                               PoolFor(*made, *owner->second.database));

  store::Batch batch;
  batch.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(next->ids));
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(database_id, *made));
  const auto partitions = static_cast<int>(PartitionsFor(made->definition.throughput));
  PartitionNumber number = 0;
  for (EpkRange& range : SplitEvenly(partitions, made->definition.partition_key)) {
    const PartitionId id{container->id(), number++};
    batch.Put(kMetaFamily, PartitionDefinitionKey(id), EncodePartition(range));
    batch.Put(kMetaFamily, PartitionTallyKey(id), EncodeTally({}));
    container->partitions_.push_back(MakePartition(container.get(), id.number, std::move(range), {}, {}));
  }
  container->ShareThroughput(parts_.rate_limiting);
  LAPSE_RETURN_IF_ERROR(Write(batch));
  owner->second.containers[name] = container;
  Publish(std::move(next));
  return ContainerPtr(container);
}

Result<ContainerPtr> Catalog::FindContainer(std::string_view database, std::string_view name) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  return Known(database, name);
}

Result<ContainerPtr> Catalog::FindContainer(DatabaseId database, ContainerId id) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::shared_ptr<const State> now = state();
  auto found = now->containers_by_id.find(id);
  if (found == now->containers_by_id.end() || found->second->database() != database) return NoContainer();
  return found->second;
}

Result<ContainerPtr> Catalog::Known(std::string_view database, std::string_view name) const {
  std::shared_ptr<const State> now = state();
  const State::Entry* entry = now->Find(database);
  if (entry == nullptr) return NoDatabase();
  auto found = entry->containers.find(name);
  if (found == entry->containers.end()) return NoContainer();
  return found->second;
}

Result<std::vector<ContainerPtr>> Catalog::ListContainers(std::string_view database) {
  LAPSE_RETURN_IF_ERROR(CheckCertain());
  std::shared_ptr<const State> now = state();
  const State::Entry* entry = now->Find(database);
  if (entry == nullptr) return NoDatabase();
  std::vector<ContainerPtr> containers;
  for (const auto& [name, container] : entry->containers) containers.push_back(container);
  return containers;
}

Result<ContainerPtr> Catalog::ReplaceContainer(std::string_view database, std::string_view name, ContainerChange change,
                                               RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, Known(database, name));
  auto next = std::make_shared<ContainerState>(*container->state());
  if (condition != 0 && condition != next->revision) {
    return Status(Code::kPreconditionFailed, "the container's definition has changed");
  }

  // No commit comes between the moment the floors are for and their publication, and readers of the container see no
  // later second meanwhile.
  CommitGate::Closed closed(&container->commit_gate());
  HeldSecond moment(parts_.commit.clock, &container->second_hold_);
  const ttl::Policy before = next->policy;
  next->policy.default_ttl = change.default_ttl;
  const bool log_begins = !next->keeps_changes() && change.change_log_retention_s > 0;
  bool is_empty = true;
  for (const auto& partition : container->partitions()) {
    LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, partition->CertainTally());
    PartitionPolicy& numbers = next->Of(partition->number());
    ttl::RaiseForChange(before, next->policy, moment.now_ms(), tally.last_sequence, &numbers.dead);
    if (log_begins) numbers.log_since = tally.last_sequence;
    is_empty &= tally.creations == 0;
  }
  next->history.Add(moment.now_ms(), change.default_ttl);
  next->definition.default_ttl = change.default_ttl;
  next->definition.change_log_retention_s = change.change_log_retention_s;
  next->definition.properties = std::move(change.properties);
  next->definition.indexing = std::move(change.indexing);
  next->indexed = IndexedBy(next->definition, parts_.commit.derivation);
  if (!next->indexed->knows_rules()) return UnknownRule();
  auto catalog = std::make_shared<State>(*state());
  std::vector<IndexId> given_up;
  ChangeIndexes(container->id(), is_empty, next.get(), &catalog->ids, &given_up);
  next->ts_s = moment.now_ms() / 1000;
  ++next->revision;
  store::Batch batch;
  batch.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(catalog->ids));
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  // Synced whatever the user chose: what expires by the old policy, and is seen to, must not live again after a crash.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  Publish(std::move(catalog));
  container->state_.store(std::move(next), std::memory_order_release);
  GiveUp(given_up);
  AskForSweep(*container);
  return container;
}

void Catalog::ChangeIndexes(ContainerId container, bool is_empty, ContainerState* state, IdCounters* ids,
                            std::vector<IndexId>* given_up) const {
  const IndexingDefinition& wanted = state->definition.indexing;
  const bool keep = !wanted.IndexesNothing();
  auto give_up = [given_up](std::optional<ContainerIndex>* index) {
    if (index->has_value()) given_up->push_back((*index)->id);
    index->reset();
  };
  auto is_wanted = [&](const std::optional<ContainerIndex>& index) {
    return keep && index.has_value() && index->definition == wanted;
  };
  if (is_wanted(state->index_in_making)) return;
  give_up(&state->index_in_making);
  if (is_wanted(state->index)) return;
  if (!keep) return give_up(&state->index);
  ContainerIndex made{.id = ++ids->last_container, .definition = wanted, .paths = state->indexed};
  // Before anything is written to it.
  parts_.commit.purge_filter->AddIndex(made.id, container);
  if (is_empty) give_up(&state->index);
  (is_empty ? state->index : state->index_in_making) = std::move(made);
}

// Readers that began before may use them.
void Catalog::GiveUp(const std::vector<IndexId>& indexes) const {
  if (indexes.empty()) return;
  parts_.commit.pages->AfterThese([filter = parts_.commit.purge_filter, reclaimer = parts_.commit.reclaimer, indexes] {
    for (IndexId index : indexes) filter->ForgetIndex(index);
    reclaimer->NoteDropped();
  });
}

std::vector<ContainerPtr> Catalog::ContainersWithIndexInMaking() const {
  std::vector<ContainerPtr> containers;
  std::shared_ptr<const State> now = state();
  for (const auto& [database_name, entry] : now->databases) {
    for (const auto& [name, container] : entry.containers) {
      const std::shared_ptr<const ContainerState> definition = container->state();
      const bool in_force = definition->standing == ContainerState::Standing::kInForce;
      if (in_force && definition->index_in_making.has_value()) containers.push_back(container);
    }
  }
  return containers;
}

Status Catalog::PutIndexInUse(const ContainerPtr& container, IndexId index) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<ContainerState>(*container->state());
  LAPSE_RETURN_IF_ERROR(next->Check());
  if (!next->index_in_making.has_value() || next->index_in_making->id != index) return Status::Ok();
  CommitGate::Closed closed(&container->commit_gate());
  std::vector<IndexId> given_up;
  if (next->index.has_value()) given_up.push_back(next->index->id);
  next->index = std::exchange(next->index_in_making, std::nullopt);
  store::Batch batch;
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  for (const auto& partition : container->partitions()) batch.Delete(kMetaFamily, IndexBuildKey(partition->id()));
  // Synced whatever the user chose: the entries of the other one go by it.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  container->state_.store(std::move(next), std::memory_order_release);
  GiveUp(given_up);
  return Status::Ok();
}

Status Catalog::DropContainer(std::string_view database, std::string_view name, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, Known(database, name));
  if (condition != 0 && condition != container->state()->revision) {
    return {Code::kPreconditionFailed, "the container's definition has changed"};
  }
  store::Batch batch;
  batch.Delete(kMetaFamily, ContainerKey(container->id()));
  LAPSE_RETURN_IF_ERROR(Remove({container}, batch));
  auto next = std::make_shared<State>(*state());
  next->databases.find(database)->second.containers.erase(container->state()->definition.name);
  Publish(std::move(next));
  return Status::Ok();
}

Result<DatabasePtr> Catalog::SetDatabaseThroughput(std::string_view name, Throughput throughput,
                                                   RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  auto next = std::make_shared<State>(*state());
  auto found = next->databases.find(name);
  if (found == next->databases.end()) return NoDatabase();
  Database changed = *found->second.database;
  if (changed.throughput.none()) return NoThroughput();
  LAPSE_RETURN_IF_ERROR(CheckThroughputChange(throughput, changed.throughput_changes, condition));
  changed.throughput = throughput;
  changed.throughput_changes.Note(throughput, parts_.commit.clock->NowMs() / 1000);
  store::Batch batch;
  batch.Put(kMetaFamily, DatabaseKey(changed.id), EncodeDatabase(changed));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  changed.pool = PoolOf(changed);
  found->second.database = std::make_shared<const Database>(std::move(changed));
  DatabasePtr database = found->second.database;
  Publish(std::move(next));
  return database;
}

Result<ContainerPtr> Catalog::SetContainerThroughput(std::string_view database, std::string_view name,
                                                     Throughput throughput, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, Known(database, name));
  auto next = std::make_shared<ContainerState>(*container->state());
  if (next->definition.throughput.none() && container->shared_pool() != nullptr) return NoThroughput();
  LAPSE_RETURN_IF_ERROR(CheckThroughputChange(throughput, next->throughput_changes, condition));
  next->definition.throughput = throughput;
  next->throughput_changes.Note(throughput, parts_.commit.clock->NowMs() / 1000);
  store::Batch batch;
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  LAPSE_RETURN_IF_ERROR(Write(batch));
  container->state_.store(std::move(next), std::memory_order_release);
  container->ShareThroughput(parts_.rate_limiting);
  return container;
}

// First the catalog: from then on the containers are gone, whatever happens. Then what they hold, where a failure
// leaves only what nobody sees (RemoveOrphans). No commit puts items back meanwhile.
Status Catalog::Remove(const std::vector<ContainerPtr>& containers, const store::Batch& from_catalog) {
  std::vector<std::unique_ptr<CommitGate::Closed>> closed;
  for (const ContainerPtr& container : containers) {
    closed.push_back(std::make_unique<CommitGate::Closed>(&container->commit_gate()));
  }
  // Synced whatever the user chose: files go by it. On the reserve of a full disk, since this makes room.
  LAPSE_RETURN_IF_ERROR(Write(from_catalog, store::Durability::kSync, store::Room::kReserve));
  for (const ContainerPtr& container : containers) {
    container->Mark(ContainerState::Standing::kDropped);
    std::vector<PartitionId> partitions;
    for (const auto& partition : container->partitions()) partitions.push_back(partition->id());
    store::Batch contents;
    RemoveContents(container->id(), partitions, &contents);
    const Status removed = parts_.commit.shards->OfContainer(container->id())
                               ->Write(contents, store::Durability::kSync, store::Room::kReserve);
    if (!removed.ok()) {
      Log(LogLevel::kWarn, "what a dropped container held goes at the next start", {{"error", removed.ToString()}});
    }
    parts_.commit.pages->AfterThese(
        [filter = parts_.commit.purge_filter, reclaimer = parts_.commit.reclaimer, id = container->id()] {
          filter->Forget(id);
          reclaimer->NoteDropped();
        });
  }
  return Status::Ok();
}

}  // namespace lapse::engine
