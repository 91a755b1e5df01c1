// A set of values, unique by SameValue. Its memory comes from an arena.
#pragma once

#include <cstdint>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

// Values are not copied: the bytes that they view must outlive the set. Threads: one. Fails: Add returns false if the
// arena has no more room, and the arena is then exhausted.
class ValueSet {
 public:
  ValueSet(Arena* arena, uint64_t seed) : arena_(arena), seed_(seed) {}

  bool Contains(Value value) const;
  // Returns whether the value was new.
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
