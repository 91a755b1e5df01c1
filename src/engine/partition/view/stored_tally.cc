#include "engine/partition/view/stored_tally.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/records/erasure/erased_keys.h"
#include "engine/records/erasure/erasure.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

// Logical keys are self-delimiting, so the store's key order is that of logical key and sequence.
Result<ErasedKeysPtr> LoadErasedKeys(store::Shard* store, PartitionId partition, size_t expected,
                                     const store::Snapshot* snapshot) {
  std::vector<std::shared_ptr<const Erasure>> erasures;
  store::IterateOptions bounds;
  bounds.lower = ErasuresOf(partition);
  bounds.upper = PrefixEnd(bounds.lower);
  bounds.snapshot = snapshot;
  const std::unique_ptr<store::Iterator> stored = store->NewIterator(kErasedFamily, bounds);
  for (stored->SeekToFirst(); stored->Valid(); stored->Next()) {
    LAPSE_ASSIGN_OR_RETURN(Erasure erasure, DecodeErasure(stored->key(), stored->value()));
    erasures.push_back(std::make_shared<const Erasure>(std::move(erasure)));
  }
  LAPSE_RETURN_IF_ERROR(stored->status());
  if (erasures.size() != expected) {
    return Status(Code::kCorruption, "a partition has not as many erasures as its tally says");
  }
  return ErasedKeys::FromSorted(std::move(erasures));
}

Result<PartitionTally> Load(store::Shard* store, PartitionId partition, const store::Snapshot* snapshot) {
  store::PinnedValue value;
  const Status found = store->Get(kMetaFamily, PartitionTallyKey(partition), &value, {.snapshot = snapshot});
  if (found.code() == Code::kNotFound) return Status(Code::kNotFound, "the container was deleted");
  LAPSE_RETURN_IF_ERROR(found);
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, DecodeTally(value.view()));
  if (tally.erasures == 0) return tally;
  LAPSE_ASSIGN_OR_RETURN(tally.erased, LoadErasedKeys(store, partition, tally.erasures, snapshot));
  return tally;
}

}  // namespace

Result<PartitionTally> LoadTally(store::Shard* store, PartitionId partition) {
  return Load(store, partition, nullptr);
}

Result<PartitionTally> LoadTallyAt(const store::Snapshot& snapshot, store::Shard* store, PartitionId partition) {
  return Load(store, partition, &snapshot);
}

}  // namespace lapse::engine
