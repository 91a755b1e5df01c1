#include "engine/partition/index/index_walk.h"

#include <utility>

#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {
namespace {

store::IterateOptions Bounds(IndexId index, PartitionNumber partition, const IndexRange& range) {
  store::IterateOptions bounds;
  bounds.lower = IndexBound(index, partition, range.path, range.lower);
  bounds.upper = IndexBound(index, partition, range.path, range.upper);
  if (range.upper.empty()) bounds.upper = PrefixEnd(bounds.upper);
  // The range is empty.
  if (bounds.upper < bounds.lower) bounds.upper = bounds.lower;
  return bounds;
}

}  // namespace

uint64_t ApproximateBytes(store::Shard* shard, IndexId index, PartitionNumber partition, const IndexRange& range) {
  const store::IterateOptions bounds = Bounds(index, partition, range);
  return shard->ApproximateBytes(kIndexFamily, bounds.lower, bounds.upper);
}

IndexWalk::IndexWalk(store::Shard* shard, const store::Snapshot& snapshot, IndexId index, PartitionNumber partition,
                     const IndexRange& range, PassedRuns passed)
    : direction_(range.direction), passed_(std::move(passed)), runs_left_(passed_.runs.size()) {
  store::IterateOptions bounds = Bounds(index, partition, range);
  bounds.snapshot = &snapshot;
  // A walk that skips runs seeks anew in the middle.
  bounds.alike = range.one_value && direction_ == IndexRange::Direction::kForward && passed_.runs.empty();
  if (bounds.alike) bounds.lower.append(kCreationBytes, '\0');
  entries_ = shard->NewIterator(kIndexFamily, bounds);
  direction_ == IndexRange::Direction::kForward ? entries_->SeekToFirst() : entries_->SeekToLast();
  Read();
}

void IndexWalk::Next() {
  direction_ == IndexRange::Direction::kForward ? entries_->Next() : entries_->Prev();
  Read();
}

const DeadRun* IndexWalk::RunHere() {
  const bool forward = direction_ == IndexRange::Direction::kForward;
  const std::vector<DeadRun>& runs = passed_.runs;
  for (; runs_left_ > 0; --runs_left_) {
    const DeadRun& next = forward ? runs[runs.size() - runs_left_] : runs[runs_left_ - 1];
    const std::string_view key = entries_->key();
    const bool was_before = forward ? key >= next.end : key < next.begin;
    if (!was_before) return key >= next.begin && key < next.end ? &next : nullptr;
  }
  return nullptr;
}

void IndexWalk::GoPast(const DeadRun& run) {
  if (direction_ == IndexRange::Direction::kForward) {
    entries_->Seek(run.end);
  } else {
    entries_->SeekForPrev(run.begin);
    if (entries_->Valid() && entries_->key() == run.begin) entries_->Prev();
  }
  if (passed_.told != nullptr) passed_.told->NoteUse(run.begin);
}

void IndexWalk::Read() {
  while (entries_->Valid()) {
    const DeadRun* run = RunHere();
    if (run == nullptr) break;
    GoPast(*run);
  }
  valid_ = entries_->Valid();
  if (!valid_) {
    status_ = entries_->status();
  } else if (!SplitIndexKey(entries_->key(), &entry_)) {
    valid_ = false;
    status_ = {Code::kCorruption, "malformed entry of an index"};
  }
}

}  // namespace lapse::engine
