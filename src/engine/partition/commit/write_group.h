// The writes that share one commit of a partition. Each is judged against what those before it in the group leave.
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

// One write: operations that stand or fall together, or the deletion of a whole partition key.
struct PendingWrite {
  std::vector<ItemWrite> operations;
  AtomicWriteDone done;
  std::shared_ptr<AtomicRules> rules;     // null: none
  std::optional<LogicalKey> erases = {};  // then there are no operations
  // Charged before `done` is called, until when it must live. Null: the write is free.
  MeterInterface* meter = nullptr;

  size_t bytes() const;
};

// Threads: one; the partition's leader makes one per group.
class WriteGroup {
 public:
  explicit WriteGroup(std::vector<PendingWrite> writes) : writes_(std::move(writes)) {}

  // Reads what the writes will look at.
  void Preload(const ContainerState& state, Transaction* transaction) const;
  // Calls `visit(container and logical key, bytes)` for each operation that may make its logical partition larger.
  void ForEachGrowth(ContainerId container, const std::function<void(std::string_view, size_t)>& visit) const;
  // Applies them until the batch has got this large, or conditions have taken their steps; one at least.
  void Apply(size_t batch_bytes_max, Transaction* transaction);
  // Those that did not get their turn, when others did.
  std::vector<PendingWrite> TakeRest();
  // Those that only read.
  std::vector<PendingWrite> TakeReads();
  // Calls every writer back, with its own verdict or with the error of the commit.
  void Answer(const Result<PartitionTally>& committed);

 private:
  std::vector<PendingWrite> writes_;
  std::vector<AtomicOutcome> outcomes_;  // of the first ones
};

}  // namespace lapse::engine
