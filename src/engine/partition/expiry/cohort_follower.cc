#include "engine/partition/expiry/cohort_follower.h"

#include <optional>

#include "base/log.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/ids/families.h"

namespace lapse::engine {
namespace {

constexpr CohortLevel kLevels[] = {CohortLevel::kSecond, CohortLevel::kSpan};

Status Change(const CohortId& cohort, const Count& by, Transaction* transaction) {
  const std::string key = CohortKey(transaction->partition(), cohort);
  Count count;
  store::PinnedValue value;
  Status found = transaction->Get(kCohortFamily, key, &value);
  if (found.ok()) {
    LAPSE_ASSIGN_OR_RETURN(count, DecodeCount(value.view()));
  } else if (found.code() != Code::kNotFound) {
    return found;
  }
  count += by;
  if (count.items > 0) {
    transaction->Put(kCohortFamily, key, EncodeCount(count));
    return Status::Ok();
  }
  // More was subtracted than added: a bug in Lapse, which must not block writes.
  if (count.items < 0) Log(LogLevel::kError, "a cohort holds less than nothing", {{"items", count.items}});
  transaction->Delete(kCohortFamily, key);
  return Status::Ok();
}

Status ChangeAll(const ItemImage& item, int sign, Transaction* transaction) {
  if (item.head == nullptr) return Status::Ok();
  const Count by{sign, sign * int64_t{item.head->document_bytes}};
  for (CohortLevel level : kLevels) {
    const std::optional<CohortId> cohort = CohortId::Of(item.head->lifetime, level);
    if (cohort.has_value()) LAPSE_RETURN_IF_ERROR(Change(*cohort, by, transaction));
  }
  return Status::Ok();
}

}  // namespace

Status CohortFollower::Follow(const ItemChange& change, Transaction* transaction) const {
  LAPSE_RETURN_IF_ERROR(ChangeAll(change.before, -1, transaction));
  return ChangeAll(change.after, 1, transaction);
}

Status RemoveFromCohort(const CohortId& second, const Count& count, Transaction* transaction) {
  const Count by = Count{} - count;
  LAPSE_RETURN_IF_ERROR(Change(second, by, transaction));
  return Change(second.Span(), by, transaction);
}

}  // namespace lapse::engine
