#include "engine/check/item_check.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doc/json.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/partitions/partition_policy.h"
#include "engine/records/partitions/partition_tally.h"
#include "engine/records/unique_keys/unique_entry.h"
#include "engine/records/unique_keys/unique_values.h"
#include "ttl/policy.h"

namespace lapse::engine {
namespace {

// Deeper than any API accepts.
constexpr int kDepthMax = 1024;

std::string TextOf(const Count& count) {
  return std::to_string(count.items) + " items with " + std::to_string(count.bytes) + " bytes";
}

// Checks one partition.
class ItemChecking {
 public:
  ItemChecking(const StoredContainer& container, const StoredPartition& partition, const PartitionTally& tally,
               const PartitionPolicy& policy, const store::Snapshot* snapshot, Findings* findings)
      : container_(container),
        partition_(partition.id()),
        tally_(tally),
        policy_(policy),
        shard_(partition.store),
        snapshot_(snapshot),
        findings_(findings) {}

  Result<Count> Run() {
    store::IterateOptions bounds;
    bounds.lower = RecordKey(partition_.container, MakeItemNumber(partition_.number, 0));
    bounds.upper = PrefixEnd(RecordKey(partition_.container, MakeItemNumber(partition_.number, kCreationsMax)));
    bounds.snapshot = snapshot_;
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> records = shard_->NewIterator(kRecordFamily, bounds);
    for (records->SeekToFirst(); records->Valid(); records->Next()) {
      LAPSE_RETURN_IF_ERROR(CheckRecord(records->key(), records->value()));
    }
    LAPSE_RETURN_IF_ERROR(records->status());
    if (stored_ != tally_.stored) {
      Note("its count says " + TextOf(tally_.stored) + ", and there are " + TextOf(stored_));
    }
    if (last_creation_ > tally_.creations) Note("an item has a number that was not given yet");
    LAPSE_RETURN_IF_ERROR(CheckCohorts());
    return stored_;
  }

 private:
  Status CheckRecord(std::string_view key, std::string_view value) {
    HeadRecord head;
    const std::optional<ItemNumber> number = ItemOfRecordKey(key);
    if (!number.has_value() || !DecodeHead(value, &head).ok()) {
      Note("a record cannot be read");
      return Status::Ok();
    }
    // The item is accounted for. Compactions drop its records one by one, in any order.
    if (tally_.purged.floors.Covers(head.lifetime)) return Status::Ok();
    item_ = *number;
    last_creation_ = std::max(last_creation_, CreationOf(item_));
    const Count one{1, head.document_bytes};
    stored_ += one;
    for (CohortLevel level : {CohortLevel::kSecond, CohortLevel::kSpan}) {
      const std::optional<CohortId> cohort = CohortId::Of(head.lifetime, level);
      if (cohort.has_value()) cohorts_[CohortKey(partition_, *cohort)] += one;
    }
    if (head.number != item_) NoteItem("its record is that of another item");
    LAPSE_ASSIGN_OR_RETURN(const bool has_body, CheckBody(head));
    if (has_body) LAPSE_RETURN_IF_ERROR(CheckOthers(head, value));
    return Status::Ok();
  }

  // Returns false if nothing else can be said of the item.
  Result<bool> CheckBody(const HeadRecord& head) {
    const PartitionId of_body{partition_.container, head.partition};
    LAPSE_ASSIGN_OR_RETURN(const bool found, Find(kBodyFamily, BodyKey(of_body, head.lifetime), &body_value_, "body"));
    if (!found) return false;
    if (!DecodeBody(body_value_.view(), &body_).ok()) {
      NoteItem("its body cannot be read");
      return false;
    }
    if (body_.number != item_ || body_.lifetime != head.lifetime) NoteItem("its body is that of something else");
    if (body_.document.size() != head.document_bytes) NoteItem("its document has another size than its record says");
    if (doc::Validate(body_.document, kDepthMax).ok()) return true;
    NoteItem("its document is damaged");
    return false;
  }

  Status CheckOthers(const HeadRecord& head, std::string_view record) {
    LAPSE_ASSIGN_OR_RETURN(const bool has_head, Find(kHeadFamily, body_.head_key, &value_, "head"));
    if (has_head && value_.view() != record) NoteItem("its head and its record differ");
    LAPSE_RETURN_IF_ERROR(Find(kMemberFamily, MemberKeyOf(body_.head_key, item_), &value_, "member").status());
    if (const auto queue_key = QueueKeyOf({partition_.container, head.partition}, head.lifetime)) {
      LAPSE_RETURN_IF_ERROR(Find(kQueueFamily, *queue_key, &value_, "entry in the queue of expiry").status());
    }
    return MayBeDead(head.lifetime) ? Status::Ok() : CheckUniqueKeys();
  }

  // The current time is not considered.
  bool MayBeDead(const ttl::Lifetime& lifetime) const {
    const ContainerState& state = *container_.state;
    const bool erased = tally_.erased != nullptr && tally_.erased->Erased(body_.head_key, lifetime);
    return erased || policy_.dead.Covers(lifetime) || ttl::DeadlineMs(lifetime, state.policy).has_value();
  }

  // Only for items that are certainly alive: the values of a dead item may belong to another one by now.
  Status CheckUniqueKeys() {
    const std::vector<UniqueKeysDefinition::Key>& keys = container_.state->definition.unique_keys.keys;
    for (size_t i = 0; i < keys.size(); ++i) {
      const std::string key = UniqueEntryKey(body_.head_key, i, HashUniqueValues(keys[i], body_.document));
      LAPSE_ASSIGN_OR_RETURN(const bool found, Find(kUniqueFamily, key, &value_, "entry of a unique key"));
      std::vector<ItemNumber> holders;
      if (!found) continue;
      const bool named = DecodeUniqueEntry(value_.view(), &holders).ok() &&
                         std::find(holders.begin(), holders.end(), item_) != holders.end();
      if (!named) NoteItem("the entry of its unique key does not name it");
    }
    return Status::Ok();
  }

  Status CheckCohorts() {
    store::IterateOptions bounds;
    bounds.lower = CohortPartitionPrefix();
    bounds.upper = PrefixEnd(bounds.lower);
    bounds.snapshot = snapshot_;
    const std::unique_ptr<store::Iterator> stored = shard_->NewIterator(kCohortFamily, bounds);
    for (stored->SeekToFirst(); stored->Valid(); stored->Next()) {
      const Result<Count> count = DecodeCount(stored->value());
      const auto expected = cohorts_.find(stored->key());
      if (!count.ok() || expected == cohorts_.end() || expected->second != *count) {
        Note("a cohort counts " + (count.ok() ? TextOf(*count) : std::string("nothing that can be read")) +
             ", and there are " + TextOf(expected == cohorts_.end() ? Count{} : expected->second));
      }
      if (expected != cohorts_.end()) cohorts_.erase(expected);
    }
    LAPSE_RETURN_IF_ERROR(stored->status());
    if (!cohorts_.empty()) Note(std::to_string(cohorts_.size()) + " cohorts are missing");
    return Status::Ok();
  }

  // The common prefix of the keys of all its cohorts.
  std::string CohortPartitionPrefix() const {
    const std::string of_rule = CohortPrefix(partition_, CohortLevel::kSecond, ttl::kInheritRule);
    return of_rule.substr(0, sizeof(ContainerId) + sizeof(PartitionNumber));
  }

  // Returns false if the record is missing, which is then noted.
  Result<bool> Find(store::FamilyId family, std::string_view key, store::PinnedValue* value, std::string_view what) {
    const Status found = shard_->Get(family, key, value, {.snapshot = snapshot_, .fill_cache = false});
    if (found.ok()) return true;
    if (found.code() != Code::kNotFound) return found;
    NoteItem("it has no " + std::string(what));
    return false;
  }

  void NoteItem(const std::string& what) { Note("item " + std::to_string(CreationOf(item_)) + ": " + what); }
  void Note(const std::string& what) {
    findings_->Add(container_.Name() + ", partition " + std::to_string(partition_.number) + ": " + what);
  }

  const StoredContainer& container_;
  const PartitionId partition_;
  const PartitionTally& tally_;
  const PartitionPolicy& policy_;
  store::Shard* const shard_;
  const store::Snapshot* const snapshot_;
  Findings* const findings_;
  Count stored_;
  uint64_t last_creation_ = 0;
  std::map<std::string, Count, std::less<>> cohorts_;  // counted from the items, by key
  ItemNumber item_ = 0;                                // the item being checked
  BodyRecord body_;                                    // that item's body, in body_value_
  store::PinnedValue body_value_;
  store::PinnedValue value_;
};

using Tallies = std::map<PartitionNumber, PartitionTally>;

// Checks the heads in one store: there must be as many as items, and each item must have its own.
Result<int64_t> CountHeads(const StoredContainer& container, const Tallies& tallies, store::Shard* store,
                           Findings* findings) {
  store::IterateOptions bounds;
  bounds.lower = ContainerPrefix(container.id);
  bounds.upper = PrefixEnd(bounds.lower);
  bounds.fill_cache = false;
  int64_t heads = 0;
  const std::unique_ptr<store::Iterator> walk = store->NewIterator(kHeadFamily, bounds);
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
    HeadRecord head;
    if (!DecodeHead(walk->value(), &head).ok()) {
      findings->Add(container.Name() + ": a head cannot be read");
      continue;
    }
    const auto tally = tallies.find(head.partition);
    if (tally == tallies.end()) {
      findings->Add(container.Name() + ": a head names a partition that is not there");
    } else if (!tally->second.purged.floors.Covers(head.lifetime)) {
      ++heads;
    }
  }
  LAPSE_RETURN_IF_ERROR(walk->status());
  return heads;
}

Status CheckHeads(const StoredContainer& container, const Tallies& tallies, int64_t items, Findings* findings) {
  std::set<store::Shard*> stores;
  for (const StoredPartition& partition : container.partitions) stores.insert(partition.store);
  int64_t heads = 0;
  for (store::Shard* store : stores) {
    LAPSE_ASSIGN_OR_RETURN(const int64_t here, CountHeads(container, tallies, store, findings));
    heads += here;
  }
  if (heads != items) {
    findings->Add(container.Name() + ": there are " + std::to_string(heads) + " heads, and " + std::to_string(items) +
                  " items");
  }
  return Status::Ok();
}

// Returns nullopt if the tally cannot be read, which is then noted. Fails only with the store's errors.
Result<std::optional<PartitionTally>> TallyOf(const StoredContainer& container, const StoredPartition& partition,
                                              const store::Snapshot& snapshot, Findings* findings) {
  Result<PartitionTally> loaded = LoadTallyAt(snapshot, partition.store, partition.id());
  if (loaded.ok()) return std::optional(*std::move(loaded));
  if (loaded.status().code() != Code::kCorruption && loaded.status().code() != Code::kNotFound) return loaded.status();
  findings->Add(container.Name() + ": the counts of partition " + std::to_string(partition.facts.number()) +
                " cannot be read: " + loaded.status().message());
  return std::optional<PartitionTally>();
}

}  // namespace

Result<Count> CheckItems(const StoredContainer& container, Findings* findings) {
  Tallies tallies;
  Count stored;
  for (const StoredPartition& partition : container.partitions) {
    const std::unique_ptr<store::Snapshot> snapshot = partition.store->NewSnapshot();
    LAPSE_ASSIGN_OR_RETURN(std::optional<PartitionTally> loaded, TallyOf(container, partition, *snapshot, findings));
    if (!loaded.has_value()) continue;
    const PartitionTally& tally = tallies.emplace(partition.facts.number(), *std::move(loaded)).first->second;
    // A start completes what a crash left between two revisions in the same way.
    PartitionPolicy policy = partition.policy;
    if (!PassRevisions(container.state->history, tally.last_sequence, &policy).ok() ||
        policy.revision != container.state->policy_revision) {
      findings->Add(container.Name() + ": partition " + std::to_string(partition.facts.number()) +
                    " belongs to a policy that the container does not have");
    }
    LAPSE_ASSIGN_OR_RETURN(const Count count,
                           ItemChecking(container, partition, tally, policy, snapshot.get(), findings).Run());
    stored += count;
  }
  LAPSE_RETURN_IF_ERROR(CheckHeads(container, tallies, stored.items, findings));
  return stored;
}

}  // namespace lapse::engine
