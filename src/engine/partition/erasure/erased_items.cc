#include "engine/partition/erasure/erased_items.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {

void ErasedItems::Add(const HeadRecord& head) {
  const Count one{1, head.document_bytes};
  total_ += one;
  const std::optional<CohortId> cohort = CohortId::Of(head.lifetime, CohortLevel::kSecond);
  if (!cohort.has_value()) return;
  Entry& entry = cohorts_[OrderOf(*cohort)];
  entry.cohort = *cohort;
  entry.count += one;
}

Count ErasedItems::In(const CohortId& second) const {
  const auto found = cohorts_.find(OrderOf(second));
  return found == cohorts_.end() ? Count{} : found->second.count;
}

Status WalkErased(const ErasedKeysPtr& erased, store::Shard* shard, const store::Snapshot& snapshot,
                  const VisitErased& visit) {
  if (erased == nullptr) return Status::Ok();
  for (std::string_view prefix = erased->FirstKey(); !prefix.empty(); prefix = erased->KeyBehind(prefix)) {
    store::IterateOptions bounds;
    bounds.lower = prefix;
    bounds.upper = PrefixEnd(prefix);
    bounds.snapshot = &snapshot;
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> heads = shard->NewIterator(kHeadFamily, bounds);
    for (heads->SeekToFirst(); heads->Valid(); heads->Next()) {
      HeadRecord head;
      LAPSE_RETURN_IF_ERROR(DecodeHead(heads->value(), &head));
      if (const Erasure* erasure = erased->OfKey(prefix, head.lifetime)) visit(head, *erasure);
    }
    LAPSE_RETURN_IF_ERROR(heads->status());
  }
  return Status::Ok();
}

}  // namespace lapse::engine
