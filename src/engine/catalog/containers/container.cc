#include "engine/catalog/containers/container.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/catalog/throughput/meter.h"
#include "engine/partition/index/index_page.h"
#include "engine/partition/index/index_progress.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

AtomicWriteDone Charging(Meter* meter, AtomicWriteDone done) {
  return [meter, done = std::move(done)](AtomicOutcome outcome) {
    if (meter != nullptr) {
      int64_t sum = 0;
      for (const int64_t milli_ru : outcome.milli_ru) sum += milli_ru;
      meter->Charge(sum);
    }
    done(std::move(outcome));
  };
}

AtomicWriteDone ForOne(ItemWriteDone done) {
  return [done = std::move(done)](AtomicOutcome outcome) {
    if (!outcome.status.ok()) return done(std::move(outcome.status));
    done(std::move(outcome.written.front()));
  };
}

PendingWrite OneWrite(ItemWrite write, AtomicWriteDone done) {
  PendingWrite pending;
  pending.operations.push_back(std::move(write));
  pending.done = std::move(done);
  return pending;
}

}  // namespace

Container::Container(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state,
                     const CommitParts& parts, std::shared_ptr<RequestUnitPool> shared_pool)
    : database_(database),
      id_(id),
      partition_key_(state->definition.partition_key),
      parts_(parts),
      shared_pool_(std::move(shared_pool)),
      state_(std::move(state)) {}

Container::~Container() = default;

void Container::Mark(ContainerState::Standing standing) {
  auto marked = std::make_shared<ContainerState>(*state());
  marked->standing = standing;
  state_.store(std::move(marked), std::memory_order_release);
}

Partition& Container::PartitionFor(std::string_view epk) const {
  auto after =
      std::upper_bound(partitions_.begin(), partitions_.end(), epk,
                       [](std::string_view key, const auto& partition) { return key < partition->range().min; });
  return **std::prev(after);  // the first range begins at the empty key
}

const Partition* Container::FindPartition(PartitionNumber number) const {
  auto found = std::find_if(partitions_.begin(), partitions_.end(),
                            [&](const auto& partition) { return partition->number() == number; });
  return found == partitions_.end() ? nullptr : found->get();
}

void Container::ShareThroughput(RateLimiting limiting) {
  if (shared_pool_ != nullptr) return;
  const int64_t share = MilliRuPerPartition(state()->definition.throughput, limiting, partitions_.size());
  for (const auto& partition : partitions_) partition->budget().SetRate(share);
}

Status Container::Admit(Meter* meter, const Partition& partition) const {
  return meter == nullptr ? Status::Ok() : meter->Admit(shared_from_this(), partition);
}

Result<Item> Container::Read(const ItemAddress& address, const ReadItemOptions& options, Meter* meter) const {
  LAPSE_RETURN_IF_ERROR(Admit(meter, PartitionFor(address.key.epk)));
  Result<Item> item = ReadItem(*this, address, parts_, options);
  ChargeRead(meter, item);
  return item;
}

Result<Item> Container::Read(const NumberedItem& numbered, const ReadItemOptions& options, Meter* meter) const {
  LAPSE_RETURN_IF_ERROR(Admit(meter, PartitionFor(numbered.key.epk)));
  Result<Item> item = ReadItem(*this, numbered, parts_, options);
  ChargeRead(meter, item);
  return item;
}

void Container::ChargeRead(Meter* meter, const Result<Item>& item) const {
  if (meter == nullptr || item.status().code() == Code::kWouldBlock) return;
  if (!item.ok()) {
    meter->ChargeRefused(item.status());
  } else if (item->unchanged) {
    meter->Charge(kRefusedMilliRu);
  } else {
    meter->Charge(PointReadMilliRu(item->document, state()->definition.lifetime_property));
  }
}

Result<std::string> Container::FindId(const NumberedItem& numbered, store::Reach reach, Meter* meter) const {
  LAPSE_RETURN_IF_ERROR(Admit(meter, PartitionFor(numbered.key.epk)));
  Result<std::string> id = FindItemId(*this, numbered, parts_, reach);
  if (meter != nullptr && !id.ok() && id.status().code() != Code::kWouldBlock) meter->ChargeRefused(id.status());
  return id;
}

void Container::Write(ItemWrite write, ItemWriteDone done, Meter* meter) const {
  Partition& partition = PartitionFor(write.address.key.epk);
  if (Status admitted = Admit(meter, partition); !admitted.ok()) return done(std::move(admitted));
  partition.Write(OneWrite(std::move(write), Charging(meter, ForOne(std::move(done)))));
}

void Container::WriteAtomically(std::vector<ItemWrite> operations, AtomicWriteDone done, Meter* meter,
                                std::shared_ptr<AtomicRules> rules) const {
  Partition& partition = PartitionFor(operations.front().address.key.epk);
  if (Status admitted = Admit(meter, partition); !admitted.ok()) {
    AtomicOutcome refused;
    refused.status = std::move(admitted);
    refused.failed_at = operations.size();
    return done(std::move(refused));
  }
  partition.Write({std::move(operations), Charging(meter, std::move(done)), std::move(rules)});
}

void Container::WriteEach(std::vector<MeteredWrite> writes) const {
  if (writes.empty()) return;
  Partition& partition = PartitionFor(writes.front().write.address.key.epk);
  const std::shared_ptr<const ContainerState> now = state();
  std::vector<PendingWrite> admitted;
  admitted.reserve(writes.size());
  std::vector<std::pair<ItemWriteDone, Status>> refused;
  int64_t ahead_milli_ru = 0;
  for (MeteredWrite& one : writes) {
    Status status =
        one.meter == nullptr ? Status::Ok() : one.meter->Admit(shared_from_this(), partition, ahead_milli_ru);
    if (!status.ok()) {
      refused.emplace_back(std::move(one.done), std::move(status));
      continue;
    }
    ahead_milli_ru += LeastMilliRu(one.write, *now);
    admitted.push_back(OneWrite(std::move(one.write), Charging(one.meter, ForOne(std::move(one.done)))));
  }
  for (auto& [done, status] : refused) done(std::move(status));
  if (!admitted.empty()) partition.Write(std::move(admitted));
}

void Container::EraseKey(LogicalKey key, ItemWriteDone done, Meter* meter) const {
  Partition& partition = PartitionFor(key.epk);
  if (Status admitted = Admit(meter, partition); !admitted.ok()) return done(std::move(admitted));
  PendingWrite pending;
  pending.done = Charging(meter, ForOne(std::move(done)));
  pending.erases = std::move(key);
  partition.Write(std::move(pending));
}

Result<FeedPage> Container::ReadFeed(const FeedOptions& options, const TakeItem& take, Meter* meter) const {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, FirstPartitionOf(*this, options.scope, options.after));
  LAPSE_RETURN_IF_ERROR(Admit(meter, *partitions_[first]));
  Result<FeedPage> page = ItemFeed(this, parts_).ReadPage(options, take);
  if (meter == nullptr) return page;
  if (!page.ok()) {
    meter->ChargeRefused(page.status());
    return page;
  }
  meter->ExtendTo(page->last_partition);
  meter->Charge(PageMilliRu(page->items_milli_ru, page->cut_short));
  return page;
}

Result<ChangesPage> Container::ReadChanges(const ChangesOptions& options, const TakeItem& take, Meter* meter) const {
  return MeteredChanges(options, meter, [&] { return ChangeFeed(this, parts_).ReadLatestVersions(options, take); });
}

Result<ChangesPage> Container::ReadLog(const ChangesOptions& options, const TakeChange& take, Meter* meter) const {
  return MeteredChanges(options, meter, [&] { return ChangeFeed(this, parts_).ReadAllVersions(options, take); });
}

Result<ChangesPage> Container::MeteredChanges(const ChangesOptions& options, Meter* meter,
                                              const std::function<Result<ChangesPage>()>& read) const {
  const Partition* partition = FindPartition(options.partition);
  if (partition == nullptr) return Status(Code::kInvalidArgument, "the container has no such partition");
  LAPSE_RETURN_IF_ERROR(Admit(meter, *partition));
  Result<ChangesPage> page = read();
  if (meter == nullptr) return page;
  if (!page.ok()) {
    meter->ChargeRefused(page.status());
    return page;
  }
  // Expired records may cut a page into several: it is paid for once, with its first items.
  const bool paid_elsewhere = page->items > 0 ? options.items_before > 0 : page->cut_short;
  meter->Charge(PageMilliRu(page->items_milli_ru, paid_elsewhere));
  return page;
}

Result<std::unique_ptr<IndexPage>> Container::OpenIndexPage() const {
  return IndexPage::Open(*this, parts_);
}

Result<int> Container::IndexProgress() const {
  return IndexProgressPercent(*this, parts_.shards);
}

Census Container::TakeCensus(const KeyScope& scope) const {
  return {*this, parts_, scope};
}

}  // namespace lapse::engine
