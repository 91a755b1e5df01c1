#include "engine/index/index_walk.h"

#include "engine/families.h"
#include "engine/key_bytes.h"

namespace lapse::engine {
namespace {

store::IterateOptions Bounds(const std::string& prefix, const IndexRange& range) {
  store::IterateOptions bounds;
  bounds.lower = prefix + range.lower;
  bounds.upper = range.upper.empty() ? PrefixEnd(prefix) : prefix + range.upper;
  // A range without anything in it.
  if (bounds.upper < bounds.lower) bounds.upper = bounds.lower;
  return bounds;
}

}  // namespace

uint64_t ApproximateBytes(store::Shard* shard, IndexId index, PartitionNumber partition, const IndexRange& range) {
  const store::IterateOptions bounds = Bounds(IndexPathPrefix(index, partition, range.path), range);
  return shard->ApproximateBytes(kIndexFamily, bounds.lower, bounds.upper);
}

IndexWalk::IndexWalk(store::Shard* shard, const store::Snapshot& snapshot, IndexId index, PartitionNumber partition,
                     const IndexRange& range)
    : direction_(range.direction) {
  store::IterateOptions bounds = Bounds(IndexPathPrefix(index, partition, range.path), range);
  bounds.snapshot = &snapshot;
  entries_ = shard->NewIterator(kIndexFamily, bounds);
  direction_ == IndexRange::Direction::kForward ? entries_->SeekToFirst() : entries_->SeekToLast();
  Read();
}

void IndexWalk::Next() {
  direction_ == IndexRange::Direction::kForward ? entries_->Next() : entries_->Prev();
  Read();
}

void IndexWalk::Read() {
  valid_ = entries_->Valid();
  if (!valid_) {
    status_ = entries_->status();
  } else if (!SplitIndexKey(entries_->key(), &entry_)) {
    valid_ = false;
    status_ = {Code::kCorruption, "malformed entry of an index"};
  }
}

}  // namespace lapse::engine
