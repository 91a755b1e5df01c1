#include "engine/catalog/store/policy_change.h"

#include <algorithm>
#include <utility>

#include "base/fail_point.h"
#include "base/log.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

constinit FailPoint partition_write("policy.partition_write");

void NoteBehind(const Status& failure) {
  Log(LogLevel::kError, "partitions did not take a change of their container's policy, and refuse requests until then",
      {{"error", failure.ToString()}});
}

}  // namespace

Status PolicyChange::Prepare() {
  for (const auto& partition : container_.partitions()) {
    const std::shared_ptr<const PartitionFloors> floors = partition->floors();
    Step step{partition.get(), floors->policy, floors->behind()};
    if (!step.is_behind) {
      LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, partition->CertainTally());
      LAPSE_RETURN_IF_ERROR(PassRevisions(next_.history, tally.last_sequence, &step.policy));
    }
    steps_.push_back(std::move(step));
  }
  return Status::Ok();
}

void PolicyChange::AddTo(const store::Shard* store, store::Batch* batch) const {
  for (const Step& step : steps_) {
    if (step.is_behind || step.partition->store() != store) continue;
    batch->Put(kMetaFamily, PartitionPolicyKey(step.partition->id()), EncodePartitionPolicy(step.policy));
  }
}

size_t PolicyChange::WriteOthers(const store::Shard* catalog) {
  std::map<store::Shard*, store::Batch> batches;
  for (const Step& step : steps_) {
    if (step.partition->store() == catalog || step.is_behind) continue;
    AddTo(step.partition->store(), &batches[step.partition->store()]);
  }
  for (const auto& [store, batch] : batches) {
    Status written = partition_write.Check();
    // May use the reserve of a full disk: a floor must not wait for room.
    if (written.ok()) written = store->Write(batch, store::Durability::kSync, store::Room::kReserve);
    if (written.ok()) continue;
    NoteBehind(written);
    for (Step& step : steps_) {
      if (step.partition->store() != store) continue;
      step.policy = step.partition->floors()->policy;
      step.is_behind = true;
    }
  }
  return static_cast<size_t>(
      std::count_if(steps_.begin(), steps_.end(), [](const Step& step) { return step.is_behind; }));
}

void PolicyChange::Publish() const {
  for (const Step& step : steps_) step.partition->PublishPolicy(step.policy, next_.policy_revision);
}

uint64_t PassedByAll(const Container& container) {
  uint64_t passed = container.state()->policy_revision;
  for (const auto& partition : container.partitions()) {
    passed = std::min(passed, partition->floors()->policy.revision);
  }
  return passed;
}

Result<PartitionPolicy> LoadPolicy(store::Shard* store, PartitionId partition) {
  store::PinnedValue value;
  const Status found = store->Get(kMetaFamily, PartitionPolicyKey(partition), &value);
  if (found.code() == Code::kNotFound) return Status(Code::kCorruption, "a partition has no record of its policy");
  LAPSE_RETURN_IF_ERROR(found);
  return DecodePartitionPolicy(value.view());
}

Result<PartitionPolicy> CatchUp(store::Shard* store, PartitionId partition, const ContainerState& state,
                                Sequence last_sequence) {
  LAPSE_ASSIGN_OR_RETURN(PartitionPolicy policy, LoadPolicy(store, partition));
  if (policy.revision == state.policy_revision) return policy;
  LAPSE_RETURN_IF_ERROR(PassRevisions(state.history, last_sequence, &policy));
  LAPSE_RETURN_IF_ERROR(partition_write.Check());
  store::Batch batch;
  batch.Put(kMetaFamily, PartitionPolicyKey(partition), EncodePartitionPolicy(policy));
  LAPSE_RETURN_IF_ERROR(store->Write(batch, store::Durability::kSync, store::Room::kReserve));
  return policy;
}

}  // namespace lapse::engine
