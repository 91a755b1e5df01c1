#include "engine/partition/transaction/remove_dead.h"

#include "engine/partition/transaction/item_store.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/erasure/erased_keys.h"

namespace lapse::engine {

Result<Removed> RemoveIfDead(std::string_view head_key, const HeadRecord& head, Transaction* transaction) {
  const ttl::Lifetime& lifetime = head.lifetime;
  if (transaction->IsPurged(lifetime)) return Removed::kNothing;
  const Erasure* erasure = transaction->ErasureOf(head_key, lifetime);
  if (erasure == nullptr && !transaction->IsDead(lifetime)) return Removed::kNothing;
  LAPSE_ASSIGN_OR_RETURN(const ItemImage item, transaction->ImageBefore(head_key, head));
  const Lsn lsn = transaction->TakeLsn();
  if (erasure == nullptr || erasure->FoundDead(lifetime)) {
    LAPSE_RETURN_IF_ERROR(RemoveItem(head_key, item, ItemChange::Kind::kExpiry, lsn, transaction));
    return Removed::kExpired;
  }
  // The item counts as deleted with its key, even if it has expired since. A log that began later does not show it.
  const Sequence log_since = transaction->moment().log_since();
  const Removal removal{.why = ItemChange::Kind::kDelete,
                        .lsn = lsn,
                        .time_ms = erasure->time_ms,
                        .before_log = erasure->sequence <= log_since};
  LAPSE_RETURN_IF_ERROR(RemoveItem(head_key, item, removal, transaction));
  return Removed::kErased;
}

}  // namespace lapse::engine
