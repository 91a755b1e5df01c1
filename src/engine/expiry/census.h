// Counts a container's items by what becomes of them, from cohorts and never from items: how many live, how many have
// expired, how many will have at a given time or would have under another policy (docs/design/expiry.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/commit/partition_tally.h"
#include "engine/count.h"
#include "engine/expiry/cohort.h"
#include "store/shard.h"
#include "ttl/policy.h"

namespace lapse::engine {

// All answers are for one moment of the container. Threads: one at a time. Must not outlive the shard. May read the
// disk: a few milliseconds for a year of steady writes.
class Census {
 public:
  Census(ContainerId container, std::vector<uint32_t> streams, std::shared_ptr<const ContainerState> state,
         uint64_t last_lsn, int64_t now_ms, store::Shard* shard);

  int64_t now_ms() const { return now_ms_; }

  Result<Count> Live() const;
  // Expired and not yet purged.
  Result<Count> Expired() const;
  // When the first of them became invisible; nullopt: there is none.
  Result<std::optional<int64_t>> OldestExpiredMs() const;
  // Over all partitions.
  Result<Purged> PurgedSoFar() const;
  // Live items that will have expired by then if nothing is written or changed.
  Result<Count> ExpiringUntil(int64_t then_ms) const;
  // Live items that would expire at once if this became the default (see ttl::Policy).
  Result<Count> ExpiringUnder(std::optional<int32_t> default_ttl) const;

 private:
  struct Rules {
    ttl::Policy policy;
    ttl::Floors dead;
  };

  Rules Present() const { return {state_->policy, state_->dead}; }
  Result<Count> Dead(const Rules& rules, int64_t now_ms) const;
  Result<Count> DeadOfRule(uint32_t stream, ttl::RuleId rule, const Rules& rules, int64_t now_ms) const;
  using Visit = std::function<Result<bool>(const CohortId& cohort, const Count& count)>;
  // Calls `visit` for cohorts of one level in the order of their base, while it answers true.
  Status Walk(uint32_t stream, CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base,
              const Visit& visit) const;
  Result<PartitionTally> TallyOf(uint32_t stream) const;

  const ContainerId container_;
  const std::vector<uint32_t> streams_;
  const std::shared_ptr<const ContainerState> state_;
  const uint64_t last_lsn_;
  const int64_t now_ms_;
  store::Shard* const shard_;
  const std::unique_ptr<store::Snapshot> snapshot_;
};

}  // namespace lapse::engine
