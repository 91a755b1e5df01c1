// The throughput that was asked for, of a container or of all containers of a database together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace lapse::engine {

// Request units a second: none, so many (manual), or up to so many (autoscale).
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
  // The most that may be spent in a second; 0 for none.
  constexpr int ru_per_second() const { return ru_per_second_; }

  // kInvalidArgument for a value that nobody can have.
  Status Check() const;

  constexpr bool operator==(const Throughput&) const = default;

 private:
  Kind kind_ = Kind::kNone;
  int ru_per_second_ = 0;
};

// Which change of a throughput is in force.
struct ThroughputChanges {
  uint64_t revision = 1;  // counts them
  int64_t last_s = 0;     // store time of the last one
  int ru_most = 0;        // a second, of all that ever were

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
// What one physical partition is made for. Where one is not enough, there is one for each begun share; later changes of
// the throughput make none.
constexpr int kPartitionThroughput = 10'000;
constexpr int kPartitionShare = 6'000;

size_t PartitionsFor(const Throughput& throughput);

// Who is held to a throughput.
enum class RateLimiting : uint8_t {
  kOff,       // nobody
  kExplicit,  // those for whom one was asked
  kOn,        // everybody; who asked for none has the smallest
};

// The equal share of each of so many partitions, in thousandths of a request unit a second; 0: without limit.
int64_t MilliRuPerPartition(const Throughput& throughput, RateLimiting limiting, size_t partitions);

}  // namespace lapse::engine
