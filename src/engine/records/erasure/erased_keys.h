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

// Each costs those who read the partition a little until the sweep has removed it.
constexpr size_t kErasuresMax = 1000;

class ErasedKeys;
// Null: there is none, as in nearly all partitions.
using ErasedKeysPtr = std::shared_ptr<const ErasedKeys>;

// Immutable once it is shared. Never empty then. Threads: any.
class ErasedKeys {
 public:
  size_t size() const { return erasures_.size(); }

  // The sequence up to which what this key has was deleted; 0: it was not.
  Sequence UpTo(std::string_view prefix) const;
  // The erasure that deleted the item, or found it dead: the first one that covers it. Null: none does.
  const Erasure* Of(std::string_view head_key, const ttl::Lifetime& lifetime) const;
  const Erasure* OfKey(std::string_view prefix, const ttl::Lifetime& lifetime) const;
  bool Erased(std::string_view head_key, const ttl::Lifetime& lifetime) const;

  // Those of one key, by sequence, and all of them, by key and then by sequence.
  std::span<const std::shared_ptr<const Erasure>> OfKey(std::string_view prefix) const;
  std::span<const std::shared_ptr<const Erasure>> all() const { return erasures_; }
  // The first key, and the first one behind this key; empty when there is none.
  std::string_view FirstKey() const;
  std::string_view KeyBehind(std::string_view prefix) const;

  // In the order of all().
  static ErasedKeysPtr FromSorted(std::vector<std::shared_ptr<const Erasure>> sorted);
  // The same with one more, or without those of a key up to this sequence.
  static ErasedKeysPtr With(const ErasedKeysPtr& keys, Erasure erasure);
  static ErasedKeysPtr Without(const ErasedKeysPtr& keys, std::string_view prefix, Sequence up_to);

 private:
  std::vector<std::shared_ptr<const Erasure>> erasures_;
};

}  // namespace lapse::engine
