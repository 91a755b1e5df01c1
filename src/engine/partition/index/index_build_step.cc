#include "engine/partition/index/index_build_step.h"

#include <utility>

#include "base/fail_point.h"
#include "engine/partition/reads/body_cursor.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {
namespace {

// Purged items that a step skips, at little cost.
constexpr int64_t kPassedMax = 16'384;

constinit FailPoint step_written("index.step_written");

}  // namespace

IndexBuildStep::IndexBuildStep(Transaction transaction, store::Durability durability, size_t batch_bytes_max)
    : durability_(durability), batch_bytes_max_(batch_bytes_max), transaction_(std::move(transaction)) {}

void IndexBuildStep::Begin(ReadMoment moment, PartitionTally tally) {
  transaction_.Begin(std::move(moment), std::move(tally));
}

Result<PartitionTally> IndexBuildStep::Commit(const IndexBuildLimit& limit) {
  const std::optional<ContainerIndex>& index = transaction_.state().index_in_making;
  if (!index.has_value()) return transaction_.tally();
  outcome_.index = index->id;
  LAPSE_ASSIGN_OR_RETURN(IndexProgress progress, LoadIndexProgress(transaction_.store(), partition(), index->id));
  if (!progress.done) {
    LAPSE_RETURN_IF_ERROR(AddItems(*index, limit, &progress));
    transaction_.Put(kMetaFamily, IndexBuildKey(partition(), index->id), EncodeIndexProgress(progress));
    LAPSE_RETURN_IF_ERROR(transaction_.Write(durability_, store::Room::kOrdinary));
    LAPSE_RETURN_IF_ERROR(step_written.Check());
  }
  outcome_.done = progress.done;
  return transaction_.tally();
}

// Includes items that have expired and are not purged: after a clock reset they may live again.
Status IndexBuildStep::AddItems(const ContainerIndex& index, const IndexBuildLimit& limit, IndexProgress* progress) {
  store::Shard* shard = transaction_.store();
  const std::unique_ptr<store::Snapshot> snapshot = shard->NewSnapshot();
  store::IterateOptions bounds;
  bounds.lower = RecordKey(partition().container, MakeItemNumber(partition().number, progress->passed + 1));
  bounds.upper = PrefixEnd(RecordKey(partition().container, MakeItemNumber(partition().number, kCreationsMax)));
  bounds.snapshot = snapshot.get();
  bounds.fill_cache = false;
  const std::unique_ptr<store::Iterator> records = shard->NewIterator(kRecordFamily, bounds);
  BodyCursor bodies(shard, *snapshot, partition().container);
  int64_t passed = 0;
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    const bool enough = outcome_.items >= limit.items_max || transaction_.bytes() >= limit.batch_bytes_max;
    if (enough || passed++ >= kPassedMax) return Status::Ok();
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
    if (!transaction_.IsPurged(head.lifetime)) {
      BodyRecord body;
      LAPSE_RETURN_IF_ERROR(bodies.Find(head, &body));
      const IndexEntries entries = index.paths->MakeEntries(body.document, head.indexing);
      LAPSE_ASSIGN_OR_RETURN(const bool whole, AddEntries(index.id, head.number, entries));
      ++outcome_.items;
      if (!whole) return Status::Ok();
    }
    progress->passed = CreationOf(head.number);
  }
  LAPSE_RETURN_IF_ERROR(records->status());
  progress->done = true;
  return Status::Ok();
}

// Derived values can make the entries far larger than the document. To keep batches small, each step puts some of them
// and skips those that are stored already. Until its last step, an item has a subset of its entries, as before its
// turn.
Result<bool> IndexBuildStep::AddEntries(IndexId index, ItemNumber item, const IndexEntries& entries) {
  const bool in_steps = entries.bytes() > batch_bytes_max_;
  store::PinnedValue value;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string key = IndexKey(index, entries[i], item);
    if (in_steps) {
      if (transaction_.bytes() >= batch_bytes_max_) return false;
      const Status found = transaction_.store()->Get(kIndexFamily, key, &value);
      if (found.ok()) continue;
      if (found.code() != Code::kNotFound) return found;
    }
    transaction_.Put(kIndexFamily, key, {});
  }
  return true;
}

}  // namespace lapse::engine
