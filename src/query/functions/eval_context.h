// What functions take from outside: memory, time, random numbers, compiled patterns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>

#include "base/status.h"
#include "query/values/arena.h"
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

struct EvalSettings {
  size_t memory_bytes_max = size_t{64} << 20;
  MemoryPool* pool = nullptr;  // what all queries share; null: there is no such bound
  int64_t now_ticks = 0;       // the request's own now, in 100 ns since 1970
  uint64_t seed = 0;           // of random numbers and hashes
  const DocumentNumbers* documents = nullptr;
  // False: evaluation fails where a random number is asked for, since it would be one that another evaluation gives.
  bool may_be_random = true;
};

// The error of a query that got no memory because others hold it.
Status PoolInUse();

// One for each evaluation that runs by itself: a query, or the part of it that one thread works on.
// Threads: one. Owns: what functions make. Fails: status() tells; who evaluates asks after each row, and stops.
class EvalContext {
 public:
  explicit EvalContext(const EvalSettings& settings);
  ~EvalContext();
  EvalContext(const EvalContext&) = delete;
  EvalContext& operator=(const EvalContext&) = delete;

  Arena& arena() { return arena_; }
  int64_t now_ticks() const { return settings_.now_ticks; }
  uint64_t hash_seed() const { return settings_.seed; }
  const DocumentNumbers* documents() const { return settings_.documents; }
  // In [0, 1), another one each time.
  double Random();
  PatternCache& patterns();
  GeometryCache& geometries();

  bool failed() const { return arena_.exhausted() || refused_random_; }
  // kTooLarge when more memory was wanted than the query may have, kUnavailable when more than all queries may have
  // together. All results since then are wrong.
  Status status() const;

 private:
  const EvalSettings settings_;
  Arena arena_;
  std::optional<std::mt19937_64> random_;
  bool refused_random_ = false;
  std::unique_ptr<PatternCache> patterns_;
  std::unique_ptr<GeometryCache> geometries_;
};

}  // namespace lapse::query
