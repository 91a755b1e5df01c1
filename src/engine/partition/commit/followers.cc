#include "engine/partition/commit/followers.h"

#include "engine/partition/changes/log_follower.h"
#include "engine/partition/commit/tally_follower.h"
#include "engine/partition/expiry/cohort_follower.h"
#include "engine/partition/index/index_follower.h"
#include "engine/partition/transaction/follower.h"
#include "engine/partition/unique_keys/unique_keys_follower.h"

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
