#include "engine/catalog/containers/container.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/catalog/containers/container_feed.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/partition/index/index_progress.h"
#include "engine/partition/view/open_pages.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

AtomicWriteDone ForOne(ItemWriteDone done) {
  return [done = std::move(done)](AtomicOutcome outcome) {
    if (!outcome.status.ok()) return done(std::move(outcome.status));
    done(std::move(outcome.written.front()));
  };
}

PendingWrite OneWrite(ItemWrite write, ItemWriteDone done, RequestMeter* meter) {
  PendingWrite pending;
  pending.operations.push_back(std::move(write));
  pending.done = ForOne(std::move(done));
  pending.meter = meter;
  return pending;
}

}  // namespace

Container::Container(DatabaseId database, std::shared_ptr<ContainerContext> context, const ReaderParts& parts,
                     std::shared_ptr<RequestUnitPool> shared_pool)
    : database_(database),
      context_(std::move(context)),
      partition_key_(context_->state()->definition.partition_key),
      parts_(parts),
      shared_pool_(std::move(shared_pool)) {}

Container::~Container() = default;

void Container::AddPartition(std::shared_ptr<Partition> partition, std::shared_ptr<Budget> budget) {
  partitions_.push_back(std::move(partition));
  budgets_->by_partition.push_back(std::move(budget));
}

size_t Container::PlaceOf(std::string_view epk) const {
  auto after =
      std::upper_bound(partitions_.begin(), partitions_.end(), epk,
                       [](std::string_view key, const auto& partition) { return key < partition->range().min; });
  return static_cast<size_t>(after - partitions_.begin()) - 1;  // the first range begins at the empty key
}

const Partition* Container::FindPartition(PartitionNumber number) const {
  auto found = std::find_if(partitions_.begin(), partitions_.end(),
                            [&](const auto& partition) { return partition->number() == number; });
  return found == partitions_.end() ? nullptr : found->get();
}

void Container::ShareThroughput(RateLimiting limiting) {
  if (shared_pool_ != nullptr) return;
  const int64_t share = MilliRuPerPartition(state()->definition.throughput, limiting, partitions_.size());
  for (const auto& budget : budgets_->by_partition) budget->SetRate(share);
}

Status Container::Admit(RequestMeter* meter, size_t partition, int64_t ahead_milli_ru) const {
  return meter == nullptr ? Status::Ok() : meter->Admit(budgets_, partition, ahead_milli_ru);
}

Result<ReadMoment> Container::TakeMoment(const Partition& partition, store::Reach reach) const {
  const std::optional<int64_t> clock_ms =
      reach == store::Reach::kMemory ? parts_.clock->TryNowMs() : std::optional(parts_.clock->NowMs());
  if (!clock_ms.has_value()) return Status(Code::kWouldBlock, "the clock's second must be turned over");
  return MomentOf(*context_, partition, *clock_ms);
}

template <typename Answer, typename ReadIt>
Result<Answer> Container::ReadAt(const LogicalKey& key, store::Reach reach, RequestMeter* meter,
                                 const ReadIt& read) const {
  const size_t place = PlaceOf(key.epk);
  LAPSE_RETURN_IF_ERROR(Admit(meter, place));
  const Partition& partition = *partitions_[place];
  LAPSE_ASSIGN_OR_RETURN(const ReadMoment moment, TakeMoment(partition, reach));
  if (Status known = moment.Check(); !known.ok()) {
    if (meter != nullptr) meter->ChargeRefused(known);
    return known;
  }
  return read(PointReader(partition, moment, parts_.cache));
}

Result<Item> Container::Read(const ItemAddress& address, const ReadItemOptions& options, RequestMeter* meter) const {
  return ReadAt<Item>(address.key, options.reach, meter,
                      [&](const PointReader& reader) { return reader.Read(address, options, meter); });
}

Result<Item> Container::Read(const NumberedItem& numbered, const ReadItemOptions& options, RequestMeter* meter) const {
  return ReadAt<Item>(numbered.key, options.reach, meter,
                      [&](const PointReader& reader) { return reader.Read(numbered, options, meter); });
}

Result<std::string> Container::FindId(const NumberedItem& numbered, store::Reach reach, RequestMeter* meter) const {
  return ReadAt<std::string>(numbered.key, reach, meter,
                             [&](const PointReader& reader) { return reader.FindId(numbered, reach, meter); });
}

void Container::Write(ItemWrite write, ItemWriteDone done, RequestMeter* meter) const {
  const size_t place = PlaceOf(write.address.key.epk);
  if (Status admitted = Admit(meter, place); !admitted.ok()) return done(std::move(admitted));
  partitions_[place]->Write(OneWrite(std::move(write), std::move(done), meter));
}

void Container::WriteAtomically(std::vector<ItemWrite> operations, AtomicWriteDone done, RequestMeter* meter,
                                std::shared_ptr<AtomicRules> rules) const {
  const size_t place = PlaceOf(operations.front().address.key.epk);
  if (Status admitted = Admit(meter, place); !admitted.ok()) {
    AtomicOutcome refused;
    refused.status = std::move(admitted);
    refused.failed_at = operations.size();
    return done(std::move(refused));
  }
  PendingWrite pending;
  pending.operations = std::move(operations);
  pending.done = std::move(done);
  pending.rules = std::move(rules);
  pending.meter = meter;
  partitions_[place]->Write(std::move(pending));
}

void Container::WriteEach(std::vector<MeteredWrite> writes) const {
  if (writes.empty()) return;
  const size_t place = PlaceOf(writes.front().write.address.key.epk);
  const std::shared_ptr<const ContainerState> now = state();
  std::vector<PendingWrite> admitted;
  admitted.reserve(writes.size());
  std::vector<std::pair<ItemWriteDone, Status>> refused;
  int64_t ahead_milli_ru = 0;
  for (MeteredWrite& one : writes) {
    if (Status status = Admit(one.meter, place, ahead_milli_ru); !status.ok()) {
      refused.emplace_back(std::move(one.done), std::move(status));
      continue;
    }
    ahead_milli_ru += LeastMilliRu(one.write, *now);
    admitted.push_back(OneWrite(std::move(one.write), std::move(one.done), one.meter));
  }
  for (auto& [done, status] : refused) done(std::move(status));
  if (!admitted.empty()) partitions_[place]->Write(std::move(admitted));
}

void Container::EraseKey(LogicalKey key, ItemWriteDone done, RequestMeter* meter) const {
  const size_t place = PlaceOf(key.epk);
  if (Status admitted = Admit(meter, place); !admitted.ok()) return done(std::move(admitted));
  PendingWrite pending;
  pending.done = ForOne(std::move(done));
  pending.erases = std::move(key);
  pending.meter = meter;
  partitions_[place]->Write(std::move(pending));
}

Result<FeedPage> Container::ReadFeed(const FeedOptions& options, const TakeItem& take, RequestMeter* meter) const {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, FirstPartitionOf(*this, options.scope, options.after));
  LAPSE_RETURN_IF_ERROR(Admit(meter, first));
  const OpenPages::Page open(&context_->pages());
  Result<FeedPage> page =
      ReadFeedOf(*this, ViewsOf(*context_, partitions_, parts_.clock), *parts_.steady, options, {}, take);
  if (meter == nullptr) return page;
  if (!page.ok()) {
    meter->ChargeRefused(page.status());
    return page;
  }
  meter->ExtendTo(page->last_partition);
  meter->Charge(PageMilliRu(page->items_milli_ru, page->cut_short));
  return page;
}

Result<ChangesPage> Container::ReadChanges(const ChangesOptions& options, const TakeItem& take,
                                           RequestMeter* meter) const {
  return MeteredChanges(options, meter, [&](ChangeFeed* feed) { return feed->ReadLatestVersions(options, take); });
}

Result<ChangesPage> Container::ReadLog(const ChangesOptions& options, const TakeChange& take,
                                       RequestMeter* meter) const {
  return MeteredChanges(options, meter, [&](ChangeFeed* feed) { return feed->ReadAllVersions(options, take); });
}

Result<ChangesPage> Container::MeteredChanges(const ChangesOptions& options, RequestMeter* meter,
                                              const std::function<Result<ChangesPage>(ChangeFeed* feed)>& read) const {
  const Partition* const partition = FindPartition(options.partition);
  if (partition == nullptr) return Status(Code::kInvalidArgument, "the container has no such partition");
  LAPSE_RETURN_IF_ERROR(Admit(meter, *partition));
  const OpenPages::Page open(&context_->pages());
  const PageView view = ViewOf(*context_, *partition, parts_.clock);
  ChangeFeed feed(*partition, view, *parts_.steady);
  Result<ChangesPage> page = read(&feed);
  if (meter == nullptr) return page;
  if (!page.ok()) {
    meter->ChargeRefused(page.status());
    return page;
  }
  // Expired records may cut a page into several. The base price is charged once, with the page's first items.
  const bool paid_elsewhere = page->items > 0 ? options.items_before > 0 : page->cut_short;
  meter->Charge(PageMilliRu(page->items_milli_ru, paid_elsewhere));
  return page;
}

Result<std::unique_ptr<IndexPage>> Container::OpenIndexPage() const {
  return IndexPage::Open(*this, parts_);
}

Result<int> Container::IndexProgress() const {
  const std::shared_ptr<const ContainerState> now = state();
  if (!now->index_in_making.has_value()) return 100;
  uint64_t passed = 0;
  uint64_t all = 0;
  for (const auto& partition : partitions_) {
    LAPSE_ASSIGN_OR_RETURN(const auto progress,
                           LoadIndexProgress(partition->store(), partition->id(), now->index_in_making->id));
    const uint64_t creations = partition->tally().creations;
    all += creations;
    passed += progress.done ? creations : std::min(progress.passed, creations);
  }
  // 100 is reserved for an index that is in use
  return all == 0 ? 0 : std::min(99, static_cast<int>(static_cast<double>(passed) * 100 / static_cast<double>(all)));
}

}  // namespace lapse::engine
