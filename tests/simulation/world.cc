#include "tests/simulation/world.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "tests/simulation/difference.h"
#include "tests/simulation/documents.h"
#include "tests/simulation/indexing.h"

namespace lapse::simulation {
namespace {

constexpr int64_t kStart_ms = 1'750'000'000'000;
constexpr int64_t kLogRetention_s = 1'000'000'000;

// The unique keys of a container, for the engine and for its model. The second container has none.
engine::UniqueKeysDefinition UniqueKeysOf(int container) {
  engine::UniqueKeysDefinition unique;
  if (container != 1) unique.keys.push_back({{doc::Path({"tag"})}});
  if (container == 2) unique.keys.push_back({{doc::Path({"counter"}), doc::Path({"text"})}});
  return unique;
}

std::vector<ModelContainer::UniqueValues> UniqueValuesOf(int container) {
  std::vector<ModelContainer::UniqueValues> unique;
  if (container != 1) {
    unique.emplace_back([](const std::string& bson) {
      const Document document = FromBson(bson);
      return document.tag.has_value() ? std::to_string(*document.tag) : "none";
    });
  }
  if (container == 2) {
    unique.emplace_back([](const std::string& bson) {
      const Document document = FromBson(bson);
      return std::to_string(document.counter) + document.text;
    });
  }
  return unique;
}

// For three partitions, for one, and without a limit.
constexpr int kThroughputs[kContainers] = {18'000, 400, 0};

}  // namespace

std::string Text(const std::optional<int32_t>& ttl) {
  return ttl.has_value() ? std::to_string(*ttl) : "off";
}

std::string Text(const ModelKey& key) {
  return key.first + "/" + key.second;
}

std::string ContainerName(int index) {
  return "c" + std::to_string(index);
}

int64_t World::LogRetention_s(int container) {
  return container < 2 ? kLogRetention_s : 0;
}

World::World(const SimulationOptions& options, SimulationReport* report)
    : options_(options), report_(report), dice_(options.seed), wall_(kStart_ms) {
  MakeDisks();
  SetFaults(false);
  OpenEngine();
  if (!engine_->catalog_store().CreateDatabase("db", 0, "").ok()) Fail("cannot create the database");
  for (int container = 0; container < kContainers; ++container) MakeContainer(container);
  SetFaults(options.store_faults);
}

void World::MakeDisks() {
  store::FaultyOptions faults;
  faults.fail_before_per_mille = 20;
  faults.fail_after_per_mille = 20;
  faults.read_fail_per_mille = 5;
  for (int i = 0; i < options_.shards; ++i) {
    faults.seed = options_.seed + static_cast<uint64_t>(i);
    Disk& disk = disks_.emplace_back();
    disk.store = std::make_unique<store::FaultyShard>(faults, engine::EngineFamilies(disk.filter.get()));
  }
}

bool World::SetFaults(bool on) {
  for (store::FaultyShard* store : stores()) store->set_faults(on);
  const bool before = std::exchange(faults_on_, on);
  // Completes what faults left undone, so that everything answers.
  if (before && !on && engine_ != nullptr) SettleCatalog();
  return before;
}

std::vector<store::FaultyShard*> World::stores() {
  std::vector<store::FaultyShard*> stores;
  for (const Disk& disk : disks_) stores.push_back(disk.store.get());
  return stores;
}

Status World::Get(store::FamilyId family, const std::string& key, store::PinnedValue* value) {
  Status found(Code::kNotFound, "");
  for (store::FaultyShard* store : stores()) {
    found = store->Get(family, key, value);
    if (found.code() != Code::kNotFound) break;
  }
  return found;
}

void World::CompactStores(store::FamilyId family) {
  for (store::FaultyShard* store : stores()) {
    const Status compacted = store->Compact(family, {}, {});
    if (!compacted.ok() && !IsFault(compacted)) Fail("compaction: " + compacted.ToString());
  }
}

void World::SettleCatalog() {
  const bool faults = SetFaults(false);
  if (Status settled = engine_->catalog_store().Settle(); !settled.ok()) Fail("settle: " + settled.ToString());
  SetFaults(faults);
}

bool World::IsInjected(const Status& status) {
  return status.code() == Code::kUnknownOutcome || status.code() == Code::kUnavailable ||
         status.code() == Code::kNoSpace || status.code() == Code::kCorruption;
}

bool World::IsFault(const Status& status) {
  const bool fault = IsInjected(status);
  if (fault && !options_.store_faults) Fail("a fault that was not injected: " + status.ToString());
  report_->faults += fault ? 1 : 0;
  return fault;
}

void World::OpenEngine() {
  engine::EngineOptions options;
  options.background_clock = false;
  options.background_sweeper = false;
  options.derivation = &RulesOfIndexes();
  options.group_bytes_max = options_.group_bytes_max;
  options.item_cache_bytes = dice_.OneIn(2) ? 1 << 20 : 0;
  options.wall = &wall_;
  options.steady = &steady_;
  options.rate_limiting = options_.rate_limiting ? engine::RateLimiting::kExplicit : engine::RateLimiting::kOff;
  std::vector<engine::StoreOfShard> stores;
  for (const Disk& disk : disks_) stores.push_back({disk.store.get(), disk.filter.get()});
  auto opened = engine::Engine::Open(options, stores, &executor_);
  if (!opened.ok()) Fail("open: " + opened.status().ToString());
  engine_ = *std::move(opened);
  ObserveTime();
  throughputs_.clear();
  for (const auto& [container, model] : models_) {
    throughputs_.emplace(container, ThroughputModel(*Find(container), options_.rate_limiting, SteadyMs()));
  }
}

void World::Reopen(bool crash) {
  engine_.reset();
  wall_seen_near_ = false;
  if (crash) {
    for (Disk& disk : disks_) {
      // What was read after a write with an unknown outcome is made durable here by the next synced write. In the first
      // store that is the clock's mark.
      if (!disk.store->Write({}, store::Durability::kSync).ok()) Fail("a store takes no write");
      disk.store = disk.store->Crash(dice_.Seed());
    }
    SetFaults(false);
  }
  if (dice_.OneIn(4)) wall_.Advance(-dice_.Below(kJump_ms));
  if (dice_.OneIn(4)) wall_.Advance(dice_.Below(100'000));
  OpenEngine();
}

void World::MakeContainer(int container) {
  engine::CatalogStore& catalog = engine_->catalog_store();
  if (models_.contains(container)) {
    Status dropped = catalog.DropContainer("db", ContainerName(container), 0);
    if (!dropped.ok()) Fail("drop: " + dropped.ToString());
  }
  engine::ContainerDefinition definition;
  definition.name = ContainerName(container);
  definition.partition_key.paths = {doc::Path({"pk"})};
  definition.default_ttl = RandomDefaultTtl();
  definition.throughput = kThroughputs[container];
  definition.change_log_retention_s = LogRetention_s(container);
  definition.unique_keys = UniqueKeysOf(container);
  definition.indexing = RandomIndexing(&dice_);
  auto made = catalog.CreateContainer("db", definition);
  if (!made.ok()) Fail("create container: " + made.status().ToString());
  models_.insert_or_assign(container, ModelContainer(definition.default_ttl, UniqueValuesOf(container)));
  throughputs_.erase(container);
  throughputs_.emplace(container, ThroughputModel(**made, options_.rate_limiting, SteadyMs()));
}

engine::ContainerPtr World::Find(int container) {
  auto found = engine_->catalog().FindContainer("db", ContainerName(container));
  if (!found.ok()) Fail("container " + ContainerName(container) + ": " + found.status().ToString());
  return *found;
}

ThroughputModel& World::throughput(int container) {
  ThroughputModel& model = throughputs_.at(container);
  model.MoveTo(SteadyMs());
  return model;
}

void World::SetThroughput(int container, int ru_per_second) {
  auto set = engine_->catalog_store().SetContainerThroughput("db", ContainerName(container), ru_per_second, 0);
  if (!set.ok()) Fail("throughput: " + set.status().ToString());
  throughput(container).SetThroughput(ru_per_second, SteadyMs());
}

engine::ItemAddress World::AddressOf(int container, const ModelKey& key) {
  auto component = engine::PartitionKeyComponent::String(key.first);
  return {engine::LogicalKeyOf(Find(container)->partition_key(), {&component, 1}), engine::StringItemId(key.second)};
}

void World::PassMs(int64_t ms) {
  wall_.Advance(ms);
  steady_.AdvanceMs(ms);
  ObserveTime();
}

void World::ObserveTime() {
  const int64_t now_s = engine_->clock().NowMs() / 1000;
  if (now_s < now_s_) Fail("time went back to " + std::to_string(now_s));
  const bool near = std::abs(wall_.NowMs() - now_s * 1000) < kJump_ms / 4;
  if (near && now_s > now_s_) wall_seen_near_ = true;
  now_s_ = now_s;
  for (auto& [container, model] : models_) {
    const size_t before = model.items().size();
    model.MoveTimeTo(now_s_);
    report_->expired_seen += static_cast<int>(before - model.items().size());
  }
}

bool World::RunSweeper() {
  const bool any = engine_->SweepTurn();
  for (int container = 0; container < kContainers; ++container) {
    const engine::ContainerPtr found = Find(container);
    throughput(container).ChargeSweeper(*found, !options_.store_faults);
    for (const auto& partition : found->partitions()) {
      report_->erased_waiting += partition->tally().erasures > 0 ? 1 : 0;
    }
  }
  return any;
}

std::optional<int32_t> World::RandomDefaultTtl() {
  switch (dice_.Below(5)) {
    case 0: return std::nullopt;
    case 1: return -1;
    default: return static_cast<int32_t>(1 + dice_.Below(30));
  }
}

std::optional<int32_t> World::RandomOwnTtl() {
  switch (dice_.Below(6)) {
    case 0: return -1;
    case 1: return static_cast<int32_t>(1 + dice_.Below(40));
    case 2: return dice_.OneIn(10) ? 2147483647 : static_cast<int32_t>(1 + dice_.Below(5));
    default: return std::nullopt;
  }
}

ModelKey World::RandomKey() {
  return {"pk" + std::to_string(dice_.Below(kPartitionKeys)), "id" + std::to_string(dice_.Below(kIds))};
}

}  // namespace lapse::simulation
