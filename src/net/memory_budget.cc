#include "net/memory_budget.h"

#include <utility>

namespace lapse::net {
namespace {

size_t Counted(size_t bytes) {
  return bytes <= MemoryShare::kFreeBytes ? 0 : bytes;
}

}  // namespace

bool MemoryBudget::TryTake(size_t bytes) {
  size_t before = held();
  do {
    if (before > bytes_max_ || bytes > bytes_max_ - before) return false;
  } while (!held_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  burst_.Note(before + bytes);
  return true;
}

void MemoryBudget::Take(size_t bytes) {
  burst_.Note(held_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

bool MemoryShare::TryFit(size_t bytes) {
  const size_t counted = Counted(bytes);
  if (counted > counted_bytes_ && !budget_->TryTake(counted - counted_bytes_)) return false;
  if (counted < counted_bytes_) budget_->Give(counted_bytes_ - counted);
  counted_bytes_ = counted;
  return true;
}

void MemoryShare::Fit(size_t bytes) {
  const size_t counted = Counted(bytes);
  if (counted > counted_bytes_) budget_->Take(counted - counted_bytes_);
  if (counted < counted_bytes_) budget_->Give(counted_bytes_ - counted);
  counted_bytes_ = counted;
}

}  // namespace lapse::net
