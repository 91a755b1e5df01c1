#include "engine/partition/erasure/erasure_step.h"

#include <memory>
#include <string_view>
#include <utility>

#include "engine/partition/transaction/remove_dead.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {
namespace {

class Step {
 public:
  Step(const ErasureLimit& limit, ErasurePosition* position, Transaction* transaction)
      : left_(limit), position_(position), transaction_(transaction) {}

  Result<int64_t> Run() {
    const int64_t items_max = left_.items_max;
    for (bool first = true; HasRoom() && Choose(first); first = false) {
      LAPSE_ASSIGN_OR_RETURN(const bool to_the_end, WalkKey());
      if (!to_the_end) break;
      RemoveErasures();
      --left_.heads_max;
    }
    return items_max - left_.items_max;
  }

 private:
  bool HasRoom() const {
    return left_.items_max > 0 && left_.heads_max > 0 && transaction_->bytes() < left_.batch_bytes_max;
  }

  // Chooses the key being walked, or the next one. Only the first choice of a step may wrap around to an earlier key:
  // the walk reads the store, which does not reflect what this step has removed.
  bool Choose(bool first) {
    const ErasedKeysPtr& erased = transaction_->tally().erased;
    if (erased == nullptr) return false;
    if (position_->up_to > 0 && erased->UpTo(position_->prefix) > 0) return true;
    std::string_view next = erased->KeyBehind(position_->prefix);
    if (next.empty() && first) next = erased->FirstKey();
    if (next.empty()) return false;
    *position_ = {.prefix = std::string(next), .up_to = erased->UpTo(next), .after = {}};
    return true;
  }

  // Returns true if the walk reached the end of the key.
  Result<bool> WalkKey() {
    store::IterateOptions bounds;
    bounds.lower = position_->after.empty() ? position_->prefix : position_->after + '\0';
    bounds.upper = PrefixEnd(position_->prefix);
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> heads = transaction_->store()->NewIterator(kHeadFamily, bounds);
    for (heads->SeekToFirst(); heads->Valid(); heads->Next()) {
      if (!HasRoom()) return false;
      --left_.heads_max;
      HeadRecord head;
      LAPSE_RETURN_IF_ERROR(DecodeHead(heads->value(), &head));
      position_->after = heads->key();
      if (head.lifetime.sequence > position_->up_to) continue;
      LAPSE_ASSIGN_OR_RETURN(const Removed removed, RemoveIfDead(position_->after, head, transaction_));
      if (removed != Removed::kNothing) --left_.items_max;
    }
    LAPSE_RETURN_IF_ERROR(heads->status());
    return true;
  }

  // Removes the key's erasures that existed when the walk began. A later erasure may cover items behind the walk.
  void RemoveErasures() {
    PartitionTally& tally = transaction_->tally();
    for (const auto& erasure : tally.erased->OfKey(position_->prefix)) {
      if (erasure->sequence > position_->up_to) break;
      transaction_->Delete(kErasedFamily, ErasureKey(transaction_->partition(), position_->prefix, erasure->sequence));
    }
    tally.SetErased(ErasedKeys::Without(tally.erased, position_->prefix, position_->up_to));
    position_->up_to = 0;
    position_->after.clear();
  }

  ErasureLimit left_;
  ErasurePosition* const position_;
  Transaction* const transaction_;
};

}  // namespace

Result<int64_t> EraseSome(const ErasureLimit& limit, ErasurePosition* position, Transaction* transaction) {
  return Step(limit, position, transaction).Run();
}

}  // namespace lapse::engine
