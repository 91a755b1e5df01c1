// What functions take from outside: memory, time, random numbers, compiled patterns.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>

#include "base/status.h"
#include "query/values/arena.h"
#include "query/values/memory_pool.h"
#include "query/values/value.h"

namespace lapse::query {

class GeometryCache;
class MemoryPool;
class PatternCache;

// The number of a stored document, unique in its partition. An API knows where its documents carry it.
class DocumentNumbers {
 public:
  virtual ~DocumentNumbers() = default;
  // Nothing when the value is no stored document.
  virtual std::optional<int64_t> NumberOf(Value document) const = 0;
};

// No bound on the steps of an evaluation.
inline constexpr uint64_t kAnySteps = std::numeric_limits<uint64_t>::max();

struct EvalSettings {
  size_t memory_bytes_max = size_t{64} << 20;
  MemoryPool* pool = nullptr;  // what all queries share; null: there is no such bound
  int64_t now_ticks = 0;       // what functions take for the current time, in 100 ns since 1970
  uint64_t seed = 0;           // of random numbers and hashes
  // For evaluations that nobody can interrupt. A step is what an expression needs at the least, and some 20 ns at the
  // most; the number follows from the expression and the values alone.
  uint64_t steps_max = kAnySteps;
  const DocumentNumbers* documents = nullptr;
  // False: evaluation fails where a random number is asked for, since it would be one that another evaluation gives.
  bool may_be_random = true;
};

// The error of a query that got no memory because others hold it.
Status PoolInUse();

// What it takes to look at all of a value.
uint64_t StepsFor(Value value);

// One for each evaluation that runs by itself: a query, or the part of it that one thread works on.
// Threads: one. Owns: what functions make. Fails: status() tells; who evaluates asks after each row, and stops.
class EvalContext {
 public:
  explicit EvalContext(const EvalSettings& settings);
  ~EvalContext();
  EvalContext(const EvalContext&) = delete;
  EvalContext& operator=(const EvalContext&) = delete;

  Arena& arena() { return arena_; }
  // Another one, for what lasts longer than a row. All of these together have a budget of the same size.
  std::unique_ptr<Arena> NewArena() { return std::make_unique<Arena>(settings_.memory_bytes_max, &lasting_); }
  int64_t now_ticks() const { return settings_.now_ticks; }
  uint64_t hash_seed() const { return settings_.seed; }
  const DocumentNumbers* documents() const { return settings_.documents; }
  // In [0, 1), another one each time.
  double Random();
  PatternCache& patterns();
  GeometryCache& geometries();

  bool counts_steps() const { return settings_.steps_max != kAnySteps; }
  uint64_t steps_left() const { return steps_left_; }
  // To be called before work that is more than linear in the values that it looks at. False: there are not as many
  // left, the work is not to be begun, and the evaluation has failed.
  bool Spend(uint64_t steps) {
    if (steps > steps_left_) {
      out_of_steps_ = true;
      steps_left_ = 0;
      return false;
    }
    if (counts_steps()) steps_left_ -= steps;
    return true;
  }

  bool failed() const { return arena_.exhausted() || out_of_steps_ || refused_random_; }
  // kTooLarge when more memory was wanted than the query may have, or more steps; kUnavailable when more than all
  // queries may have together. All results since then are wrong.
  Status status() const;

 private:
  const EvalSettings settings_;
  MemoryPool lasting_;
  Arena arena_;
  uint64_t steps_left_;
  bool out_of_steps_ = false;
  std::optional<std::mt19937_64> random_;
  bool refused_random_ = false;
  std::unique_ptr<PatternCache> patterns_;
  std::unique_ptr<GeometryCache> geometries_;
};

}  // namespace lapse::query
