#include "tests/durability/workload.h"

#include <algorithm>
#include <array>
#include <future>
#include <set>
#include <thread>
#include <utility>

#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"
#include "tests/durability/log_replay.h"
#include "tests/durability/purger.h"

namespace lapse::durability {
namespace {

using engine::ItemWrite;

constexpr int kWriters = 4;
constexpr int kWritesPerPurge = 6;
constexpr int kItemsPerTarget = 24;
constexpr int kPartitionKeys = 5;
constexpr int kTwoPartitions = 20'000;  // request units
constexpr int64_t kLogRetention_s = 1'000'000'000;
constexpr int kDatabases = 4;

constexpr std::array<DefaultTtl, 5> kDefaultTtls = {std::nullopt, -1, 3, 20, 500};
constexpr std::array<std::optional<int32_t>, 5> kOwnTtls = {std::nullopt, std::nullopt, -1, 5, 60};
constexpr std::array kKinds = {ItemWrite::Kind::kCreate, ItemWrite::Kind::kUpsert, ItemWrite::Kind::kUpsert,
                               ItemWrite::Kind::kReplace, ItemWrite::Kind::kDelete};

template <typename List>
auto Pick(const List& list, std::mt19937_64* random) {
  return list[(*random)() % list.size()];
}

std::string Text(const DefaultTtl& ttl) {
  return ttl.has_value() ? std::to_string(*ttl) : "off";
}

// The number in the name decides the item's partition key.
engine::ItemAddress AddressOf(const engine::Container& container, size_t number, const std::string& name) {
  auto key = engine::PartitionKeyComponent::Number(static_cast<double>(number % kPartitionKeys));
  return {engine::LogicalKeyOf(container.partition_key(), {&key, 1}), engine::StringItemId(name)};
}

Result<engine::ItemWritten> WriteAndWait(engine::Container* container, ItemWrite write) {
  std::promise<Result<engine::ItemWritten>> outcome;
  container->Write(std::move(write), [&](Result<engine::ItemWritten> done) { outcome.set_value(std::move(done)); });
  return outcome.get_future().get();
}

}  // namespace

Workload::Workload(uint64_t seed, DurableStore* store)
    : random_(seed), store_(store), one_target_(random_() % 3 == 0) {}

Status Workload::Prepare() {
  engine::CatalogStore& catalog = store_->engine().catalog_store();
  LAPSE_RETURN_IF_ERROR(catalog.CreateDatabase(kDatabase, 0, "").status());
  now_s_ = store_->engine().clock().NowMs() / 1000;
  LAPSE_RETURN_IF_ERROR(AddTarget("logged", 20, 0, kLogRetention_s));
  if (one_target_) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(AddTarget("expiring", 20, kTwoPartitions, 0));
  return AddTarget("plain", std::nullopt, kTwoPartitions, 0);
}

Status Workload::AddTarget(const std::string& name, DefaultTtl default_ttl, int throughput, int64_t log_retention_s) {
  engine::ContainerDefinition definition;
  definition.name = name;
  definition.partition_key.paths = {doc::Path({"pk"})};
  definition.default_ttl = default_ttl;
  definition.throughput = throughput;
  definition.change_log_retention_s = log_retention_s;
  LAPSE_RETURN_IF_ERROR(store_->engine().catalog_store().CreateContainer(kDatabase, std::move(definition)).status());
  Target target{name, log_retention_s, PolicyHistory(default_ttl, now_s_), {}, std::nullopt};
  for (int i = 0; i < kItemsPerTarget; ++i) target.items.emplace_back(name + "-" + std::to_string(i));
  targets_.push_back(std::move(target));
  return Status::Ok();
}

void Workload::RunUntil(const std::function<bool()>& stop) {
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer, random = Random(random_())]() mutable {
      // Each writer has its own items, so it knows the order of their writes.
      for (; !stop();) {
        Target& target = targets_[random() % targets_.size()];
        const size_t number = random() % (kItemsPerTarget / kWriters) * kWriters + static_cast<size_t>(writer);
        Write(&random, &target, &target.items[number]);
        if (random() % kWritesPerPurge == 0) Purge(&random);
      }
    });
  }
  threads.emplace_back([&, random = Random(random_())]() mutable {
    while (!stop()) {
      switch (random() % 8) {
        case 0:
        case 1:
        case 2: MoveTime(1 + static_cast<int64_t>(random() % 4)); break;
        case 3:
        case 4: ChangePolicy(&random); break;
        case 5:
        case 6: ChangeCatalog(&random); break;
        case 7: DieOut(&random); break;
      }
    }
  });
  for (std::thread& thread : threads) thread.join();
}

void Workload::Write(Random* random, Target* target, ItemLedger* item) {
  auto container = store_->engine().catalog().FindContainer(kDatabase, target->name);
  if (!container.ok()) return Report(Fault::kLost, target->name + ": " + container.status().ToString());
  ItemWrite write;
  write.kind = Pick(kKinds, random);
  write.address = AddressOf(**container, static_cast<size_t>(item - target->items.data()), item->name());
  if (!one_target_) write.own_ttl = Pick(kOwnTtls, random);
  const Content content = item->Send(write.kind, write.own_ttl, now_s_);
  if (write.kind != ItemWrite::Kind::kDelete) write.document = content.Document();

  std::shared_lock lock(writing_);
  Result<engine::ItemWritten> written = WriteAndWait(container->get(), std::move(write));
  switch (Judge(written.status())) {
    case Outcome::kDone:
      ++acknowledged_;
      item->Acknowledged(written->meta.version);
      break;
    case Outcome::kNotDone: item->Refused(); break;
    case Outcome::kUnknown: item->LeftUnknown(); break;
  }
}

Workload::Outcome Workload::Judge(const Status& status) {
  switch (status.code()) {
    // An answer after the power cut never reached a client.
    case Code::kOk: return store_->disk().power_is_cut() ? Outcome::kUnknown : Outcome::kDone;
    case Code::kUnknownOutcome: return Outcome::kUnknown;
    case Code::kAlreadyExists:
    case Code::kNotFound:
    case Code::kNoSpace:
    case Code::kUnavailable: return Outcome::kNotDone;
    default: Report(Fault::kFailed, status.ToString()); return Outcome::kUnknown;
  }
}

void Workload::MoveTime(int64_t seconds) {
  store_->PassSeconds(seconds);
  const int64_t now_s = store_->engine().clock().NowMs() / 1000;
  // A second that no client can have seen with the power on need not be durable.
  if (store_->disk().power_is_cut()) return;
  now_s_ = now_s;
  for (Target& target : targets_) target.policies.MoveTimeTo(now_s);
}

void Workload::Purge(Random* random) {
  std::unique_lock lock(purging_, std::try_to_lock);
  if (lock.owns_lock()) PurgeSomething(&store_->engine(), random);
}

void Workload::DieOut(Random* random) {
  if (!one_target_) return;
  std::scoped_lock lock(writing_, purging_);
  // The latest writes are in no file yet.
  static_cast<void>(store_->engine().shards().front()->store()->Compact(engine::kBodyFamily, {}, {}));
  constexpr std::array<int64_t, 3> kSeconds = {2, 10, 600};  // some, many, all
  MoveTime(Pick(kSeconds, random));
  while (store_->engine().SweepTurn()) continue;
  store_->engine().ReclaimTurn();
}

void Workload::ChangePolicy(Random* random) {
  Target& target = targets_[(*random)() % targets_.size()];
  const DefaultTtl policy = Pick(kDefaultTtls, random);
  auto changed = store_->engine().catalog_store().ReplaceContainer(kDatabase, target.name,
                                                                   {policy, "", target.log_retention_s, {}}, 0);
  switch (Judge(changed.status())) {
    case Outcome::kDone:
      ++acknowledged_;
      target.policies.Change(policy);
      break;
    case Outcome::kNotDone: break;
    case Outcome::kUnknown: target.unknown_change = policy; break;
  }
}

void Workload::ChangeCatalog(Random* random) {
  engine::CatalogStore& catalog = store_->engine().catalog_store();
  const std::string name = "db-" + std::to_string((*random)() % kDatabases);
  auto [known, is_new] = databases_.try_emplace(name, Presence::kGone);
  const bool drop = known->second == Presence::kThere;
  switch (Judge(drop ? catalog.DropDatabase(name) : catalog.CreateDatabase(name, 0, "").status())) {
    case Outcome::kDone:
      ++acknowledged_;
      known->second = drop ? Presence::kGone : Presence::kThere;
      break;
    case Outcome::kNotDone: break;
    case Outcome::kUnknown: known->second = Presence::kUnknown; break;
  }
}

void Workload::Inspect() {
  InspectTime();
  InspectDatabases();
  for (Target& target : targets_) {
    InspectPolicy(&target);
    InspectCounts(target, InspectItems(&target));
  }
  if (!PurgeEverything(&store_->engine())) Report(Fault::kMiscounted, "what has expired does not go");
  for (Target& target : targets_) {
    const Holdings holdings = InspectItems(&target);
    InspectCounts(target, holdings);
    InspectLog(target, holdings);
  }
}

void Workload::InspectTime() {
  const int64_t now_s = store_->engine().clock().NowMs() / 1000;
  if (now_s < now_s_) Report(Fault::kTime, "time went back by " + std::to_string(now_s_ - now_s) + " s");
  now_s_ = now_s;
}

void Workload::InspectDatabases() {
  for (auto& [name, presence] : databases_) {
    const bool there = store_->engine().catalog().FindDatabase(name).ok();
    if (there && presence == Presence::kGone) Report(Fault::kRevived, name);
    if (!there && presence == Presence::kThere) Report(Fault::kLost, name);
    presence = there ? Presence::kThere : Presence::kGone;
  }
}

void Workload::InspectPolicy(Target* target) {
  auto container = store_->engine().catalog().FindContainer(kDatabase, target->name);
  if (!container.ok()) return Report(Fault::kLost, target->name + ": " + container.status().ToString());
  const DefaultTtl policy = (*container)->state()->policy.default_ttl;
  if (policy != target->policies.policy()) {
    // Wrapped, since "off" is an empty value and would otherwise compare as no change at all.
    if (target->unknown_change != std::optional<DefaultTtl>(std::in_place, policy)) {
      Report(Fault::kLost, target->name + ": the policy is " + Text(policy) + ", and was acknowledged as " +
                               Text(target->policies.policy()));
    }
    target->policies.Change(policy);
  }
  target->unknown_change.reset();
  target->policies.MoveTimeTo(now_s_);
}

Workload::Holdings Workload::InspectItems(Target* target) {
  Holdings read, fed;
  auto container = store_->engine().catalog().FindContainer(kDatabase, target->name);
  if (!container.ok()) return read;
  for (size_t number = 0; number < target->items.size(); ++number) {
    ItemLedger& ledger = target->items[number];
    auto item = (*container)->Read(AddressOf(**container, number, ledger.name()));
    std::optional<Finding> finding;
    if (item.ok()) {
      read.documents.emplace(item->document);
      ++items_found_;
      finding = ledger.Found(item->document, item->meta.version, target->policies);
    } else if (item.status().code() == Code::kNotFound) {
      finding = ledger.Missing(target->policies);
    } else {
      finding = {Fault::kFailed, ledger.name() + ": " + item.status().ToString()};
    }
    if (finding.has_value()) Report(finding->fault, std::move(finding->what));
  }
  engine::FeedOptions all;
  all.items_max = kItemsPerTarget + 1;
  auto page = (*container)->ReadFeed(all, [&](const engine::Item& item, engine::Place) {
    fed.documents.emplace(item.document);
    return true;
  });
  if (!page.ok() || fed.documents != read.documents) {
    Report(Fault::kFailed, target->name + ": the feed differs from the reads");
  }
  return read;
}

engine::Count Workload::Holdings::Count() const {
  engine::Count count;
  for (const std::string& document : documents) count += {1, static_cast<int64_t>(document.size())};
  return count;
}

void Workload::InspectCounts(const Target& target, const Holdings& holdings) {
  auto container = store_->engine().catalog().FindContainer(kDatabase, target.name);
  if (!container.ok()) return;
  Result<engine::Count> live = engine::Census(**container).Live();
  items_purged_ += engine::Census(**container).PurgedSoFar()->total.items;
  if (live.ok() && *live == holdings.Count()) return;
  Report(Fault::kMiscounted, target.name + ": " + std::to_string(holdings.documents.size()) +
                                 " items, and the census " +
                                 (live.ok() ? "counts " + std::to_string(live->items) : live.status().ToString()));
}

// When the backlog is purged, replaying all events must give the live items.
void Workload::InspectLog(const Target& target, const Holdings& holdings) {
  if (target.log_retention_s == 0) return;
  auto container = store_->engine().catalog().FindContainer(kDatabase, target.name);
  if (!container.ok()) return;
  Result<std::multiset<std::string>> replayed = ReplayLog(**container);
  if (!replayed.ok()) return Report(Fault::kFailed, target.name + ": " + replayed.status().ToString());
  if (*replayed != holdings.documents) {
    Report(Fault::kMiscounted, target.name + ": the change log makes " + std::to_string(replayed->size()) +
                                   " items, and there are " + std::to_string(holdings.documents.size()));
  }
}

void Workload::Report(Fault fault, std::string what) {
  std::lock_guard lock(findings_mutex_);
  findings_.push_back({fault, std::move(what)});
}

}  // namespace lapse::durability
