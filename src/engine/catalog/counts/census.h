// Counts a container's items as live, expired and so on: the sums over its partitions (partition/counts).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/partition/counts/partition_census.h"
#include "engine/partition/view/open_pages.h"
#include "engine/records/expiry/forecast.h"
#include "engine/records/ids/count.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/records/partitions/partition_tally.h"

namespace lapse::engine {

// All answers are for one moment of the container. Threads: one at a time. May read the disk. Keeps compactions from
// dropping what it counts for as long as it exists. The container must outlive it.
class Census {
 public:
  // Counts in the partitions that the scope touches.
  explicit Census(const Container& container, const KeyScope& scope = {});

  int64_t now_ms() const { return now_ms_; }

  // Each as in PartitionCensus.
  Result<Count> Live() const;
  Result<Count> Expired() const;
  Result<Count> Erased() const;
  Result<std::optional<int64_t>> OldestExpiredMs() const;
  Result<Purged> PurgedSoFar() const;
  Result<Count> ExpiringUntil(int64_t then_ms) const;
  Result<std::optional<int64_t>> NextExpiryMs() const;
  Result<Forecast> ForecastBy(const ForecastSteps& steps) const;
  Result<Count> ExpiringUnder(std::optional<int32_t> default_ttl) const;
  Result<Count> ChangingUnder(std::optional<int32_t> default_ttl) const;
  Result<Forecast> ForecastUnder(std::optional<int32_t> default_ttl, const ForecastSteps& steps) const;

 private:
  const OpenPages::Page open_;
  std::vector<PartitionCensus> partitions_;
  int64_t now_ms_;  // the earliest of the partitions
};

}  // namespace lapse::engine
