#include "engine/catalog/counts/census.h"

#include <algorithm>
#include <utility>

#include "engine/shard/partitions/moments.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

// Returns the sum of `count(partition)`.
template <typename CountOne>
Result<Count> Sum(const std::vector<PartitionCensus>& partitions, const CountOne& count) {
  Count sum;
  for (const PartitionCensus& partition : partitions) {
    LAPSE_ASSIGN_OR_RETURN(const Count one, count(partition));
    sum += one;
  }
  return sum;
}

// Returns the least of the times that `time(partition)` gives.
template <typename TimeOne>
Result<std::optional<int64_t>> Least(const std::vector<PartitionCensus>& partitions, const TimeOne& time) {
  std::optional<int64_t> least;
  for (const PartitionCensus& partition : partitions) {
    LAPSE_ASSIGN_OR_RETURN(const std::optional<int64_t> one, time(partition));
    if (one.has_value()) least = std::min(least.value_or(*one), *one);
  }
  return least;
}

template <typename ForecastOne>
Result<Forecast> Sum(const std::vector<PartitionCensus>& partitions, const ForecastSteps& steps, int64_t from_ms,
                     const ForecastOne& forecast) {
  Forecast sum;
  sum.from_s = from_ms / 1000;
  sum.steps.resize(steps.count);
  for (const PartitionCensus& partition : partitions) {
    LAPSE_ASSIGN_OR_RETURN(const Forecast one, forecast(partition));
    sum += one;
  }
  return sum;
}

}  // namespace

Census::Census(const Container& container, const KeyScope& scope)
    : open_(&container.context().pages()), now_ms_(container.reader_parts().clock->NowMs()) {
  std::vector<PageView> views = ViewsOf(container.context(), container.partitions(), container.reader_parts().clock);
  for (size_t i = 0; i < views.size(); ++i) {
    const Partition& partition = *container.partitions()[i];
    if (scope.Touches(partition.range())) partitions_.emplace_back(partition, std::move(views[i]));
  }
  for (const PartitionCensus& partition : partitions_) now_ms_ = std::min(now_ms_, partition.now_ms());
}

Result<Count> Census::Live() const {
  return Sum(partitions_, [](const PartitionCensus& partition) { return partition.Live(); });
}

Result<Count> Census::Expired() const {
  return Sum(partitions_, [](const PartitionCensus& partition) { return partition.Expired(); });
}

Result<Count> Census::Erased() const {
  return Sum(partitions_, [](const PartitionCensus& partition) { return partition.Erased(); });
}

Result<std::optional<int64_t>> Census::OldestExpiredMs() const {
  return Least(partitions_, [](const PartitionCensus& partition) { return partition.OldestExpiredMs(); });
}

Result<Purged> Census::PurgedSoFar() const {
  Purged sum;
  for (const PartitionCensus& partition : partitions_) {
    LAPSE_ASSIGN_OR_RETURN(const Purged purged, partition.PurgedSoFar());
    sum.total += purged.total;
    sum.milli_ru += purged.milli_ru;
  }
  return sum;
}

Result<Count> Census::ExpiringUntil(int64_t then_ms) const {
  return Sum(partitions_, [&](const PartitionCensus& partition) { return partition.ExpiringUntil(then_ms); });
}

Result<std::optional<int64_t>> Census::NextExpiryMs() const {
  return Least(partitions_, [](const PartitionCensus& partition) { return partition.NextExpiryMs(); });
}

Result<Forecast> Census::ForecastBy(const ForecastSteps& steps) const {
  return Sum(partitions_, steps, now_ms_,
             [&](const PartitionCensus& partition) { return partition.ForecastBy(steps, now_ms_); });
}

Result<Count> Census::ExpiringUnder(std::optional<int32_t> default_ttl) const {
  return Sum(partitions_, [&](const PartitionCensus& partition) { return partition.ExpiringUnder(default_ttl); });
}

Result<Count> Census::ChangingUnder(std::optional<int32_t> default_ttl) const {
  return Sum(partitions_, [&](const PartitionCensus& partition) { return partition.ChangingUnder(default_ttl); });
}

Result<Forecast> Census::ForecastUnder(std::optional<int32_t> default_ttl, const ForecastSteps& steps) const {
  return Sum(partitions_, steps, now_ms_,
             [&](const PartitionCensus& partition) { return partition.ForecastUnder(default_ttl, steps, now_ms_); });
}

}  // namespace lapse::engine
