#include "engine/index/spare_iterator.h"

#include <utility>

namespace lapse::engine {

std::unique_ptr<store::Iterator> SpareIterator::Take(const store::Shard* shard) {
  std::lock_guard lock(mutex_);
  return shard == shard_ ? std::move(iterator_) : nullptr;
}

void SpareIterator::Leave(const store::Shard* shard, std::unique_ptr<store::Iterator> iterator) {
  if (!iterator->status().ok()) return;
  std::lock_guard lock(mutex_);
  shard_ = shard;
  iterator_ = std::move(iterator);
}

}  // namespace lapse::engine
