// How the partitions of a container follow a change of its policy, whichever stores they are in.
//
// The record of a partition names the revision of the policy that its floors belong to. A record in the catalog's store
// is written in the catalog's batch, any other after it. A partition whose record was not written, or may not have
// been, is behind: it answers 503 and commits nothing until it has caught up with the revisions that it missed.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_policy.h"
#include "engine/shard/partitions/partition.h"
#include "store/batch.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: one. The container's gate must be closed and its second held from before the first call to after the last.
class PolicyChange {
 public:
  // Changes to the policy of this state, whose history must name it. Both must outlive it.
  PolicyChange(const Container& container, const ContainerState& next) : container_(container), next_(next) {}

  // Computes what each partition has to write. Fails, changing nothing, if the newest sequence number of a partition is
  // unknown.
  Status Prepare();
  // Adds the records of the partitions in this store.
  void AddTo(const store::Shard* store, store::Batch* batch) const;
  // Writes the records of all other partitions. To be called only after the catalog has the policy. Returns how many
  // partitions are behind now.
  size_t WriteOthers(const store::Shard* catalog);
  // Publishes the floors. To be called before the policy is published.
  void Publish() const;

 private:
  struct Step {
    Partition* partition;
    PartitionPolicy policy;  // as the store has it, or will have it
    bool is_behind = false;  // and stays behind
  };

  const Container& container_;
  const ContainerState& next_;
  std::vector<Step> steps_;
};

// The lowest policy revision among the container's partitions.
uint64_t PassedByAll(const Container& container);

// Loads the record of the partition's policy. Fails: kCorruption, and with the store's errors.
Result<PartitionPolicy> LoadPolicy(store::Shard* store, PartitionId partition);
// Lets the partition catch up with all revisions up to that of the state, and writes its record if that changes
// anything. Nothing may be committed to the partition meanwhile. Fails with the store's errors.
Result<PartitionPolicy> CatchUp(store::Shard* store, PartitionId partition, const ContainerState& state,
                                Sequence last_sequence);

}  // namespace lapse::engine
