#include "engine/catalog/container.h"

#include <algorithm>
#include <utility>

#include "engine/commit/partition.h"
#include "engine/expiry/census.h"
#include "engine/request_units/meter.h"
#include "engine/request_units/prices.h"

namespace lapse::engine {
namespace {

AtomicWriteDone AnswerForOne(ItemWriteDone done) {
  return [done = std::move(done)](AtomicOutcome outcome) {
    if (!outcome.status.ok()) return done(std::move(outcome.status));
    done(std::move(outcome.written.front()));
  };
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
  if (meter == nullptr || item.status().code() == Code::kWouldBlock) return item;
  if (!item.ok()) {
    meter->ChargeRefused(item.status());
  } else if (item->unchanged) {
    meter->Charge(kRefusedMilliRu);
  } else {
    meter->Charge(PointReadMilliRu(PricedBytes(item->document, state()->definition.lifetime_property)));
  }
  return item;
}

void Container::Write(ItemWrite write, ItemWriteDone done, Meter* meter) const {
  std::vector<ItemWrite> operations;
  operations.push_back(std::move(write));
  WriteAtomically(std::move(operations), AnswerForOne(std::move(done)), meter);
}

void Container::WriteAtomically(std::vector<ItemWrite> operations, AtomicWriteDone done, Meter* meter) const {
  Partition& partition = PartitionFor(operations.front().address.key.epk);
  Queue(&partition, {std::move(operations), std::move(done)}, meter);
}

void Container::EraseKey(LogicalKey key, ItemWriteDone done, Meter* meter) const {
  Partition& partition = PartitionFor(key.epk);
  Queue(&partition, {.operations = {}, .done = AnswerForOne(std::move(done)), .erases = std::move(key)}, meter);
}

void Container::Queue(Partition* partition, PendingWrite write, Meter* meter) const {
  if (Status admitted = Admit(meter, *partition); !admitted.ok()) {
    return write.done({.status = std::move(admitted), .failed_at = write.operations.size(), .written = {}});
  }
  write.done = [meter, done = std::move(write.done)](AtomicOutcome outcome) {
    if (meter != nullptr && !outcome.status.ok()) meter->ChargeRefused(outcome.status);
    if (meter != nullptr && outcome.status.ok()) meter->Charge(outcome.milli_ru());
    done(std::move(outcome));
  };
  partition->Write(std::move(write));
}

Result<FeedPage> Container::ReadFeed(const FeedOptions& options, const TakeItem& take, Meter* meter) const {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, FirstPartitionOf(*this, options));
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

Census Container::TakeCensus() const {
  return {*this, parts_};
}

}  // namespace lapse::engine
