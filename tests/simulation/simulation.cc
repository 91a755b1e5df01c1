#include "tests/simulation/simulation.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "engine/change_log.h"
#include "engine/engine.h"
#include "engine/expiry/census.h"
#include "engine/expiry/purge_filter.h"
#include "engine/partition.h"
#include "store/faulty/faulty_shard.h"
#include "tests/simulation/model.h"

namespace lapse::simulation {
namespace {

using engine::ItemWrite;

constexpr int64_t kStart_ms = 1'750'000'000'000;
constexpr int64_t kJump_ms = 2 * 3'600'000;  // beyond the limit that the clock follows
constexpr int kContainers = 3;
constexpr int kPartitionKeys = 5;
constexpr int kIds = 6;
constexpr int64_t kLogRetention_s = 1'000'000'000;

// Thrown at the first difference, caught by RunSimulation: the rest of the run would only repeat it.
struct Difference {
  std::string what;
};

std::string Text(const std::optional<int32_t>& ttl) {
  return ttl.has_value() ? std::to_string(*ttl) : "off";
}

class Simulation {
 public:
  explicit Simulation(const SimulationOptions& options)
      : options_(options), random_(options.seed), wall_(kStart_ms), shard_(MakeShard()) {
    SetFaults(false);
    OpenEngine();
    if (!engine_->catalog().CreateDatabase("db", 0, "").ok()) Fail("cannot create the database");
    for (int i = 0; i < kContainers; ++i) CreateContainer(i);
    SetFaults(options.store_faults);
  }

  SimulationReport Run() {
    try {
      for (; report_.operations < options_.operations; ++report_.operations) Step();
      CheckEverything();
    } catch (const Difference& difference) {
      report_.difference = "seed " + std::to_string(options_.seed) + ", operation " +
                           std::to_string(report_.operations) + ", now " + std::to_string(now_s_) + ": " +
                           difference.what;
    }
    return report_;
  }

 private:
  [[noreturn]] static void Fail(std::string what) { throw Difference{std::move(what)}; }

  int64_t Below(int64_t bound) { return std::uniform_int_distribution<int64_t>(0, bound - 1)(random_); }
  bool OneIn(int64_t n) { return Below(n) == 0; }

  std::unique_ptr<store::FaultyShard> MakeShard() {
    store::FaultyOptions faults;
    faults.seed = options_.seed;
    faults.fail_before_per_mille = 20;
    faults.fail_after_per_mille = 20;
    faults.read_fail_per_mille = 5;
    return std::make_unique<store::FaultyShard>(faults, engine::EngineFamilies(&purge_filter_));
  }

  // What it was before.
  bool SetFaults(bool on) {
    shard_->set_faults(on);
    return std::exchange(faults_on_, on);
  }

  void OpenEngine() {
    engine::EngineOptions options;
    options.background_clock = false;
    options.background_sweeper = false;
    options.purge_filter = &purge_filter_;
    options.item_cache_bytes = OneIn(2) ? 1 << 20 : 0;
    options.wall = &wall_;
    options.steady = &steady_;
    options.rate_limiting = engine::RateLimiting::kOff;  // a sweep here purges everything that is due
    auto opened = engine::Engine::Open(options, shard_.get(), &executor_);
    if (!opened.ok()) Fail("open: " + opened.status().ToString());
    engine_ = *std::move(opened);
    ObserveTime();
  }

  static std::string ContainerName(int index) { return "c" + std::to_string(index); }

  void CreateContainer(int index) {
    engine::ContainerDefinition definition;
    definition.name = ContainerName(index);
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = RandomDefaultTtl();
    definition.throughput = index == 0 ? 25'000 : 0;  // three partitions
    definition.change_log_retention_s = index < 2 ? kLogRetention_s : 0;
    auto made = engine_->catalog().CreateContainer("db", definition);
    if (!made.ok()) Fail("create container: " + made.status().ToString());
    models_.insert_or_assign(index, ModelContainer(definition.default_ttl));
    replicas_.erase(index);
  }

  engine::ContainerPtr Find(int index) {
    auto found = engine_->catalog().FindContainer("db", ContainerName(index));
    if (!found.ok()) Fail("container vanished: " + ContainerName(index));
    return *found;
  }

  std::optional<int32_t> RandomDefaultTtl() {
    switch (Below(5)) {
      case 0: return std::nullopt;
      case 1: return -1;
      default: return static_cast<int32_t>(1 + Below(30));
    }
  }

  std::optional<int32_t> RandomOwnTtl() {
    switch (Below(6)) {
      case 0: return -1;
      case 1: return static_cast<int32_t>(1 + Below(40));
      case 2: return OneIn(10) ? 2147483647 : static_cast<int32_t>(1 + Below(5));
      default: return std::nullopt;
    }
  }

  void Step() {
    int64_t dice = Below(1000);
    int container = static_cast<int>(Below(kContainers));
    if (dice < 600) return WriteSomething(container);
    if (dice < 700) return CheckItem(container, RandomKey());
    if (dice < 740) return CheckFeed(container);
    if (dice < 770) return Sweep();
    if (dice < 780) return Replay(container);
    if (dice < 800) return Compact();
    if (dice < 910) return MoveTime();
    if (dice < 950) return ChangePolicy(container);
    if (dice < 980) return Restart(OneIn(2));
    if (dice < 985) return RecreateContainer(container);
    CheckEverything();
  }

  // --- time

  void ObserveTime() {
    int64_t now_s = engine_->clock().NowMs() / 1000;
    if (now_s < now_s_) Fail("time went back to " + std::to_string(now_s));
    // Only a clock that was seen to be near since the start can be seen to jump.
    bool near = std::abs(wall_.NowMs() - now_s * 1000) < kJump_ms / 4;
    if (near && now_s > now_s_) wall_seen_near_ = true;
    now_s_ = now_s;
    for (auto& [index, model] : models_) {
      size_t before = model.items().size();
      model.MoveTimeTo(now_s_);
      report_.expired_seen += static_cast<int>(before - model.items().size());
    }
  }

  void MoveTime() {
    int64_t dice = Below(20);
    int64_t elapsed_ms = Below(3000);
    steady_.AdvanceMs(elapsed_ms);
    int64_t latest_s = -1;
    if (dice < 14) {
      wall_.Advance(elapsed_ms);
    } else if (dice < 17) {
      wall_.Advance(elapsed_ms + Below(60'000));
    } else if (dice < 19) {
      wall_.Advance(-Below(kJump_ms));
    } else {
      if (wall_seen_near_) latest_s = now_s_ + elapsed_ms / 1000 + 1;
      wall_.Set(std::max(wall_.NowMs(), now_s_ * 1000) + kJump_ms);
    }
    ObserveTime();
    if (latest_s >= 0 && now_s_ > latest_s) Fail("time followed a jump of the wall clock");
    if (engine_->clock().held() && OneIn(3)) {
      Status accepted = engine_->clock().Accept();
      bool failed = !accepted.ok() && IsFault(accepted);
      if (failed != engine_->clock().held()) Fail("an accepted jump is held, or one that could not be kept is not");
      ObserveTime();
    } else if (engine_->clock().held() && OneIn(2)) {
      wall_.Set(now_s_ * 1000);
    }
  }

  // --- writes

  ModelKey RandomKey() { return {"pk" + std::to_string(Below(kPartitionKeys)), "id" + std::to_string(Below(kIds))}; }

  engine::ItemAddress AddressOf(int container, const ModelKey& key) {
    auto component = engine::PartitionKeyComponent::String(key.first);
    return {engine::EffectivePartitionKey(Find(container)->partition_key(), {&component, 1}),
            engine::StringItemId(key.second)};
  }

  void WriteSomething(int container) {
    ModelContainer& model = models_.at(container);
    ModelKey key = RandomKey();
    const ModelItem* live = model.Find(key);
    ItemWrite write;
    write.kind = static_cast<ItemWrite::Kind>(Below(4));
    write.address = AddressOf(container, key);
    bool deletes = write.kind == ItemWrite::Kind::kDelete;
    if (!deletes) {
      write.document = "document " + std::to_string(++documents_) + std::string(static_cast<size_t>(Below(50)), 'x');
      write.own_ttl = RandomOwnTtl();
    }
    if (OneIn(5)) {
      write.precondition.kind = engine::Precondition::Kind::kMatches;
      if (live != nullptr && OneIn(2)) write.precondition.version = live->version;
    }
    Code expected = ExpectedCode(write, live);

    ModelItem next{write.document, now_s_, write.own_ttl, {}};
    std::optional<Result<engine::ItemWritten>> outcome;
    Find(container)->Write(std::move(write), [&](Result<engine::ItemWritten> done) { outcome = std::move(done); });
    if (!outcome.has_value()) Fail("a write was not answered");
    if (IsFault(outcome->status())) return Resolve(container, key, next, deletes, expected, outcome->status().code());
    if (outcome->status().code() != expected) {
      Fail("write of " + key.first + "/" + key.second + " in " + ContainerName(container) + " (default " +
           Text(model.default_ttl()) + "): expected " + std::string(CodeName(expected)) + ", got " +
           outcome->status().ToString());
    }
    if (expected != Code::kOk) return;
    if ((*outcome)->created != (live == nullptr)) Fail("`created` is wrong");
    if (deletes) {
      model.Erase(key);
    } else {
      next.version = (*outcome)->meta.version;
      if (next.version.ts_s != now_s_) Fail("_ts is not the time of the commit");
      model.Put(key, next);
      model.MoveTimeTo(now_s_);
    }
  }

  static Code ExpectedCode(const ItemWrite& write, const ModelItem* live) {
    if (live == nullptr) {
      bool needs_item = write.kind == ItemWrite::Kind::kReplace || write.kind == ItemWrite::Kind::kDelete;
      return needs_item ? Code::kNotFound : Code::kOk;
    }
    if (write.kind == ItemWrite::Kind::kCreate) return Code::kAlreadyExists;
    bool conditional = write.precondition.kind == engine::Precondition::Kind::kMatches;
    return conditional && write.precondition.version != live->version ? Code::kPreconditionFailed : Code::kOk;
  }

  bool IsFault(const Status& status) {
    bool fault = status.code() == Code::kUnknownOutcome || status.code() == Code::kUnavailable ||
                 status.code() == Code::kNoSpace || status.code() == Code::kCorruption;
    if (fault && !options_.store_faults) Fail("a fault that was not injected: " + status.ToString());
    report_.faults += fault ? 1 : 0;
    return fault;
  }

  // After a failed write the item is as before or, if the outcome is unknown, as asked for; nothing else.
  void Resolve(int container, const ModelKey& key, ModelItem next, bool deletes, Code expected, Code got) {
    SetFaults(false);
    Result<engine::Item> read = Find(container)->Read(AddressOf(container, key));
    SetFaults(true);
    ModelContainer& model = models_.at(container);
    const ModelItem* before = model.Find(key);
    bool as_before = before == nullptr ? !read.ok() : read.ok() && read->document == before->document;
    if (as_before) return;
    bool as_asked = deletes ? !read.ok() : read.ok() && read->document == next.document;
    if (got != Code::kUnknownOutcome || expected != Code::kOk || !as_asked) {
      Fail("a failed write (" + std::string(CodeName(got)) + ") left something else behind");
    }
    if (deletes) {
      model.Erase(key);
    } else {
      next.version = read->meta.version;
      next.ts_s = read->meta.version.ts_s;
      model.Put(key, next);
    }
  }

  void ChangePolicy(int container) {
    ModelContainer& model = models_.at(container);
    std::optional<int32_t> default_ttl = RandomDefaultTtl();
    auto changed = engine_->catalog().ReplaceContainer(
        "db", ContainerName(container), {default_ttl, "changed", container < 2 ? kLogRetention_s : 0}, 0);
    if (!changed.ok()) {
      if (!IsFault(changed.status())) Fail("policy change: " + changed.status().ToString());
      SetFaults(false);
      default_ttl = Find(container)->state()->policy.default_ttl;
      SetFaults(true);
      bool known = changed.status().code() != Code::kUnknownOutcome;
      if (known && default_ttl != model.default_ttl()) Fail("a refused policy change took effect");
    }
    model.SetDefaultTtl(default_ttl, now_s_);
  }

  void RecreateContainer(int container) {
    SetFaults(false);
    Status dropped = engine_->catalog().DropContainer("db", ContainerName(container), 0);
    if (!dropped.ok()) Fail("drop: " + dropped.ToString());
    CreateContainer(container);
    CheckFeed(container);
    SetFaults(options_.store_faults);
  }

  void Restart(bool crash) {
    // A mark that a fault kept from the disk, and then a restart with a clock that went back, would be two failures at
    // once: no promise is made for that.
    SetFaults(false);
    steady_.AdvanceMs(1000);
    ObserveTime();
    engine_.reset();
    wall_seen_near_ = false;
    if (crash) {
      shard_ = shard_->Crash(random_());
      SetFaults(false);
    }
    if (OneIn(4)) wall_.Advance(-Below(kJump_ms));
    if (OneIn(4)) wall_.Advance(Below(100'000));
    OpenEngine();
    ++report_.restarts;
    CheckEverything();
    SetFaults(options_.store_faults);
  }

  // --- checks

  void CheckItem(int container, const ModelKey& key) {
    Result<engine::Item> read = Find(container)->Read(AddressOf(container, key));
    if (!read.ok() && read.status().code() != Code::kNotFound && IsFault(read.status())) return;
    const ModelItem* live = models_.at(container).Find(key);
    if ((live != nullptr) != read.ok()) {
      Fail(std::string(read.ok() ? "a dead item is visible: " : "a live item is gone: ") + key.first + "/" +
           key.second + " in " + ContainerName(container) + " (default " + Text(models_.at(container).default_ttl()) +
           ")");
    }
    if (live != nullptr && (read->document != live->document || read->meta.version != live->version)) {
      Fail("another version of an item is visible");
    }
  }

  void CheckFeed(int container) {
    const ModelContainer& model = models_.at(container);
    std::multiset<std::string> seen;
    engine::FeedOptions page;
    page.items_max = static_cast<int>(1 + Below(20));
    do {
      auto result = Find(container)->ReadFeed(page, [&](const engine::Item& item) { seen.emplace(item.document); });
      if (!result.ok() && IsFault(result.status())) return;
      if (!result.ok()) Fail("feed: " + result.status().ToString());
      page.after = result->resume_after;
    } while (!page.after.empty());
    std::multiset<std::string> expected;
    for (const auto& [key, item] : model.items()) expected.insert(item.document);
    if (seen != expected) {
      Fail("the feed of " + ContainerName(container) + " shows " + std::to_string(seen.size()) +
           " items, the model has " + std::to_string(expected.size()));
    }
  }

  // The counts come from cohorts; the model looks at every item.
  void CheckCensus(int container) {
    const ModelContainer& model = models_.at(container);
    engine::Census census = Find(container)->TakeCensus();
    CheckCount("live", census.Live(), model.CountIf([](const ModelItem&) { return true; }));
    const int64_t then_s = now_s_ + Below(50);
    CheckCount("expiring", census.ExpiringUntil(then_s * 1000 + Below(1000)), model.CountIf([&](const ModelItem& item) {
      return ModelContainer::IsExpired(item, model.default_ttl(), then_s);
    }));
    const std::optional<int32_t> other = RandomDefaultTtl();
    CheckCount("expiring under another default", census.ExpiringUnder(other),
               model.CountIf([&](const ModelItem& item) { return ModelContainer::IsExpired(item, other, now_s_); }));
  }

  static void CheckCount(const std::string& what, const Result<engine::Count>& counted, const engine::Count& expected) {
    if (!counted.ok()) Fail("census: " + counted.status().ToString());
    if (*counted != expected) {
      Fail("the census counts " + std::to_string(counted->items) + " items (" + std::to_string(counted->bytes) +
           " bytes) " + what + ", the model has " + std::to_string(expected.items) + " (" +
           std::to_string(expected.bytes) + ")");
    }
  }

  // --- purging: nothing that the model knows of changes

  void Sweep() {
    for (int64_t turns = Below(4); turns >= 0; --turns) engine_->sweeper().RunTurn();
  }

  void Compact() {
    std::unique_ptr<store::Snapshot> snapshot = OneIn(2) ? shard_->NewSnapshot() : nullptr;
    for (store::FamilyId family = 0; family < engine::EngineFamilies().size(); ++family) {
      Status compacted = shard_->Compact(family, {}, {});
      if (!compacted.ok() && !IsFault(compacted)) Fail("compaction: " + compacted.ToString());
    }
  }

  // A consumer of the full feed: what it makes of the events, and how far it has read.
  struct Replica {
    std::map<std::string, std::string> documents;  // by head key
    std::map<uint32_t, uint64_t> positions;        // by stream
  };

  void Replay(int index) {
    engine::ContainerPtr container = Find(index);
    if (container->state()->definition.change_log_retention_s == 0) return;
    Replica& replica = replicas_[index];
    for (const auto& partition : container->partitions()) {
      engine::ChangesOptions options;
      options.stream = partition->stream();
      options.items_max = static_cast<int>(1 + Below(20));
      uint64_t& position = replica.positions[options.stream];
      for (bool more = true; more;) {
        options.after_lsn = position;
        auto page = container->ReadLog(options, [&](const engine::LoggedChange& change) { Apply(change, &replica); });
        if (!page.ok() && IsFault(page.status())) return;
        if (!page.ok()) Fail("change log: " + page.status().ToString());
        position = page->last_lsn;
        more = page->more;
      }
    }
  }

  static void Apply(const engine::LoggedChange& change, Replica* replica) {
    const std::string key(change.head_key);
    const auto found = replica->documents.find(key);
    const bool creates = change.kind == engine::ChangeKind::kCreate;
    if (creates != (found == replica->documents.end()))
      Fail("the change log creates what is there, or changes nothing");
    if (!creates && found->second != change.previous_doc) Fail("the change log has another image of what was before");
    if (creates || change.kind == engine::ChangeKind::kReplace) {
      replica->documents[key] = change.current;
    } else {
      replica->documents.erase(found);
    }
  }

  // Once the backlog is gone a consumer has exactly what lives.
  void CheckReplica(int index) {
    Replay(index);
    if (!replicas_.contains(index)) return;
    std::multiset<std::string> replayed, expected;
    for (const auto& [key, document] : replicas_.at(index).documents) replayed.insert(document);
    for (const auto& [key, item] : models_.at(index).items()) expected.insert(item.document);
    if (replayed != expected) {
      Fail("a consumer of the full feed has " + std::to_string(replayed.size()) + " items, the model " +
           std::to_string(expected.size()));
    }
  }

  // With everything swept nothing that has expired is left.
  void CheckBacklogDrains() {
    if (engine_->clock().held()) return;
    while (engine_->sweeper().RunTurn()) continue;
    for (int container = 0; container < kContainers; ++container) {
      CheckCount("in the backlog of a swept container", Find(container)->TakeCensus().Expired(), {});
      CheckReplica(container);
    }
  }

  void CheckEverything() {
    bool faults = SetFaults(false);
    for (int container = 0; container < kContainers; ++container) {
      for (int pk = 0; pk < kPartitionKeys; ++pk) {
        for (int id = 0; id < kIds; ++id) CheckItem(container, {"pk" + std::to_string(pk), "id" + std::to_string(id)});
      }
      CheckFeed(container);
      CheckCensus(container);
    }
    if (OneIn(4)) CheckBacklogDrains();
    SetFaults(faults);
  }

  const SimulationOptions options_;
  std::mt19937_64 random_;
  ManualWallClock wall_;
  ManualSteadyClock steady_;
  InlineExecutor executor_;
  std::map<int, Replica> replicas_;
  engine::PurgeFilter purge_filter_;
  std::unique_ptr<store::FaultyShard> shard_;
  std::unique_ptr<engine::Engine> engine_;
  std::map<int, ModelContainer> models_;
  int64_t now_s_ = 0;
  bool wall_seen_near_ = false;  // since the start
  int64_t documents_ = 0;
  bool faults_on_ = true;
  SimulationReport report_;
};

}  // namespace

SimulationReport RunSimulation(const SimulationOptions& options) {
  try {
    return Simulation(options).Run();
  } catch (const Difference& difference) {
    return {.difference = "at the start: " + difference.what};
  }
}

}  // namespace lapse::simulation
