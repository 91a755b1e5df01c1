// Gives some items of a partition their entries in the index that is being made, in the partition's commit order
// (docs/design/index.md).
//
// Commits keep up both indexes meanwhile. They put only the differences into the one that is being made, so what an
// item has there before its turn is a part of what its document gives, and never more.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "engine/partition/index/index_build.h"
#include "engine/partition/index/index_progress.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_entries.h"
#include "engine/records/partitions/partition_tally.h"

namespace lapse::engine {

// Threads: one; the partition's leader makes one per step.
class IndexBuildStep {
 public:
  // The transaction has not begun. Batches hold about `batch_bytes_max` of entries where an item has more of them.
  IndexBuildStep(Transaction transaction, store::Durability durability, size_t batch_bytes_max);

  // See Transaction.
  void Begin(ReadMoment moment, PartitionTally tally);
  // The partition's tally after the step. An error means that nothing is known to have happened.
  Result<PartitionTally> Commit(const IndexBuildLimit& limit);
  const IndexBuildOutcome& outcome() const { return outcome_; }

 private:
  Status AddItems(const ContainerIndex& index, const IndexBuildLimit& limit, IndexProgress* progress);
  // False: the item has more of them, for the steps to come.
  Result<bool> AddEntries(IndexId index, ItemNumber item, const IndexEntries& entries);

  PartitionId partition() const { return transaction_.partition(); }

  const store::Durability durability_;
  const size_t batch_bytes_max_;
  Transaction transaction_;
  IndexBuildOutcome outcome_;
};

}  // namespace lapse::engine
