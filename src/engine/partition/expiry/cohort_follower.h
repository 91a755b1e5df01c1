// Counts the items of a partition by cohort: those that expire together.
#pragma once

#include "engine/partition/transaction/follower.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/count.h"

namespace lapse::engine {

class CohortFollower final : public Follower {
 public:
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

// Subtracts `count` from a cohort of one second and from its span. An emptied cohort is removed.
Status RemoveFromCohort(const CohortId& second, const Count& count, Transaction* transaction);

}  // namespace lapse::engine
