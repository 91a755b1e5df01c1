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
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/partitions/commit_parts.h"

namespace lapse::engine {

// Threads: one; the partition's leader makes one per step.
class IndexBuildStep {
 public:
  IndexBuildStep(PartitionId partition, const CommitParts& parts, IndexMemory* index_memory);

  // See Transaction.
  void Begin(int64_t now_ms, std::shared_ptr<const ContainerState> state, PartitionTally tally);
  // The partition's tally after the step. An error means that nothing is known to have happened.
  Result<PartitionTally> Commit(const IndexBuildLimit& limit);
  const IndexBuildOutcome& outcome() const { return outcome_; }

 private:
  Status AddItems(const ContainerIndex& index, const IndexBuildLimit& limit, IndexProgress* progress);
  // False: the item has more of them, for the steps to come.
  Result<bool> AddEntries(IndexId index, ItemNumber item, const IndexEntries& entries);

  const PartitionId partition_;
  const CommitParts parts_;
  Transaction transaction_;
  IndexBuildOutcome outcome_;
};

}  // namespace lapse::engine
