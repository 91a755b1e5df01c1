// The part of the catalog's store that changes definitions and policies of containers.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/log.h"
#include "engine/catalog/store/catalog_store.h"
#include "engine/catalog/store/policy_change.h"
#include "engine/catalog/store/stored_contents.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/index/indexed_paths.h"
#include "engine/shard/partitions/commit_gate.h"

namespace lapse::engine {
namespace {

bool IsEmpty(const Container& container) {
  for (const auto& partition : container.partitions()) {
    if (partition->tally().creations > 0) return false;
  }
  return true;
}

// Returns the state after the change. `passed_by_all`: see PassedByAll.
std::shared_ptr<ContainerState> StateAfter(const ContainerState& before, ContainerChange change, int64_t now_ms,
                                           uint64_t passed_by_all, const Derivation* derivation) {
  auto next = std::make_shared<ContainerState>(before);
  next->policy.default_ttl = change.default_ttl;
  const bool log_begins = !before.keeps_changes() && change.change_log_retention_s > 0;
  if (log_begins || next->policy != before.policy) {
    ++next->policy_revision;
    next->history.Add(
        {.revision = next->policy_revision, .from_ms = now_ms, .policy = next->policy, .log_begins = log_begins},
        passed_by_all);
  }
  next->definition.default_ttl = change.default_ttl;
  next->definition.change_log_retention_s = change.change_log_retention_s;
  next->definition.properties = std::move(change.properties);
  next->definition.indexing = std::move(change.indexing);
  next->indexed =
      std::make_shared<const IndexedPaths>(next->definition.indexing, next->definition.lifetime_property, derivation);
  next->ts_s = now_ms / 1000;
  ++next->revision;
  return next;
}

}  // namespace

Result<ContainerPtr> CatalogStore::ReplaceContainer(std::string_view database, std::string_view name,
                                                    ContainerChange change, RevisionCondition condition) {
  std::lock_guard lock(change_mutex_);
  LAPSE_RETURN_IF_ERROR(SettleLocked());
  LAPSE_ASSIGN_OR_RETURN(ContainerPtr container, view_->Known(database, name));
  const std::shared_ptr<const ContainerState> before = container->state();
  if (condition != 0 && condition != before->revision) {
    return Status(Code::kPreconditionFailed, "the container's definition has changed");
  }

  // No commit happens between the moment that the floors are for and their publication, and readers of the container
  // see no later second meanwhile.
  CommitGate::Closed closed(&container->context().gate());
  const HeldSecond moment(clock_, &container->context().second_hold());
  const std::shared_ptr<ContainerState> next =
      StateAfter(*before, std::move(change), moment.now_ms(), PassedByAll(*container), options_.derivation);
  if (!next->indexed->knows_rules()) return UnknownRule();
  PolicyChange policy(*container, *next);
  LAPSE_RETURN_IF_ERROR(policy.Prepare());
  CatalogState catalog = *view_->state();
  std::vector<IndexId> given_up;
  ChangeIndexes(IsEmpty(*container), next.get(), &catalog.ids, &given_up);
  AddIndexes(*next, container->id());
  store::Batch batch;
  batch.Put(kMetaFamily, IdCounterKey(), EncodeIdCounters(catalog.ids));
  batch.Put(kMetaFamily, ContainerKey(container->id()), EncodeContainer(container->database(), *next));
  if (next->policy_revision != before->policy_revision) policy.AddTo(store_, &batch);
  // Synced whatever the user chose: items that readers saw expired by the old policy must not reappear after a crash.
  LAPSE_RETURN_IF_ERROR(Write(batch, store::Durability::kSync, store::Room::kOrdinary));
  view_->Publish(std::move(catalog));
  if (next->policy_revision != before->policy_revision) {
    partitions_behind_ += policy.WriteOthers(store_);
    policy.Publish();
  }
  container->context().Publish(next);
  GiveUp(*container, given_up);
  WakeBackground(*container);
  return container;
}

void CatalogStore::CompletePolicies() {
  if (partitions_behind_ == 0) return;
  partitions_behind_ = 0;
  view_->state()->ForEachContainer([this](const ContainerPtr& container) { CompletePolicies(*container); });
}

// A partition that is behind has committed nothing since the first change that it missed, so its last sequence number
// is still the one of that time.
void CatalogStore::CompletePolicies(const Container& container) {
  const std::shared_ptr<const ContainerState> state = container.state();
  if (!state->Check().ok()) return;
  for (const auto& partition : container.partitions()) {
    if (!partition->floors()->behind()) continue;
    CommitGate::Closed closed(&container.context().gate());
    const Result<PartitionTally> tally = partition->CertainTally();
    Result<PartitionPolicy> policy =
        tally.ok() ? CatchUp(partition->store(), partition->id(), *state, tally->last_sequence) : tally.status();
    if (!policy.ok()) {
      ++partitions_behind_;
      continue;
    }
    partition->PublishPolicy(*std::move(policy), state->policy_revision);
    partition->AskForSweep();
    Log(LogLevel::kInfo, "a partition has taken the changes of its container's policy that it had missed",
        {{"container", static_cast<int64_t>(container.id())},
         {"partition", static_cast<int64_t>(partition->number())}});
  }
}

}  // namespace lapse::engine
