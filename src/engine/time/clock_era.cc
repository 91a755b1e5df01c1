#include "engine/time/clock_era.h"

#include <memory>
#include <string>

#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/tally/partition_tally.h"

namespace lapse::engine {
namespace {

constexpr char kResetVersion = 1;

}  // namespace

Status BeginClockEra(store::Shard* shard) {
  store::Batch batch;
  batch.Put(kMetaFamily, ClockResetKey(), std::string(1, kResetVersion));
  store::IterateOptions tallies;
  tallies.lower = MetaPrefix(MetaKind::kTally);
  tallies.upper = PrefixEnd(tallies.lower);
  std::unique_ptr<store::Iterator> found = shard->NewIterator(kMetaFamily, tallies);
  for (found->SeekToFirst(); found->Valid(); found->Next()) {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, DecodeTally(found->value()));
    tally.last_sequence |= (uint64_t{1} << kEraBits) - 1;
    batch.Put(kMetaFamily, found->key(), EncodeTally(tally));
  }
  LAPSE_RETURN_IF_ERROR(found->status());
  return shard->Write(batch, store::Durability::kSync);
}

Result<bool> ClockWasReset(store::Shard* shard) {
  store::PinnedValue value;
  Status found = shard->Get(kMetaFamily, ClockResetKey(), &value);
  if (found.code() == Code::kNotFound) return false;
  LAPSE_RETURN_IF_ERROR(found);
  return true;
}

}  // namespace lapse::engine
