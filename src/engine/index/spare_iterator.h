// An iterator that a walk has left, for the next one on the page: to make one costs as much as to look for a value that
// is not there, and a query looks for its values in every partition.
#pragma once

#include <memory>
#include <mutex>

#include "store/shard.h"

namespace lapse::engine {

// Over entries with one value, in one shard at one snapshot (IterateOptions::alike). Threads: any.
class SpareIterator {
 public:
  // Null: there is none of this shard.
  std::unique_ptr<store::Iterator> Take(const store::Shard* shard);
  void Leave(const store::Shard* shard, std::unique_ptr<store::Iterator> iterator);

 private:
  std::mutex mutex_;
  const store::Shard* shard_ = nullptr;        // guarded by mutex_
  std::unique_ptr<store::Iterator> iterator_;  // guarded by mutex_
};

}  // namespace lapse::engine
