// Counts which items of a partition die together.
#pragma once

#include "engine/partition/transaction/follower.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/count.h"

namespace lapse::engine {

class CohortFollower final : public Follower {
 public:
  Status Follow(const ItemChange& change, Transaction* transaction) const override;
};

// A part of a cohort of seconds goes, or all of it, also from its span.
Status RemoveFromCohort(const CohortId& second, const Count& count, Transaction* transaction);

}  // namespace lapse::engine
