// What unfinished pages have seen, where that is more than a continuation holds (docs/design/query.md, "Pages that take
// long").
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

// Threads: any. Memory: bounded, and of the pool.
class KeptWalks {
 public:
  // The pool must outlive it; null: nobody counts.
  KeptWalks(size_t bytes_max, MemoryPool* pool) : memory_(bytes_max, MemoryPool::Part{pool}) {}

  // What is more is not kept. So one walk never takes the place of all others.
  size_t each_bytes_max() const { return memory_.bytes_max() / 2; }

  // Where Find has it for a while: what was neither kept nor found for the longest time goes first. Nobody guesses the
  // name. Empty: there is no room for it.
  std::string Keep(std::string seen);
  // Null: it is gone.
  std::shared_ptr<const std::string> Find(std::string_view name);

 private:
  struct Kept;
  struct Walk {
    std::string name;
    std::shared_ptr<const Kept> kept;
  };

  MemoryPool memory_;
  std::mutex mutex_;
  std::list<Walk> walks_;  // the one used last at the front
  std::unordered_map<std::string_view, std::list<Walk>::iterator> by_name_;
};

}  // namespace lapse::query::exec
