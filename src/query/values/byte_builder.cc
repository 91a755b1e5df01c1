#include "query/values/byte_builder.h"

#include <algorithm>

namespace lapse::query {

bool ByteBuilder::Reserve(size_t more) {
  constexpr size_t kFirst = 64;
  if (more > Arena::kBudgetMax) more = Arena::kBudgetMax;  // more than any arena has: Allocate refuses it
  const size_t exact = size_ + more;
  const size_t wanted = std::max({kFirst, exact, capacity_ * 2});
  for (size_t capacity : {wanted, exact}) {
    if (begin_ != nullptr && arena_->Extend(begin_, capacity_, capacity)) {
      capacity_ = capacity;
      return true;
    }
  }
  char* moved = arena_->Allocate(exact > arena_->budget_bytes() / 2 ? exact : wanted);
  if (moved == nullptr) return false;
  view().copy(moved, size_);
  begin_ = moved;
  capacity_ = exact > arena_->budget_bytes() / 2 ? exact : wanted;
  return true;
}

}  // namespace lapse::query
