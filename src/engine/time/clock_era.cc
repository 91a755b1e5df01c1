#include "engine/time/clock_era.h"

#include <string>
#include <string_view>

#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/prefix_scan.h"

namespace lapse::engine {
namespace {

constexpr char kResetVersion = 1;

}  // namespace

Status BeginClockEra(store::Shard* shard) {
  store::Batch batch;
  batch.Put(kMetaFamily, ClockResetKey(), std::string(1, kResetVersion));
  const std::string prefix = MetaPrefix(MetaKind::kTally);
  const auto take = [&](std::string_view partition, std::string_view value) -> Status {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, DecodeTally(value));
    tally.last_sequence |= (uint64_t{1} << kEraBits) - 1;
    batch.Put(kMetaFamily, prefix + std::string(partition), EncodeTally(tally));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(store::ScanPrefix(shard, kMetaFamily, prefix, take));
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
