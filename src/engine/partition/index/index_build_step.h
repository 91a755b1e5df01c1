// Adds the entries of some items of a partition to the index being built, serialized with the partition's commits
// (docs/design/index.md).
//
// Meanwhile commits maintain both indexes. They put only differences into the index being built. So before its turn, an
// item has there a subset of the entries of its document, and never others.
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
  // `transaction` must not have begun. The entries of one item are split into batches of about `batch_bytes_max` if
  // they exceed it.
  IndexBuildStep(Transaction transaction, store::Durability durability, size_t batch_bytes_max);

  // See Transaction.
  void Begin(ReadMoment moment, PartitionTally tally);
  // Returns the partition's tally after the step. After an error it is unknown what was written.
  Result<PartitionTally> Commit(const IndexBuildLimit& limit);
  const IndexBuildOutcome& outcome() const { return outcome_; }

 private:
  Status AddItems(const ContainerIndex& index, const IndexBuildLimit& limit, IndexProgress* progress);
  // Returns false if the item has more entries, which are left to later steps.
  Result<bool> AddEntries(IndexId index, ItemNumber item, const IndexEntries& entries);

  PartitionId partition() const { return transaction_.partition(); }

  const store::Durability durability_;
  const size_t batch_bytes_max_;
  Transaction transaction_;
  IndexBuildOutcome outcome_;
};

}  // namespace lapse::engine
