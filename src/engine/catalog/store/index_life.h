// The life of a container's indexes: which ones its definition asks for, and when a newly built one is put in use.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/records/definitions/catalog_records.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"

namespace lapse::engine {

// Brings the indexes of a state in line with its definition. Appends those that are given up. `is_empty`: the container
// never had an item, so that a new index is complete at once. Returns the id of a new index, if there is one.
std::optional<IndexId> ChangeIndexes(bool is_empty, ContainerState* state, IdCounters* ids,
                                     std::vector<IndexId>* given_up);

// The indexes that `before` has and `after` has not.
std::vector<IndexId> IndexesOnlyIn(const ContainerState& before, const ContainerState& after);

// The partitions in which each index being built is complete. Threads: any.
class WholeIndexes {
 public:
  // Returns in how many partitions the index is complete now.
  size_t Note(PartitionId partition, IndexId index);
  void Forget(ContainerId container);

 private:
  std::mutex mutex_;
  std::map<ContainerId, std::map<PartitionNumber, IndexId>> whole_;  // guarded by mutex_
};

}  // namespace lapse::engine
