// The number of stored items of deleted partition keys, by cohort. Counts must leave these out
// (docs/design/partition-key-delete.md).
#pragma once

#include <functional>
#include <map>
#include <tuple>

#include "base/status.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/count.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: none of its own.
class ErasedItems {
 public:
  void Add(const HeadRecord& head);

  // All erased items, including those in no cohort.
  const Count& total() const { return total_; }
  // The erased items in the cohort of one second.
  Count In(const CohortId& second) const;

  // Calls `visit(cohort of a second, count)`.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [order, entry] : cohorts_) visit(entry.cohort, entry.count);
  }

 private:
  using Order = std::tuple<ttl::RuleId, int64_t, uint64_t>;
  struct Entry {
    CohortId cohort;
    Count count;
  };
  static Order OrderOf(const CohortId& second) { return {second.rule, second.base, second.chunk}; }

  Count total_;
  std::map<Order, Entry> cohorts_;
};

// Walks the heads of the deleted keys at the snapshot and calls `visit(head, erasure)` for each head that an erasure
// covers.
using VisitErased = std::function<void(const HeadRecord& head, const Erasure& erasure)>;
Status WalkErased(const ErasedKeysPtr& erased, store::Shard* shard, const store::Snapshot& snapshot,
                  const VisitErased& visit);

}  // namespace lapse::engine
