// What functions use beyond their arguments: memory, time, random numbers, compiled patterns.
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

// The number of a stored document, unique in its partition. The API knows where its documents hold it.
class DocumentNumbers {
 public:
  virtual ~DocumentNumbers() = default;
  // Returns nullopt if the value is not a stored document.
  virtual std::optional<int64_t> NumberOf(Value document) const = 0;
};

// No limit on the steps of an evaluation.
inline constexpr uint64_t kAnySteps = std::numeric_limits<uint64_t>::max();

struct EvalSettings {
  size_t memory_bytes_max = size_t{64} << 20;
  MemoryPool* pool = nullptr;  // memory that all queries share; null: no such limit
  int64_t now_ticks = 0;       // the current time for functions, in 100 ns since 1970
  uint64_t seed = 0;           // for random numbers and hashes
  // For evaluations that cannot be interrupted. A step is the least work of an expression, and takes at most some 20
  // ns. The number of steps depends on the expression and the values alone.
  uint64_t steps_max = kAnySteps;
  const DocumentNumbers* documents = nullptr;
  // If false, an expression that asks for a random number fails, since another evaluation would give the same one.
  bool may_be_random = true;
};

// The error of a query that got no memory because other queries hold it.
Status PoolInUse();

// Returns the steps that it takes to read the whole value.
uint64_t StepsFor(Value value);

// One for each independent evaluation: a query, or the part of it that one thread works on. Threads: one. Owns: what
// functions make. Fails: status() holds the error. The code that evaluates checks it after each row, and stops.
class EvalContext {
 public:
  explicit EvalContext(const EvalSettings& settings);
  ~EvalContext();
  EvalContext(const EvalContext&) = delete;
  EvalContext& operator=(const EvalContext&) = delete;

  Arena& arena() { return arena_; }
  // Returns another arena for what outlives a row. All of these together have a budget of the same size.
  std::unique_ptr<Arena> NewArena() { return std::make_unique<Arena>(settings_.memory_bytes_max, &lasting_); }
  int64_t now_ticks() const { return settings_.now_ticks; }
  uint64_t hash_seed() const { return settings_.seed; }
  const DocumentNumbers* documents() const { return settings_.documents; }
  // Returns a number in [0, 1), a new one each time.
  double Random();
  PatternCache& patterns();
  GeometryCache& geometries();

  bool counts_steps() const { return settings_.steps_max != kAnySteps; }
  uint64_t steps_left() const { return steps_left_; }
  // Call it before work that is more than linear in the size of the values. Returns false if too few steps are left:
  // the evaluation has failed, and the work must not begin.
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
  // kTooLarge if the query wanted more memory or steps than it may have; kUnavailable if all queries together wanted
  // more memory than they may have. All results since then are wrong.
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
