// How the partitions of a container follow a change of its policy, wherever their stores are.
//
// The record of a partition names the revision of the policy that its floors belong to. Where it lies in the catalog's
// store it is written in the catalog's batch, otherwise after it. A partition whose record was not written, or maybe
// not, is behind: it answers 503 and commits nothing until it has passed the revisions that it missed.
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

// Threads: one, with the container's gate closed and its second held, from before the first call to after the last.
class PolicyChange {
 public:
  // To the policy of this state, which its history names. Both must outlive it.
  PolicyChange(const Container& container, const ContainerState& next) : container_(container), next_(next) {}

  // Computes what each partition is to write. Fails, with nothing changed, if the newest sequence number of one is not
  // known.
  Status Prepare();
  // Adds the records of the partitions in this store.
  void AddTo(const store::Shard* store, store::Batch* batch) const;
  // Writes those of all others; only after the catalog has the policy. Returns how many partitions are behind now.
  size_t WriteOthers(const store::Shard* catalog);
  // Publishes the floors; before the policy.
  void Publish() const;

 private:
  struct Step {
    Partition* partition;
    PartitionPolicy policy;  // as the store has it, or will have it
    bool is_behind = false;  // and stays so
  };

  const Container& container_;
  const ContainerState& next_;
  std::vector<Step> steps_;
};

// The least revision of the policy that all partitions have passed.
uint64_t PassedByAll(const Container& container);

// The record of the partition's policy. Fails: kCorruption, what the store says.
Result<PartitionPolicy> LoadPolicy(store::Shard* store, PartitionId partition);
// Has the partition pass all revisions up to that of the state, and writes its record where that changes anything.
// Nothing may be committed to it meanwhile. Fails with what the store says.
Result<PartitionPolicy> CatchUp(store::Shard* store, PartitionId partition, const ContainerState& state,
                                Sequence last_sequence);

}  // namespace lapse::engine
