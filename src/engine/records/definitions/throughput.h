// The throughput provisioned for a container, or for all containers of a database together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace lapse::engine {

// Request units per second: none, a fixed number (manual), or up to a maximum (autoscale).
class Throughput {
 public:
  enum class Kind : uint8_t { kNone = 0, kManual = 1, kAutoscale = 2 };

  constexpr Throughput() = default;
  // Manual; 0: none.
  constexpr Throughput(int ru_per_second)  // NOLINT(google-explicit-constructor): a number is what most are
      : kind_(ru_per_second == 0 ? Kind::kNone : Kind::kManual), ru_per_second_(ru_per_second) {}
  static constexpr Throughput Autoscale(int ru_per_second_max) {
    Throughput throughput(ru_per_second_max);
    throughput.kind_ = Kind::kAutoscale;
    return throughput;
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool none() const { return kind_ == Kind::kNone; }
  // The maximum spent per second; 0 for none.
  constexpr int ru_per_second() const { return ru_per_second_; }

  // Fails: kInvalidArgument for a value that is not allowed.
  Status Check() const;

  constexpr bool operator==(const Throughput&) const = default;

 private:
  Kind kind_ = Kind::kNone;
  int ru_per_second_ = 0;
};

// The history of a throughput's changes.
struct ThroughputChanges {
  uint64_t revision = 1;  // counts changes
  int64_t last_s = 0;     // store time of the last one
  int ru_most = 0;        // highest throughput ever, per second

  static ThroughputChanges First(const Throughput& throughput, int64_t now_s) {
    return {.last_s = now_s, .ru_most = throughput.ru_per_second()};
  }
  void Note(const Throughput& throughput, int64_t now_s) {
    ++revision;
    last_s = now_s;
    ru_most = std::max(ru_most, throughput.ru_per_second());
  }
  bool operator==(const ThroughputChanges&) const = default;
};

constexpr int kThroughputMin = 400;
constexpr int kAutoscaleMin = 1'000;
// The throughput that one physical partition is made for. If one is not enough, there is one for each started share.
// Later changes of the throughput add none.
constexpr int kPartitionThroughput = 10'000;
constexpr int kPartitionShare = 6'000;

size_t PartitionsFor(const Throughput& throughput);

// Which resources are limited to a throughput.
enum class RateLimiting : uint8_t {
  kOff,       // none
  kExplicit,  // those with a provisioned throughput
  kOn,        // all; those without one get the minimum
};

// Returns each partition's equal share, in thousandths of a request unit per second; 0: unlimited.
int64_t MilliRuPerPartition(const Throughput& throughput, RateLimiting limiting, size_t partitions);

}  // namespace lapse::engine
