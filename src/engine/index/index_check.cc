#include "engine/index/index_check.h"

#include <memory>
#include <optional>
#include <string_view>

#include "engine/catalog/container.h"
#include "engine/commit/partition.h"
#include "engine/commit/partition_tally.h"
#include "engine/families.h"
#include "engine/index/index_entries.h"
#include "engine/index/index_progress.h"
#include "engine/index/index_value.h"
#include "engine/items/item_keys.h"
#include "engine/items/item_records.h"
#include "engine/key_bytes.h"

namespace lapse::engine {
namespace {

// Whether the value is one that an entry may have: one, or the parts of a composite.
bool IsReadable(std::string_view value, const IndexedPaths::Composite* composite) {
  IndexValue part;
  if (composite == nullptr) return TakeIndexValue(&value, &part) && value.empty();
  for (const IndexingDefinition::CompositePath& path : composite->paths) {
    std::string bytes(value);
    if (path.descending) InvertBytes(&bytes, 0);
    std::string_view rest = bytes;
    if (!TakeIndexValue(&rest, &part)) return false;
    value.remove_prefix(bytes.size() - rest.size());
  }
  return value.empty();
}

// One index in one partition.
class Checking {
 public:
  Checking(PartitionId partition, const ContainerIndex& index, const ttl::Floors& purged, uint64_t passed,
           store::Shard* shard, IndexFindings* findings)
      : partition_(partition),
        index_(index),
        purged_(purged),
        passed_(passed),
        shard_(shard),
        snapshot_(shard->NewSnapshot()),
        findings_(findings) {}

  // Each item has its entries.
  Status CheckItems() {
    store::IterateOptions bounds;
    bounds.lower = RecordKey(partition_.container, MakeItemNumber(partition_.number, 0));
    bounds.upper = PrefixEnd(RecordKey(partition_.container, MakeItemNumber(partition_.number, kCreationsMax)));
    bounds.snapshot = snapshot_.get();
    const std::unique_ptr<store::Iterator> records = shard_->NewIterator(kRecordFamily, bounds);
    for (records->SeekToFirst(); records->Valid(); records->Next()) {
      HeadRecord head;
      LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
      if (purged_.Covers(head.lifetime)) continue;
      LAPSE_ASSIGN_OR_RETURN(const IndexEntries entries, EntriesBy(head));
      ++findings_->items;
      findings_->entries += static_cast<int64_t>(entries.size());
      if (CreationOf(head.number) > passed_) continue;
      for (size_t i = 0; i < entries.size(); ++i) LAPSE_RETURN_IF_ERROR(Expect(entries[i], head.number));
    }
    return records->status();
  }

  // Each entry is one of its item's.
  Status CheckEntries() {
    store::IterateOptions bounds;
    bounds.lower = IndexPrefix(index_.id, partition_.number);
    bounds.upper = PrefixEnd(bounds.lower);
    bounds.snapshot = snapshot_.get();
    const std::unique_ptr<store::Iterator> entries = shard_->NewIterator(kIndexFamily, bounds);
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      LAPSE_RETURN_IF_ERROR(CheckEntry(entries->key()));
    }
    return entries->status();
  }

 private:
  Status CheckEntry(std::string_view key) {
    IndexKeyParts parts;
    if (!SplitIndexKey(key, &parts)) return {Code::kCorruption, "malformed entry of an index"};
    LAPSE_ASSIGN_OR_RETURN(const std::optional<HeadRecord> head, Find(parts.item));
    if (!head.has_value()) {
      ++findings_->of_gone_items;
      return Status::Ok();
    }
    LAPSE_ASSIGN_OR_RETURN(const IndexEntries right, EntriesBy(*head));
    const std::string_view entry = key.substr(kIndexPrefixBytes, key.size() - kIndexPrefixBytes - kCreationBytes);
    const bool readable = parts.path == kRootPath || IsReadable(parts.value, CompositeAt(parts.path));
    if (readable && right.Contains(entry)) return Status::Ok();
    ++findings_->wrong;
    Note("wrong", entry, parts.item);
    return Status::Ok();
  }

  Status Expect(std::string_view entry, ItemNumber item) {
    store::PinnedValue value;
    const Status found =
        shard_->Get(kIndexFamily, IndexKey(index_.id, entry, item), &value, {.snapshot = snapshot_.get()});
    if (found.code() != Code::kNotFound) return found;
    ++findings_->missing;
    Note("missing", entry, item);
    return Status::Ok();
  }

  // Nothing: the item is gone.
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

  const IndexedPaths::Composite* CompositeAt(const PathNumber& path) const {
    for (const IndexedPaths::Composite& composite : index_.paths->composites()) {
      if (composite.number == path) return &composite;
    }
    return nullptr;
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
};

}  // namespace

Result<IndexFindings> CheckIndexes(const Container& container, store::Shard* shard) {
  IndexFindings findings;
  const std::shared_ptr<const ContainerState> state = container.state();
  for (const auto* index : {&state->index, &state->index_in_making}) {
    if (!index->has_value()) continue;
    for (const auto& partition : container.partitions()) {
      LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTally(shard, partition->id()));
      uint64_t passed = kCreationsMax;
      if (index == &state->index_in_making) {
        LAPSE_ASSIGN_OR_RETURN(const IndexProgress progress, LoadIndexProgress(shard, partition->id(), (*index)->id));
        if (!progress.done) passed = progress.passed;
      }
      Checking checking(partition->id(), **index, tally.purged.floors, passed, shard, &findings);
      LAPSE_RETURN_IF_ERROR(checking.CheckItems());
      LAPSE_RETURN_IF_ERROR(checking.CheckEntries());
    }
  }
  return findings;
}

}  // namespace lapse::engine
