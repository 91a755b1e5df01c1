#include "engine/check/index_check.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/catalog/containers/container.h"
#include "engine/check/stored_container.h"
#include "engine/partition/index/index_progress.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_entries.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/partitions/partition_tally.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

// Checks one index in one partition.
class IndexChecking {
 public:
  IndexChecking(PartitionId partition, const ContainerIndex& index, const ttl::Floors& purged, uint64_t passed,
                store::Shard* shard, IndexFindings* findings)
      : partition_(partition),
        index_(index),
        purged_(purged),
        passed_(passed),
        shard_(shard),
        snapshot_(shard->NewSnapshot()),
        findings_(findings) {}

  Status Run() {
    LAPSE_RETURN_IF_ERROR(CheckItems());
    LAPSE_RETURN_IF_ERROR(CheckEntries(Depth::kCount));
    // All required entries exist, except for the missing ones, which were noted. So if there are no more entries than
    // that, none is wrong, and no document has to be read again.
    if (seen_ == expected_ - missing_) return Status::Ok();
    return CheckEntries(Depth::kCompare);
  }

 private:
  enum class Depth : uint8_t { kCount, kCompare };

  bool IsPassed(ItemNumber item) const { return CreationOf(item) <= passed_; }

  // Checks that each item has its entries.
  Status CheckItems() {
    store::IterateOptions bounds;
    bounds.lower = RecordKey(partition_.container, MakeItemNumber(partition_.number, 0));
    bounds.upper = PrefixEnd(RecordKey(partition_.container, MakeItemNumber(partition_.number, kCreationsMax)));
    bounds.snapshot = snapshot_.get();
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> records = shard_->NewIterator(kRecordFamily, bounds);
    for (records->SeekToFirst(); records->Valid(); records->Next()) {
      HeadRecord head;
      LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
      if (purged_.Covers(head.lifetime)) continue;
      LAPSE_ASSIGN_OR_RETURN(const IndexEntries entries, EntriesBy(head));
      ++findings_->items;
      findings_->entries += static_cast<int64_t>(entries.size());
      if (!IsPassed(head.number)) continue;
      expected_ += static_cast<int64_t>(entries.size());
      for (size_t i = 0; i < entries.size(); ++i) LAPSE_RETURN_IF_ERROR(Expect(entries[i], head.number));
    }
    return records->status();
  }

  // Checks that each entry belongs to its item.
  Status CheckEntries(Depth depth) {
    store::IterateOptions bounds;
    bounds.lower = IndexPrefix(index_.id, partition_.number);
    bounds.upper = PrefixEnd(bounds.lower);
    bounds.snapshot = snapshot_.get();
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> entries = shard_->NewIterator(kIndexFamily, bounds);
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      LAPSE_RETURN_IF_ERROR(CheckEntry(entries->key(), depth));
    }
    return entries->status();
  }

  Status CheckEntry(std::string_view key, Depth depth) {
    IndexKeyParts parts;
    if (!SplitIndexKey(key, &parts)) return {Code::kCorruption, "malformed entry of an index"};
    LAPSE_ASSIGN_OR_RETURN(const std::optional<HeadRecord> head, Find(parts.item));
    const bool first_look = depth == Depth::kCount;
    if (!head.has_value()) {
      findings_->of_gone_items += first_look ? 1 : 0;
      return Status::Ok();
    }
    const bool passed = IsPassed(parts.item);
    if (passed && first_look) {
      ++seen_;
      return Status::Ok();
    }
    // Entries of an item that the build has not reached are compared at the first look, since their number is unknown.
    if (!passed && !first_look) return Status::Ok();
    LAPSE_ASSIGN_OR_RETURN(const IndexEntries right, EntriesBy(*head));
    const std::string_view entry = key.substr(kIndexPrefixBytes, key.size() - kIndexPrefixBytes - kCreationBytes);
    if (right.Contains(entry)) return Status::Ok();
    ++findings_->wrong;
    Note("wrong", entry, parts.item);
    return Status::Ok();
  }

  Status Expect(std::string_view entry, ItemNumber item) {
    store::PinnedValue value;
    Status found = shard_->Get(kIndexFamily, IndexKey(index_.id, entry, item), &value, {.snapshot = snapshot_.get()});
    if (found.code() != Code::kNotFound) return found;
    ++missing_;
    ++findings_->missing;
    Note("missing", entry, item);
    return Status::Ok();
  }

  // Returns nullopt if the item is gone.
  Result<std::optional<HeadRecord>> Find(ItemNumber item) {
    store::PinnedValue value;
    const Status found =
        shard_->Get(kRecordFamily, RecordKey(partition_.container, item), &value, {.snapshot = snapshot_.get()});
    if (found.code() == Code::kNotFound) return std::optional<HeadRecord>();
    LAPSE_RETURN_IF_ERROR(found);
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &head));
    if (purged_.Covers(head.lifetime)) return std::optional<HeadRecord>();
    return std::optional(head);
  }

  Result<IndexEntries> EntriesBy(const HeadRecord& head) {
    store::PinnedValue value;
    LAPSE_RETURN_IF_ERROR(shard_->Get(kBodyFamily, BodyKey({partition_.container, head.partition}, head.lifetime),
                                      &value, {.snapshot = snapshot_.get()}));
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
    return index_.paths->MakeEntries(body.document, head.indexing);
  }

  void Note(std::string_view what, std::string_view entry, ItemNumber item) {
    if (!findings_->first_problem.empty()) return;
    findings_->first_problem = std::string(what) + " entry of item " + std::to_string(CreationOf(item)) +
                               " of partition " + std::to_string(partition_.number) + " in index " +
                               std::to_string(index_.id) + ", value of " +
                               std::to_string(entry.size() - kPathNumberBytes) + " bytes";
  }

  const PartitionId partition_;
  const ContainerIndex& index_;
  const ttl::Floors& purged_;
  const uint64_t passed_;
  store::Shard* const shard_;
  const std::unique_ptr<store::Snapshot> snapshot_;
  IndexFindings* const findings_;
  int64_t expected_ = 0;  // entries that the documents of the passed items give
  int64_t missing_ = 0;   // of these
  int64_t seen_ = 0;      // entries found of passed items
};

}  // namespace

Result<IndexFindings> CheckIndexes(const StoredContainer& container) {
  IndexFindings findings;
  const ContainerState& state = *container.state;
  for (const auto* index : {&state.index, &state.index_in_making}) {
    if (!index->has_value()) continue;
    for (const StoredPartition& partition : container.partitions) {
      LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTally(partition.store, partition.id()));
      uint64_t passed = kCreationsMax;
      if (index == &state.index_in_making) {
        LAPSE_ASSIGN_OR_RETURN(const IndexProgress progress,
                               LoadIndexProgress(partition.store, partition.id(), (*index)->id));
        if (!progress.done) passed = progress.passed;
      }
      IndexChecking checking(partition.id(), **index, tally.purged.floors, passed, partition.store, &findings);
      LAPSE_RETURN_IF_ERROR(checking.Run());
    }
  }
  return findings;
}

Result<IndexFindings> CheckIndexes(const Container& container) {
  StoredContainer stored;
  stored.id = container.id();
  stored.state = container.state();
  for (const auto& partition : container.partitions()) {
    stored.partitions.push_back({partition->facts(), partition->store(), partition->floors()->policy});
  }
  return CheckIndexes(stored);
}

}  // namespace lapse::engine
