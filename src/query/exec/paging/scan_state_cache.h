// States of unfinished scans that are too large for a continuation (docs/design/query.md, "Pages that take long").
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "query/values/memory_pool.h"

namespace lapse::query::exec {

// Evicts the least recently used state. Threads: any. Memory: bounded, and taken from the pool.
class ScanStateCache {
 public:
  // The pool must outlive it. Null: only `bytes_max` limits it.
  ScanStateCache(size_t bytes_max, MemoryPool* pool) : memory_(bytes_max, MemoryPool::Part{pool}) {}

  // The largest state that it accepts, so that one scan cannot evict all others.
  size_t each_bytes_max() const { return memory_.bytes_max() / 2; }

  // Keeps the state and returns a random name for it. Returns an empty name if there is no room.
  std::string Keep(std::string state);
  // Returns null if the state was evicted.
  std::shared_ptr<const std::string> Find(std::string_view name);

 private:
  struct State;
  struct Entry {
    std::string name;
    std::shared_ptr<const State> state;
  };

  MemoryPool memory_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_name_;
};

}  // namespace lapse::query::exec
