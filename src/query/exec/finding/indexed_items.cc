#include "query/exec/finding/indexed_items.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/catalog/containers/container_feed.h"
#include "engine/partition/reads/page_limit.h"
#include "engine/shard/partitions/partition.h"
#include "query/exec/scheduling/parallel_tasks.h"

namespace lapse::query::exec {
namespace {

using engine::ItemNumber;

// At most this many entries are read, which bounds the memory that they hold.
constexpr double kEntriesMax = 4'000'000;
// Reading an item by its number costs about as much as scanning this many. Counting it costs less.
constexpr double kScannedForRead = 10;
constexpr double kScannedForCounted = 2;

// The first batch is about as large as the page.
constexpr size_t kReadItemsMin = 16;
constexpr size_t kReadItemsMax = 512;

}  // namespace

bool IsWholePartitions(const engine::KeyScope& scope, const engine::Container& container) {
  const auto& partitions = container.partitions();
  return std::all_of(partitions.begin(), partitions.end(), [&](const auto& partition) {
    return !scope.Touches(partition->range()) || scope.Covers(partition->range());
  });
}

int64_t StoredItems(const engine::Container& container, size_t partition) {
  return container.partitions()[partition]->tally().stored.items;
}

IndexedItems::IndexedItems(const PageContext& page, const IndexCondition& condition, ScannedItem* shown,
                           engine::RequestMeter* meter)
    : page_(page),
      scope_(page.scope()),
      condition_(condition),
      shown_(shown),
      meter_(meter),
      watch_(page.watch()),
      items_(shown),
      candidates_(page.container().partitions().size()) {}

IndexedItems::IndexedItems(const IndexedItems& all, const engine::KeyScope& scope, ScannedItem* shown,
                           engine::RequestMeter* meter, const PageWatch& watch)
    : page_(all.page_),
      scope_(scope),
      condition_(all.condition_),
      shown_(shown),
      meter_(meter),
      watch_(watch),
      purpose_(all.purpose_),
      exact_(all.exact_),
      with_documents_(all.with_documents_),
      items_(shown),
      found_by_(&all),
      candidates_(all.candidates_.size()) {}

bool IndexedItems::InScope(size_t partition) const {
  return scope_.Touches(page_.container().partitions()[partition]->range());
}

const engine::KeyScope* IndexedItems::PartOf(size_t partition) const {
  return scope_.Covers(page_.container().partitions()[partition]->range()) ? nullptr : &scope_;
}

size_t IndexedItems::EntriesWorthReading(size_t partition) const {
  const auto stored = static_cast<double>(std::max<int64_t>(1, StoredItems(page_.container(), partition)));
  double worth = stored / (purpose_.only_counted ? kScannedForCounted : kScannedForRead);
  // A scan that ends when the page is full reads (stored / matches) items for each row. Finding all matches costs as
  // many entries as there are matches.
  if (purpose_.rows_max.has_value()) {
    worth = std::min(worth, std::sqrt(2 * static_cast<double>(*purpose_.rows_max) * stored));
  }
  return static_cast<size_t>(std::clamp(worth, static_cast<double>(purpose_.thresholds.entries), kEntriesMax));
}

Result<std::optional<Candidates>> IndexedItems::Find(size_t partition, const PageWatch& watch) const {
  CandidateFinder finder(PartOf(partition), &page_.view().Partition(partition),
                         {EntriesWorthReading(partition), purpose_.only_counted}, watch, page_.settings().pool);
  return finder.Find(condition_);
}

Result<const Candidates*> IndexedItems::CandidatesOf(size_t partition) {
  if (found_by_ != nullptr) return &*found_by_->candidates_[partition];
  std::optional<Candidates>& candidates = candidates_[partition];
  if (!candidates.has_value()) {
    LAPSE_ASSIGN_OR_RETURN(candidates, Find(partition, watch_));
  }
  return candidates.has_value() ? &*candidates : nullptr;
}

Result<bool> IndexedItems::Prepare(const Purpose& purpose) {
  purpose_ = purpose;
  LAPSE_ASSIGN_OR_RETURN(const size_t first, engine::FirstPartitionOf(page_.container(), scope_, purpose.after));
  exact_ = true;
  // A part of a partition without candidates offers no position to resume from, so all candidates are found first.
  const bool everywhere =
      purpose.everywhere || (!scope_.exact.has_value() && !IsWholePartitions(scope_, page_.container()));
  std::vector<size_t> partitions;
  for (size_t i = first; i < candidates_.size() && (everywhere || partitions.empty()); ++i) {
    if (!InScope(i)) continue;
    partitions.push_back(i);
    page_.view().Partition(i);  // makes its reader, which helpers need
  }
  std::vector<std::optional<Candidates>> found_ahead(partitions.size());
  const auto find = [&](size_t task, const PageWatch& watch) {
    Result<std::optional<Candidates>> found = Find(partitions[task], watch);
    if (found.ok()) found_ahead[task] = *std::move(found);
    return found_ahead[task].has_value();
  };
  std::optional<ParallelTasks> tasks;
  for (size_t task = 0; task < partitions.size(); ++task) {
    // The first partition shows whether the others are worth helpers.
    if (task == 1 && purpose.helpers != nullptr &&
        static_cast<int64_t>(CountIn(partitions[0]) * partitions.size()) >= purpose.thresholds.shared_items) {
      tasks.emplace(partitions.size(), purpose.helpers, watch_, find);
    }
    // If a helper found nothing, this thread tries again.
    if (tasks.has_value() && !tasks->Claim(task)) candidates_[partitions[task]] = std::move(found_ahead[task]);
    LAPSE_ASSIGN_OR_RETURN(const Candidates* const found, CandidatesOf(partitions[task]));
    if (found == nullptr) return false;
    exact_ &= found->exact;
  }
  return true;
}

std::string IndexedItems::PositionAt(ItemNumber item, const engine::LogicalKey* key) const {
  engine::FeedPosition position;
  position.item = item;
  if (scope_.exact.has_value()) key = &*scope_.exact;
  if (key != nullptr) {
    position.order = engine::FeedPosition::Order::kMembers;
    position.key = *key;
  }
  return position.Encode();
}

size_t IndexedItems::PassedOf(const Candidates& candidates, const engine::FeedPosition& position) {
  if (candidates.keyed.empty()) {
    const auto& items = candidates.items;
    return static_cast<size_t>(std::upper_bound(items.begin(), items.end(), position.item) - items.begin());
  }
  const auto& keyed = candidates.keyed;
  const engine::KeyedItem last{position.key, position.item};
  return static_cast<size_t>(std::upper_bound(keyed.begin(), keyed.end(), last, engine::IsBefore) - keyed.begin());
}

IndexedItems::Reached IndexedItems::ReachedBy(const NumberedItems::Read& read, const Candidates& candidates,
                                              std::span<const ItemNumber> numbers) {
  if (candidates.keyed.empty()) return {*read.passed, nullptr};
  const ItemNumber last = read.ended ? *read.passed + 1 : *read.passed;
  const auto in_batch = std::find(numbers.begin(), numbers.end(), last) - numbers.begin();
  const auto in_all = numbers.data() - candidates.items.data() + in_batch;
  return {*read.passed, &candidates.keyed[static_cast<size_t>(in_all)].key};
}

Result<std::string> IndexedItems::Scan(std::string after, bool until_end, const TakeItem& take) {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, engine::FirstPartitionOf(page_.container(), scope_, after));
  std::optional<engine::FeedPosition> position;
  if (!after.empty()) {
    LAPSE_ASSIGN_OR_RETURN(position, engine::FeedPosition::Decode(after));
  }
  engine::PageLimit limit(0, page_.view().steady(), until_end);
  // The page must read something before it ends, or the next page would get no further.
  bool moved = false;
  const auto time_is_up = [&] { return moved && until_end && watch_.TimeIsUp(); };
  std::optional<Reached> reached;
  const auto position_reached = [&] { return reached.has_value() ? PositionAt(reached->item, reached->key) : after; };
  // Items are read in batches, and one of them may take long. A row without a document takes less time than reading the
  // clock.
  const TakeItem take_in_time = [&](ItemNumber number, std::string_view document) {
    if (with_documents_ && moved && (limit.EndsEarly() || time_is_up())) return false;
    moved = true;
    return take(number, document);
  };
  for (size_t i = first; i < candidates_.size(); ++i) {
    if (!InScope(i)) continue;
    LAPSE_ASSIGN_OR_RETURN(const Candidates* const found, CandidatesOf(i));
    // The next page begins with this partition and finds its items another way: a position after the last item would
    // lead here again. This cannot be the first partition, whose candidates are known (Prepare).
    if (found == nullptr) {
      return PositionAt(engine::MakeItemNumber(page_.container().partitions()[i]->number(), 0), nullptr);
    }
    if (meter_ != nullptr) meter_->ExtendTo(i);
    passes_filters_ = found->exact;
    std::span<const ItemNumber> left(found->items);
    if (position.has_value() && i == first) left = left.subspan(PassedOf(*found, *position));
    size_t batch = kReadItemsMax;
    if (purpose_.rows_max.has_value()) batch = std::clamp<uint64_t>(*purpose_.rows_max, kReadItemsMin, kReadItemsMax);
    for (; !left.empty(); batch = std::min(2 * batch, kReadItemsMax)) {
      // The page ends early only if there is a position to resume from. Without one a reader takes the page for the
      // last.
      if ((limit.EndsEarly() || time_is_up()) && (reached.has_value() || !after.empty())) {
        cut_short_ = limit.EndsEarlyByExpiry();
        return position_reached();
      }
      LAPSE_RETURN_IF_ERROR(watch_.Look());
      const auto numbers = left.first(std::min(batch, left.size()));
      LAPSE_ASSIGN_OR_RETURN(const NumberedItems::Read read,
                             items_.ReadLive(&page_.view().Partition(i), numbers, with_documents_, take_in_time));
      if (read.passed.has_value()) reached = ReachedBy(read, *found, numbers);
      if (read.ended) return position_reached();
      for (int dead = 0; dead < read.dead; ++dead) limit.PassOverExpired();
      left = left.subspan(numbers.size());
      moved = true;
    }
    // In a part of a partition the position stays after the last item that was found there.
    if (scope_.exact.has_value() || PartOf(i) == nullptr) {
      reached = {engine::MakeItemNumber(page_.container().partitions()[i]->number(), engine::kCreationsMax), nullptr};
    }
  }
  return std::string();
}

}  // namespace lapse::query::exec
