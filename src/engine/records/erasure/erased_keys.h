// The erasures of one partition at one moment.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/records/erasure/erasure.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Each erasure slows readers of the partition a little until the sweep has removed it.
constexpr size_t kErasuresMax = 1000;

class ErasedKeys;
// Null if there are no erasures, as in nearly all partitions.
using ErasedKeysPtr = std::shared_ptr<const ErasedKeys>;

// Immutable and not empty once shared. Threads: any.
class ErasedKeys {
 public:
  size_t size() const { return erasures_.size(); }

  // Returns the sequence up to which this key's items were deleted, or 0.
  Sequence UpTo(std::string_view prefix) const;
  // Returns the erasure that deleted the item or found it dead: the first one that covers it. Null if there is none.
  const Erasure* Of(std::string_view head_key, const ttl::Lifetime& lifetime) const;
  const Erasure* OfKey(std::string_view prefix, const ttl::Lifetime& lifetime) const;
  bool Erased(std::string_view head_key, const ttl::Lifetime& lifetime) const;

  // The erasures of one key, by sequence; and all erasures, by key and then by sequence.
  std::span<const std::shared_ptr<const Erasure>> OfKey(std::string_view prefix) const;
  std::span<const std::shared_ptr<const Erasure>> all() const { return erasures_; }
  // The first key, and the first key behind `prefix`; empty if there is none.
  std::string_view FirstKey() const;
  std::string_view KeyBehind(std::string_view prefix) const;

  // `sorted` must be in the order of all().
  static ErasedKeysPtr FromSorted(std::vector<std::shared_ptr<const Erasure>> sorted);
  // Return `keys` with one more erasure, or without those of a key up to this sequence.
  static ErasedKeysPtr With(const ErasedKeysPtr& keys, Erasure erasure);
  static ErasedKeysPtr Without(const ErasedKeysPtr& keys, std::string_view prefix, Sequence up_to);

 private:
  std::vector<std::shared_ptr<const Erasure>> erasures_;
};

}  // namespace lapse::engine
