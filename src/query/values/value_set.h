// A set of values, each once by SameValue. Its memory is an arena's.
#pragma once

#include <cstdint>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

// The values themselves are not copied: what they look at must outlive the set.
// Threads: one. Fails: Add says false when the arena has no more room; the arena is exhausted then.
class ValueSet {
 public:
  ValueSet(Arena* arena, uint64_t seed) : arena_(arena), seed_(seed) {}

  bool Contains(Value value) const;
  // Whether it was new.
  bool Add(Value value);
  uint32_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t hash;
    Value value;
    bool taken;
  };
  Slot* Find(uint64_t hash, Value value) const;
  bool MakeRoom();

  Arena* arena_;
  uint64_t seed_;
  Slot* slots_ = nullptr;
  uint32_t capacity_ = 0;  // a power of two
  uint32_t size_ = 0;
};

}  // namespace lapse::query
