// The writes that share one commit of a partition. Each sees the effects of those before it in the group.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/items/item_write.h"
#include "engine/records/prices/meter.h"

namespace lapse::engine {

// One write: operations that succeed or fail together, or the deletion of a whole partition key.
struct PendingWrite {
  std::vector<ItemWrite> operations;
  AtomicWriteDone done;
  std::shared_ptr<AtomicRules> rules;     // null: none
  std::optional<LogicalKey> erases = {};  // set: there are no operations
  // Charged before `done` is called. Must live until then. Null: the write is free.
  Meter* meter = nullptr;

  size_t bytes() const;
};

// Threads: one; the partition's leader makes one per group.
class WriteGroup {
 public:
  explicit WriteGroup(std::vector<PendingWrite> writes) : writes_(std::move(writes)) {}

  // Reads ahead what the writes will need.
  void Preload(const ContainerState& state, Transaction* transaction) const;
  // Calls `visit(container and logical key, bytes)` for each operation that may grow its logical partition.
  void ForEachGrowth(ContainerId container, const std::function<void(std::string_view, size_t)>& visit) const;
  // Applies writes until the batch reaches this size, or their conditions have used up their steps. Applies at least
  // one.
  void Apply(size_t batch_bytes_max, Transaction* transaction);
  // Removes and returns the writes that were not applied, provided others were.
  std::vector<PendingWrite> TakeRest();
  // Removes and returns the writes that only read.
  std::vector<PendingWrite> TakeReads();
  // Calls every writer back with its own outcome, or with the error of the commit.
  void Answer(const Result<PartitionTally>& committed);

 private:
  std::vector<PendingWrite> writes_;
  std::vector<AtomicOutcome> outcomes_;  // of the first of writes_
};

}  // namespace lapse::engine
