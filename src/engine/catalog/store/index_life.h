// The life of a container's indexes: which its definition asks for, and when one that is built takes over.
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

// Makes the indexes of a state what its definition asks for. Appends those that are given up. `is_empty`: there was
// never an item, so that a new index is whole at once. Returns the id of a new index, if there is one.
std::optional<IndexId> ChangeIndexes(bool is_empty, ContainerState* state, IdCounters* ids,
                                     std::vector<IndexId>* given_up);

// The indexes that one state has and the one after it has no more.
std::vector<IndexId> IndexesOnlyIn(const ContainerState& before, const ContainerState& after);

// In which partitions the indexes that are being built are whole. Threads: any.
class WholeIndexes {
 public:
  // Returns in how many partitions the index is whole now.
  size_t Note(PartitionId partition, IndexId index);
  void Forget(ContainerId container);

 private:
  std::mutex mutex_;
  std::map<ContainerId, std::map<PartitionNumber, IndexId>> whole_;  // guarded by mutex_
};

}  // namespace lapse::engine
