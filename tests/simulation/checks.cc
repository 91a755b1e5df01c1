#include "tests/simulation/checks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/catalog/containers/container.h"
#include "engine/catalog/counts/census.h"
#include "engine/check/store_check.h"
#include "engine/partition/changes/expiry_walk.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/changes/expired_range.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/unique_keys/unique_entry.h"
#include "engine/records/unique_keys/unique_values.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "tests/simulation/difference.h"
#include "tests/simulation/indexing.h"
#include "ttl/lifetime.h"

namespace lapse::simulation {
namespace {

// Longer than any debt that users can have.
constexpr int kDrainSecondsMax = 1000;

void CheckCount(const std::string& what, const Result<engine::Count>& counted, const engine::Count& expected) {
  if (!counted.ok()) Fail("census: " + counted.status().ToString());
  if (*counted != expected) {
    Fail("the census counts " + std::to_string(counted->items) + " items (" + std::to_string(counted->bytes) +
         " bytes) " + what + ", the model has " + std::to_string(expected.items) + " (" +
         std::to_string(expected.bytes) + ")");
  }
}

// Returns some of a container's logical partitions.
engine::KeyScope RandomScope(World* world, int container) {
  engine::KeyScope scope;
  auto random_key = [&] { return world->AddressOf(container, world->RandomKey()).key; };
  switch (world->dice().Below(5)) {
    case 0: scope.range = world->Find(container)->PartitionFor(random_key().epk).range(); break;
    case 1: scope.exact = random_key(); break;
    case 2: {
      const auto [min, max] = std::minmax({random_key().epk, random_key().epk});
      scope.range = {min, max};
      break;
    }
    default: break;  // the whole container
  }
  return scope;
}

// What a feed returns for an item.
struct FeedItem {
  engine::ItemNumber number;
  engine::Lsn lsn;
  engine::Sequence sequence;
  std::string document;

  bool operator==(const FeedItem&) const = default;
};

// Partition by partition. Items of a whole partition come in the order of their numbers; items of a part of one come
// key by key.
std::vector<FeedItem> ExpectedFeed(World* world, int container, const engine::KeyScope& scope) {
  const engine::ContainerPtr found = world->Find(container);
  using Order = std::tuple<std::string, std::string, std::string, engine::ItemNumber>;
  std::map<Order, FeedItem> ordered;
  for (const auto& [key, item] : world->model(container).items()) {
    const engine::LogicalKey logical = world->AddressOf(container, key).key;
    if (!scope.Contains(logical.epk, logical.value)) continue;
    const engine::EpkRange& range = found->PartitionFor(logical.epk).range();
    const bool whole = scope.Covers(range);
    ordered[{range.min, whole ? "" : logical.epk, whole ? "" : logical.value, item.number}] = {
        item.number, item.lsn, item.version.sequence, item.document};
  }
  std::vector<FeedItem> feed;
  for (auto& [order, item] : ordered) feed.push_back(std::move(item));
  return feed;
}

std::string ReadRecord(World* world, store::FamilyId family, const std::string& key, const std::string& what) {
  store::PinnedValue value;
  const Status found = world->Get(family, key, &value);
  if (!found.ok()) Fail("a record of " + what + " in family " + std::to_string(family) + ": " + found.ToString());
  return std::string(value.view());
}

// Returns a container's keys in one family, after a compaction.
std::vector<std::string> StoredAfterCompaction(World* world, engine::ContainerId container, store::FamilyId family) {
  world->CompactStores(family);
  store::IterateOptions bounds;
  bounds.lower = engine::ContainerPrefix(container);
  bounds.upper = PrefixEnd(bounds.lower);
  std::vector<std::string> keys;
  for (store::FaultyShard* store : world->stores()) {
    const std::unique_ptr<store::Iterator> walk = store->NewIterator(family, bounds);
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) keys.emplace_back(walk->key());
    if (!walk->status().ok()) Fail(walk->status().ToString());
  }
  return keys;
}

// Members of purged items are dropped once they are a sixth of all members of a partition: then its records are scanned
// and the live ones are marked. So at most a fifth of the items that it ever had at a time is left over.
constexpr int kMembersLeftMax = (kPartitionKeys * kIds - 1) / 5;

// Checks that each member belongs to a live item, except for the few that are not worth a mark yet.
void CheckMembers(World* world, int container) {
  const engine::ContainerId id = world->Find(container)->id();
  std::set<std::string> of_the_living;
  for (const auto& [key, item] : world->model(container).items()) {
    of_the_living.insert(engine::MemberKey(id, world->AddressOf(container, key).key, item.number));
  }
  world->engine().QuietReclaimTurn();
  std::map<engine::PartitionNumber, int> left;
  for (const std::string& member : StoredAfterCompaction(world, id, engine::kMemberFamily)) {
    if (of_the_living.erase(member) > 0) continue;
    const std::optional<engine::ItemNumber> item = engine::ItemOfMemberKey(member);
    store::PinnedValue value;
    if (!item.has_value()) Fail("a member cannot be read in " + ContainerName(container));
    const Status record = world->Get(engine::kRecordFamily, engine::RecordKey(id, *item), &value);
    if (record.code() != Code::kNotFound) Fail("a member is under another key than its item: " + record.ToString());
    if (++left[engine::PartitionOf(*item)] > kMembersLeftMax) {
      Fail("members of purged items are left in " + ContainerName(container));
    }
  }
  if (!of_the_living.empty()) Fail("a live item has no member in " + ContainerName(container));
}

engine::UniqueHash HashOf(const engine::UniqueKeysDefinition::Key& key, const ModelItem& item) {
  return engine::HashUniqueValues(key, item.document);
}

// Checks that each live item is in the entry of each of its unique keys.
void CheckUniqueEntries(World* world, int container) {
  const engine::ContainerPtr found = world->Find(container);
  const auto& keys = found->state()->definition.unique_keys.keys;
  for (const auto& [key, item] : world->model(container).items()) {
    const std::string head_key = engine::HeadKey(found->id(), world->AddressOf(container, key));
    for (size_t i = 0; i < keys.size(); ++i) {
      const std::string what = Text(key) + " in " + ContainerName(container);
      const std::string entry =
          ReadRecord(world, engine::kUniqueFamily, engine::UniqueEntryKey(head_key, i, HashOf(keys[i], item)), what);
      std::vector<engine::ItemNumber> holders;
      if (!engine::DecodeUniqueEntry(entry, &holders).ok()) Fail("an entry of a unique key cannot be read: " + what);
      if (std::count(holders.begin(), holders.end(), item.number) != 1) Fail("not in its unique key's entry: " + what);
    }
  }
}

// Checks that for each unique key the entries without a live item are as few as such members may be.
void CheckUniqueEntriesLeft(World* world, int container) {
  const engine::ContainerPtr found = world->Find(container);
  std::set<engine::ItemNumber> living;
  for (const auto& [key, item] : world->model(container).items()) living.insert(item.number);
  std::map<engine::PartitionNumber, size_t> left;
  for (const std::string& entry_key : StoredAfterCompaction(world, found->id(), engine::kUniqueFamily)) {
    std::vector<engine::ItemNumber> holders;
    const std::string entry = ReadRecord(world, engine::kUniqueFamily, entry_key, "an entry of a unique key");
    if (!engine::DecodeUniqueEntry(entry, &holders).ok()) Fail("an entry of a unique key cannot be read");
    if (std::any_of(holders.begin(), holders.end(), [&](auto holder) { return living.contains(holder); })) continue;
    const size_t left_max = kMembersLeftMax * found->state()->definition.unique_keys.keys.size();
    if (++left[engine::PartitionOf(holders.front())] > left_max) {
      Fail("entries of unique keys of purged items are left in " + ContainerName(container));
    }
  }
}

// The records of purged items that the change log still needs.
struct HeldByLog {
  int64_t bodies = 0;
  int64_t queued = 0;
};

HeldByLog CountHeldByLog(const engine::Container& container) {
  HeldByLog held;
  for (const auto& partition : container.partitions()) {
    store::IterateOptions bounds;
    bounds.lower = engine::LogKey(partition->id(), partition->tally().log_floor + 1);
    bounds.upper = PrefixEnd(engine::LogKey(partition->id(), UINT64_MAX));
    const std::unique_ptr<store::Snapshot> snapshot = partition->store()->NewSnapshot();
    const std::unique_ptr<store::Iterator> records = partition->store()->NewIterator(engine::kLogFamily, bounds);
    for (records->SeekToFirst(); records->Valid(); records->Next()) {
      engine::ExpiredRange range;
      if (!engine::DecodeExpiredRange(records->key(), records->value(), &range).ok()) continue;  // a single change
      engine::ExpiryWalk walk(partition->store(), *snapshot, partition->id(), range, 0);
      for (; walk.Valid(); walk.Next()) {
        ++held.bodies;
        if (range.rule != ttl::kInheritRule) ++held.queued;
      }
      if (!walk.status().ok()) Fail("expiries of the log: " + walk.status().ToString());
    }
    if (!records->status().ok()) Fail(records->status().ToString());
  }
  return held;
}

}  // namespace

Status CheckItem(World* world, int container, const ModelKey& key, engine::RequestMeter* meter) {
  Result<engine::Item> read = world->Find(container)->Read(world->AddressOf(container, key), {}, meter);
  if (!read.ok() && read.status().code() != Code::kNotFound && world->IsFault(read.status())) return read.status();
  const ModelContainer& model = world->model(container);
  const ModelItem* live = model.Find(key);
  if ((live != nullptr) != read.ok()) {
    Fail(std::string(read.ok() ? "a dead item is visible: " : "a live item is gone: ") + Text(key) + " in " +
         ContainerName(container) + " (default " + Text(model.default_ttl()) + ")");
  }
  if (live != nullptr && (read->document != live->document || read->meta.version != live->version ||
                          read->meta.lsn != live->lsn || read->meta.number != live->number)) {
    Fail("another version of an item is visible");
  }
  return read.status();
}

Status CheckFeed(World* world, int container) {
  const engine::ContainerPtr found = world->Find(container);
  engine::FeedOptions page;
  page.scope = RandomScope(world, container);
  page.items_max = static_cast<int>(1 + world->dice().Below(20));
  std::vector<FeedItem> seen;
  do {
    const size_t before = seen.size();
    size_t bytes_left = world->dice().OneIn(3) ? static_cast<size_t>(1 + world->dice().Below(300)) : SIZE_MAX;
    auto result = found->ReadFeed(page, [&](const engine::Item& item, engine::Place place) {
      const bool first = seen.size() == before;
      if (first != (place == engine::Place::kMust)) Fail("a page of a feed may be empty, or leave nothing out");
      if (!first && item.document.size() > bytes_left) return false;
      bytes_left -= std::min(item.document.size(), bytes_left);
      seen.push_back({item.meta.number, item.meta.lsn, item.meta.version.sequence, std::string(item.document)});
      return true;
    });
    if (!result.ok() && world->IsFault(result.status())) return result.status();
    if (!result.ok()) Fail("feed: " + result.status().ToString());
    if (seen.size() > before + static_cast<size_t>(page.items_max)) Fail("a page of a feed is too long");
    page.after = result->resume_after;
  } while (!page.after.empty());
  const std::vector<FeedItem> expected = ExpectedFeed(world, container, page.scope);
  if (seen != expected) {
    Fail("the feed of " + ContainerName(container) + " shows " + std::to_string(seen.size()) +
         " items, the model has " + std::to_string(expected.size()) +
         (seen.size() == expected.size() ? ": others, or in another order" : ""));
  }
  return Status::Ok();
}

void CheckRecords(World* world, int container) {
  const engine::ContainerId id = world->Find(container)->id();
  for (const auto& [key, item] : world->model(container).items()) {
    const engine::ItemAddress address = world->AddressOf(container, key);
    const std::string head_key = engine::HeadKey(id, address);
    const std::string what = Text(key) + " in " + ContainerName(container);
    const std::string by_number = ReadRecord(world, engine::kRecordFamily, engine::RecordKey(id, item.number), what);
    if (ReadRecord(world, engine::kHeadFamily, head_key, what) != by_number) Fail("head and record differ: " + what);
    engine::HeadRecord head;
    if (!engine::DecodeHead(by_number, &head).ok()) Fail("a record cannot be read: " + what);
    const bool leads_to_item = head.number == item.number && engine::VersionOf(head.lifetime) == item.version &&
                               head.document_bytes == item.document.size() && head.lifetime.own_ttl == item.own_ttl;
    if (!leads_to_item) Fail("the record by number leads to something else: " + what);
    const std::string stored =
        ReadRecord(world, engine::kBodyFamily, engine::BodyKey({id, head.partition}, head.lifetime), what);
    engine::BodyRecord body;
    if (!engine::DecodeBody(stored, &body).ok()) Fail("a body cannot be read: " + what);
    const bool is_item = body.document == item.document && body.number == item.number && body.lsn == item.lsn &&
                         body.head_key == head_key && body.lifetime == head.lifetime;
    if (!is_item) Fail("the body is that of something else: " + what);
    ReadRecord(world, engine::kMemberFamily, engine::MemberKey(id, address.key, item.number), what);
  }
  CheckUniqueEntries(world, container);
}

void CheckOnlyTheLivingAreStored(World* world, int container) {
  const engine::ContainerPtr found = world->Find(container);
  int64_t items = 0, queued = 0;
  for (const auto& [key, item] : world->model(container).items()) {
    ttl::Lifetime lifetime;
    lifetime.ts_s = item.ts_s;
    lifetime.sequence = item.version.sequence;
    lifetime.own_ttl = item.own_ttl;
    ++items;
    queued += engine::QueueKeyOf({found->id(), 0}, lifetime).has_value() ? 1 : 0;
  }
  const HeldByLog held = CountHeldByLog(*found);
  const std::pair<store::FamilyId, int64_t> expected[] = {{engine::kHeadFamily, items},
                                                          {engine::kRecordFamily, items},
                                                          {engine::kBodyFamily, items + held.bodies},
                                                          {engine::kQueueFamily, queued + held.queued},
                                                          {engine::kErasedFamily, 0}};
  for (const auto& [family, records] : expected) {
    const auto stored = static_cast<int64_t>(StoredAfterCompaction(world, found->id(), family).size());
    if (stored == records) continue;
    Fail(ContainerName(container) + " has " + std::to_string(stored) + " records in family " + std::to_string(family) +
         ", and its live items and its log have " + std::to_string(records));
  }
  CheckMembers(world, container);
  CheckUniqueEntriesLeft(world, container);
}

void CheckStore(World* world) {
  const std::vector<store::FaultyShard*> faulty = world->stores();
  const Result<engine::StoreReport> report = engine::CheckStore({faulty.begin(), faulty.end()}, &RulesOfIndexes());
  if (!report.ok()) Fail("check of the store: " + report.status().ToString());
  if (report->findings.count() > 0) Fail("check of the store: " + report->findings.told().front());
}

void CheckCensus(World* world, int container) {
  const ModelContainer& model = world->model(container);
  engine::Census census = engine::Census(*world->Find(container));
  CheckCount("live", census.Live(), model.CountIf([](const ModelItem&) { return true; }));
  const int64_t then_s = world->now_s() + world->dice().Below(50);
  CheckCount("expiring", census.ExpiringUntil(then_s * 1000 + world->dice().Below(1000)),
             model.CountIf(
                 [&](const ModelItem& item) { return ModelContainer::IsExpired(item, model.default_ttl(), then_s); }));
  const std::optional<int32_t> other = world->RandomDefaultTtl();
  CheckCount("expiring under another default", census.ExpiringUnder(other), model.CountIf([&](const ModelItem& item) {
    return ModelContainer::IsExpired(item, other, world->now_s());
  }));
}

bool AnyBacklog(World* world) {
  for (int container = 0; container < kContainers; ++container) {
    Result<engine::Count> expired = engine::Census(*world->Find(container)).Expired();
    if (!expired.ok()) Fail("census: " + expired.status().ToString());
    if (expired->items > 0) return true;
    for (const auto& partition : world->Find(container)->partitions()) {
      if (partition->tally().erasures > 0) return true;
    }
  }
  return false;
}

bool DrainBacklog(World* world) {
  const int seconds_max = world->rate_limiting() ? kDrainSecondsMax : 0;
  for (int seconds = 0; !world->engine().clock().held(); ++seconds) {
    while (world->RunSweeper()) continue;
    if (!AnyBacklog(world)) return true;
    if (seconds == seconds_max) Fail("the backlog does not drain");
    world->PassMs(1000);
  }
  return false;
}

}  // namespace lapse::simulation
