#include "engine/changes/log_follower.h"
#include "engine/commit/follower.h"
#include "engine/commit/tally_follower.h"
#include "engine/expiry/cohort_follower.h"
#include "engine/index/index_follower.h"
#include "engine/unique_keys/unique_keys_follower.h"

namespace lapse::engine {

std::span<const Follower* const> Followers() {
  static const UniqueKeysFollower kUniqueKeys;
  static const TallyFollower kTally;
  static const CohortFollower kCohorts;
  static const IndexFollower kIndexes;
  static const LogFollower kLog;
  static const Follower* const kAll[] = {&kUniqueKeys, &kTally, &kCohorts, &kIndexes, &kLog};
  return kAll;
}

}  // namespace lapse::engine
