#include "engine/partition/erasure/erase_key.h"

#include <utility>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {

AtomicOutcome EraseKey(const LogicalKey& key, Transaction* transaction) {
  PartitionTally& tally = transaction->tally();
  AtomicOutcome outcome;
  if (tally.erasures >= kErasuresMax) {
    outcome.milli_ru.push_back(RefusedMilliRu(Code::kThrottled));
    outcome.status = Status(Code::kThrottled, "too many partition keys were deleted whose records are still there");
    return outcome;
  }
  const PartitionId partition = transaction->partition();
  Erasure erasure;
  erasure.prefix = MemberPrefix(partition.container, key);
  erasure.sequence = transaction->TakeSequence();
  erasure.time_ms = transaction->now_ms();
  erasure.policy = transaction->state().policy;
  erasure.dead = transaction->moment().dead();
  transaction->Put(kErasedFamily, ErasureKey(partition, erasure.prefix, erasure.sequence), EncodeErasure(erasure));
  tally.SetErased(ErasedKeys::With(tally.erased, std::move(erasure)));

  ItemWritten written;
  written.meta.lsn = transaction->TakeLsn();
  written.milli_ru = kDeleteMilliRu;
  outcome.milli_ru.push_back(written.milli_ru);
  outcome.written.push_back(std::move(written));
  return outcome;
}

}  // namespace lapse::engine
