#include "query/values/value_set.h"

#include <algorithm>
#include <memory>

#include "query/values/compare.h"
#include "query/values/hash.h"

namespace lapse::query {

// Returns the slot that has the value, or the free one where it belongs.
ValueSet::Slot* ValueSet::Find(uint64_t hash, Value value) const {
  for (uint64_t at = hash;; ++at) {
    Slot* slot = &slots_[at & (capacity_ - 1)];
    if (!slot->taken || (slot->hash == hash && SameValue(slot->value, value))) return slot;
  }
}

bool ValueSet::Contains(Value value) const {
  return size_ > 0 && Find(HashOf(value, seed_), value)->taken;
}

bool ValueSet::Add(Value value) {
  if (!MakeRoom()) return false;
  const uint64_t hash = HashOf(value, seed_);
  Slot* slot = Find(hash, value);
  if (slot->taken) return false;
  *slot = {hash, value, true};
  ++size_;
  return true;
}

// Keeps half of the slots free.
bool ValueSet::MakeRoom() {
  constexpr uint32_t kFirstCapacity = 16;
  if (size_ < capacity_ / 2) return true;
  const uint32_t capacity = std::max(kFirstCapacity, capacity_ * 2);
  char* bytes = arena_->Allocate(capacity * sizeof(Slot));
  if (bytes == nullptr) return false;
  Slot* old = slots_;
  const uint32_t old_capacity = capacity_;
  slots_ = reinterpret_cast<Slot*>(bytes);
  capacity_ = capacity;
  std::uninitialized_fill_n(slots_, capacity, Slot{0, Value(), false});
  for (uint32_t i = 0; i < old_capacity; ++i) {
    if (old[i].taken) *Find(old[i].hash, old[i].value) = old[i];
  }
  return true;
}

}  // namespace lapse::query
