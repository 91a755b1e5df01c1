#include "engine/partition/commit/write_group.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "engine/partition/commit/apply_write.h"
#include "engine/partition/erasure/erase_key.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

// Returns about how much the operation can add to a document.
size_t BroughtBytes(const ItemWrite& operation) {
  constexpr size_t kAroundValue = 16;  // its type, the end of its name, the growth of a number
  size_t bytes = operation.bytes();
  for (const doc::Edit& edit : operation.patch.edits) {
    bytes += kAroundValue + (edit.path.names().empty() ? 0 : edit.path.names().back().size());
  }
  return bytes;
}

}  // namespace

size_t PendingWrite::bytes() const {
  size_t bytes = 0;
  for (const ItemWrite& operation : operations) bytes += operation.bytes();
  return bytes;
}

void WriteGroup::Preload(const ContainerState& state, Transaction* transaction) const {
  for (const PendingWrite& write : writes_) {
    for (const ItemWrite& operation : write.operations) {
      if (!operation.refusal.ok()) break;  // neither it nor what follows will be applied
      const std::string head_key = HeadKey(transaction->partition().container, operation.address);
      transaction->PreloadItem(head_key, state, DocumentBeforeFor(operation));
      if (operation.document.empty()) continue;
      for (const Follower* follower : transaction->followers()) {
        follower->Preload(state, head_key, operation.document, transaction);
      }
    }
  }
}

void WriteGroup::ForEachGrowth(ContainerId container,
                               const std::function<void(std::string_view, size_t)>& visit) const {
  for (const PendingWrite& write : writes_) {
    for (const ItemWrite& operation : write.operations) {
      if (!operation.refusal.ok()) break;
      const size_t bytes = BroughtBytes(operation);
      if (bytes > 0) visit(MemberPrefix(container, operation.address.key), bytes);
    }
  }
}

// Counts what really goes into the batch, including the images for the change log. What was read counts, too, since it
// is held until the writers are answered.
void WriteGroup::Apply(size_t batch_bytes_max, Transaction* transaction) {
  outcomes_.reserve(writes_.size());
  size_t read_bytes = 0;
  uint64_t condition_steps = 0;
  for (const PendingWrite& write : writes_) {
    if (transaction->bytes() + read_bytes >= batch_bytes_max && !outcomes_.empty()) break;
    if (condition_steps >= kConditionStepsMax) break;
    outcomes_.push_back(write.erases.has_value() ? EraseKey(*write.erases, transaction)
                                                 : ApplyWrite(write.operations, write.rules.get(), transaction));
    condition_steps += outcomes_.back().condition_steps;
    for (const ItemWritten& one : outcomes_.back().written) read_bytes += one.document.size();
  }
}

std::vector<PendingWrite> WriteGroup::TakeRest() {
  if (outcomes_.empty()) return {};  // the commit failed before any write was applied: all get its error
  const auto first = writes_.begin() + static_cast<ptrdiff_t>(outcomes_.size());
  std::vector<PendingWrite> rest(std::make_move_iterator(first), std::make_move_iterator(writes_.end()));
  writes_.erase(first, writes_.end());
  return rest;
}

std::vector<PendingWrite> WriteGroup::TakeReads() {
  const auto only_reads = [](const PendingWrite& write) {
    return !write.erases.has_value() &&
           std::all_of(write.operations.begin(), write.operations.end(),
                       [](const ItemWrite& operation) { return operation.kind == WriteKind::kRead; });
  };
  const auto first = std::stable_partition(writes_.begin(), writes_.end(), std::not_fn(only_reads));
  std::vector<PendingWrite> reads(std::make_move_iterator(first), std::make_move_iterator(writes_.end()));
  writes_.erase(first, writes_.end());
  return reads;
}

void WriteGroup::Answer(const Result<PartitionTally>& committed) {
  for (size_t i = 0; i < writes_.size(); ++i) {
    PendingWrite write = std::move(writes_[i]);
    AtomicOutcome outcome;
    if (committed.ok()) {
      outcome = std::move(outcomes_[i]);
    } else {
      outcome.status = committed.status();
      outcome.failed_at = write.operations.size();
    }
    for (size_t operation = 0; operation < outcome.written.size(); ++operation) {
      outcome.written[operation].partition_lsn = committed->last_lsn;
      if (write.erases.has_value() || HasOwnDocument(write.operations[operation])) continue;
      outcome.written[operation].document = std::move(write.operations[operation].document);
    }
    if (write.meter != nullptr) {
      write.meter->Charge(std::accumulate(outcome.milli_ru.begin(), outcome.milli_ru.end(), int64_t{0}));
    }
    write.done(std::move(outcome));
  }
}

}  // namespace lapse::engine
