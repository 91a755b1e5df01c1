#include "net/memory_budget.h"

#include <utility>

namespace lapse::net {
namespace {

// Less than this is not worth a walk through the heap.
constexpr size_t kBurstBytes = 32 << 20;
// A burst is over when this part of it is left.
constexpr size_t kCalmDivisor = 4;

size_t Counted(size_t bytes) {
  return bytes <= MemoryShare::kFreeBytes ? 0 : bytes;
}

}  // namespace

bool MemoryBudget::TakeCalm() {
  size_t peak = peak_.load(std::memory_order_relaxed);
  const size_t now = held();
  if (peak < kBurstBytes || now > peak / kCalmDivisor) return false;
  return peak_.compare_exchange_strong(peak, now, std::memory_order_relaxed);
}

bool MemoryBudget::TryTake(size_t bytes) {
  size_t before = held();
  do {
    if (before > bytes_max_ || bytes > bytes_max_ - before) return false;
  } while (!held_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  NotePeak(before + bytes);
  return true;
}

void MemoryBudget::Take(size_t bytes) {
  NotePeak(held_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

void MemoryBudget::NotePeak(size_t bytes) {
  size_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < bytes && !peak_.compare_exchange_weak(peak, bytes, std::memory_order_relaxed)) {
  }
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
