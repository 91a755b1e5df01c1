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

// Evicts the state that was unused for the longest time. Threads: any. Memory: bounded, and from the pool.
class ScanStateCache {
 public:
  // The pool must outlive it; null: only `bytes_max` bounds it.
  ScanStateCache(size_t bytes_max, MemoryPool* pool) : memory_(bytes_max, MemoryPool::Part{pool}) {}

  // The most that one state may take, so that no scan evicts all others.
  size_t each_bytes_max() const { return memory_.bytes_max() / 2; }

  // Keeps the state and returns a random name for it. Returns an empty name if there is no room.
  std::string Keep(std::string state);
  // Null: the state was evicted.
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
  std::list<Entry> entries_;  // the one used last at the front
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_name_;
};

}  // namespace lapse::query::exec
