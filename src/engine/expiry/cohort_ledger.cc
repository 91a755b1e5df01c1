#include "engine/expiry/cohort_ledger.h"

#include <utility>

#include "base/log.h"
#include "engine/items/keys.h"

namespace lapse::engine {
namespace {

constexpr CohortLevel kLevels[] = {CohortLevel::kSecond, CohortLevel::kSpan};

Result<Count> Stored(store::Shard* shard, const std::string& key) {
  store::PinnedValue value;
  Status found = shard->Get(kCohortFamily, key, &value);
  if (found.code() == Code::kNotFound) return Count{};
  LAPSE_RETURN_IF_ERROR(found);
  return DecodeCount(value.view());
}

}  // namespace

void CohortLedger::Change(const ttl::Lifetime& lifetime, const Count& by) {
  for (CohortLevel level : kLevels) {
    if (auto id = CohortId::Of(lifetime, level)) changes_[CohortKey(container_, stream_, *id)] += by;
  }
}

void CohortLedger::Remove(const CohortId& second, const Count& count) {
  changes_[CohortKey(container_, stream_, second)] -= count;
  CohortId span = second;
  span.level = CohortLevel::kSpan;
  span.base = second.base >> kSpanBits;
  span.chunk = second.first_lsn() >> span.LsnBits();
  changes_[CohortKey(container_, stream_, span)] -= count;
}

Status CohortLedger::WriteTo(store::Shard* shard, store::Batch* batch) const {
  for (const auto& [key, change] : changes_) {
    if (change == Count{}) continue;
    LAPSE_ASSIGN_OR_RETURN(Count count, Stored(shard, key));
    count += change;
    if (count.items > 0) {
      batch->Put(kCohortFamily, key, EncodeCount(count));
      continue;
    }
    // More went than had come: a defect of ours, which must not keep anyone from writing.
    if (count.items < 0) Log(LogLevel::kError, "a cohort holds less than nothing", {{"items", count.items}});
    batch->Delete(kCohortFamily, key);
  }
  return Status::Ok();
}

}  // namespace lapse::engine
