#include "engine/partition/index/dead_stretch.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_key.h"

namespace lapse::engine {
namespace {

// A stretch that only extends a run may be this many times shorter: it adds no run.
constexpr size_t kAddedShare = 8;
constexpr size_t kLookEntries = 1024;

}  // namespace

DeadStretch::DeadStretch(IndexReader* reader, const IndexRange& range, size_t entries_min, Look look)
    : reader_(reader),
      runs_(&reader->partition().index_memory()->dead_runs),
      range_(range),
      entries_min_(std::max<size_t>(entries_min, 1)),
      look_(std::move(look)),
      prefix_(IndexPathPrefix(reader->moment().state().index->id, reader->partition().number(), range.path)) {
  if (forward()) {
    from_ = prefix_ + range.lower;
  } else {
    from_ = range.upper.empty() ? PrefixEnd(prefix_) : prefix_ + range.upper;
  }
}

void DeadStretch::Pass(const EntryWalk& walk) {
  bytes_ += walk.value();
  PutCreation(&bytes_, walk.item());
  ends_.push_back(bytes_.size());
}

void DeadStretch::Judge(std::span<const std::optional<HeadRecord>> live) {
  size_t passed = 0;
  for (size_t i = 0; i < live.size(); ++i) {
    std::string key = KeyAt(i);
    if (live[i].has_value()) {
      // At the first live entry, the runs that the walk skipped so far can be merged.
      if (dead_ > 0 || !met_live_) Close(BoundBefore(key));
      met_live_ = true;
      from_ = BoundBehind(std::move(key));
    } else {
      ++passed;
      if (dead_++ == 0) first_ = key;
      last_ = std::move(key);
      if (dead_ == kEntriesMax) Close(BoundBehind(last_));
    }
  }
  runs_->CountPassed(passed);
  bytes_.clear();
  ends_.clear();
}

void DeadStretch::End() {
  if (dead_ > 0) Close(BoundBehind(last_));
}

std::string DeadStretch::KeyAt(size_t place) const {
  const size_t begin = place == 0 ? 0 : ends_[place - 1];
  return prefix_ + bytes_.substr(begin, ends_[place] - begin);
}

std::string DeadStretch::BoundBefore(std::string key) const {
  if (!forward()) key.push_back('\0');
  return key;
}

std::string DeadStretch::BoundBehind(std::string key) const {
  if (forward()) key.push_back('\0');
  return key;
}

void DeadStretch::Close(std::string bound) {
  const size_t dead = std::exchange(dead_, 0);
  std::string from = std::exchange(from_, bound);
  DeadRun run = forward() ? DeadRun{first_, last_ + '\0'} : DeadRun{last_, first_ + '\0'};
  const DeadRun reach = forward() ? DeadRun{std::move(from), std::move(bound)}  //
                                  : DeadRun{std::move(bound), std::move(from)};
  if (dead < entries_min_) {
    const DeadRuns::Touching touching = runs_->TouchedBy(reach);
    if (touching.count == 0 || (touching.count == 1 && dead < std::max<size_t>(entries_min_ / kAddedShare, 1))) return;
    if (dead == 0) run = touching.between;
  }
  // An error comes from the store, or the page is no longer wanted. Neither affects what the page has read.
  (void)Learn({std::move(run), dead}, reach).ok();
}

Status DeadStretch::Learn(DeadRuns::Part part, const DeadRun& reach) {
  DeadRuns::Proposal proposal(runs_, std::move(part.run), reach);
  // From here on commits report their puts. This snapshot has all earlier ones.
  store::Shard* store = reader_->store();
  const std::unique_ptr<store::Snapshot> fresh = store->NewSnapshot();
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTallyAt(*fresh, store, reader_->partition().id()));
  LAPSE_ASSIGN_OR_RETURN(const Sequence seen, reader_->LastSequence());
  std::vector<DeadRuns::Part> parts = {{proposal.run(), part.entries}};
  if (tally.last_sequence != seen) {
    LAPSE_ASSIGN_OR_RETURN(parts, PartsWithoutNew(proposal.run(), *fresh));
  }
  proposal.Publish(parts);
  return Status::Ok();
}

Result<std::vector<DeadRuns::Part>> DeadStretch::PartsWithoutNew(const DeadRun& run, const store::Snapshot& fresh) {
  IndexRange range;
  range.path = range_.path;
  range.lower = run.begin.substr(kIndexPathBytes);
  range.upper = run.end.substr(kIndexPathBytes);
  const IndexId index = reader_->moment().state().index->id;
  const PartitionNumber partition = reader_->partition().number();
  // Both walks skip the known runs, which hold only entries of dead items at either snapshot.
  const PassedRuns known{reader_->KnownRuns(range_.path), nullptr};
  IndexWalk seen(reader_->store(), reader_->snapshot(), index, partition, range, known);
  IndexWalk now(reader_->store(), fresh, index, partition, range, known);
  std::vector<DeadRuns::Part> parts;
  std::string begin = run.begin;
  size_t same = 0;
  // Short parts are dropped: they would evict other runs.
  const auto end_part = [&](std::string_view end) {
    const bool whole = begin == run.begin && end == run.end;
    if (whole || same >= entries_min_ / kAddedShare) parts.push_back({{begin, std::string(end)}, same});
  };
  size_t entries = 0;
  for (; now.Valid(); now.Next()) {
    if (++entries % kLookEntries == 0) LAPSE_RETURN_IF_ERROR(look_());
    // Runs that the page's walk skipped have been evicted since, and their entries are too many to read.
    if (entries > 2 * kEntriesMax) return std::vector<DeadRuns::Part>();
    while (seen.Valid() && seen.key() < now.key()) seen.Next();
    if (seen.Valid() && seen.key() == now.key()) {
      ++same;
      continue;
    }
    end_part(now.key());
    begin = now.key();
    begin.push_back('\0');
    same = 0;
  }
  LAPSE_RETURN_IF_ERROR(now.status());
  LAPSE_RETURN_IF_ERROR(seen.status());
  if (begin < run.end) end_part(run.end);
  runs_->CountCompared(entries);
  return parts;
}

}  // namespace lapse::engine
