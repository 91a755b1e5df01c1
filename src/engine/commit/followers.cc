#include "engine/changes/log_follower.h"
#include "engine/commit/follower.h"
#include "engine/commit/tally_follower.h"
#include "engine/expiry/cohort_follower.h"

namespace lapse::engine {

std::span<const Follower* const> Followers() {
  static const TallyFollower kTally;
  static const CohortFollower kCohorts;
  static const LogFollower kLog;
  static const Follower* const kAll[] = {&kTally, &kCohorts, &kLog};
  return kAll;
}

}  // namespace lapse::engine
