#include "engine/records/definitions/throughput.h"

#include <algorithm>
#include <string>

namespace lapse::engine {
namespace {

constexpr int kThroughputMax = 1'000'000;
constexpr int kManualStep = 100;
constexpr int kAutoscaleStep = 1'000;

Status CheckRange(int value, int min, int step) {
  if (value >= min && value <= kThroughputMax && value % step == 0) return Status::Ok();
  return {Code::kInvalidArgument, "The offer should have valid throughput values between " + std::to_string(min) +
                                      " and " + std::to_string(kThroughputMax) + " inclusive in increments of " +
                                      std::to_string(step) + "."};
}

}  // namespace

Status Throughput::Check() const {
  switch (kind_) {
    case Kind::kNone: return Status::Ok();
    case Kind::kManual: return CheckRange(ru_per_second_, kThroughputMin, kManualStep);
    case Kind::kAutoscale: return CheckRange(ru_per_second_, kAutoscaleMin, kAutoscaleStep);
  }
  return {Code::kInternal, "a throughput of no kind"};
}

size_t PartitionsFor(const Throughput& throughput) {
  if (throughput.ru_per_second() <= kPartitionThroughput) return 1;
  return static_cast<size_t>((throughput.ru_per_second() + kPartitionShare - 1) / kPartitionShare);
}

int64_t MilliRuPerPartition(const Throughput& throughput, RateLimiting limiting, size_t partitions) {
  if (limiting == RateLimiting::kOff) return 0;
  int64_t ru = throughput.ru_per_second();
  if (throughput.none() && limiting == RateLimiting::kOn) ru = kThroughputMin;
  return ru * 1000 / static_cast<int64_t>(partitions);
}

}  // namespace lapse::engine
