#include "query/values/arena.h"

#include <algorithm>

#include "query/values/memory_pool.h"

namespace lapse::query {
namespace {

constexpr size_t kFirstChunk = 4096;
constexpr size_t kLargestChunk = size_t{1} << 20;
constexpr size_t kAlignment = 8;

constexpr size_t Aligned(size_t bytes) {
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

Arena::Arena(size_t budget_bytes, MemoryPool* pool) : budget_bytes_(std::min(budget_bytes, kBudgetMax)), pool_(pool) {}

Arena::~Arena() {
  if (pool_ != nullptr) pool_->Give(held_bytes_);
}

char* Arena::Allocate(size_t bytes) {
  if (exhausted_ || bytes > budget_bytes_) {
    exhausted_ = true;
    return nullptr;
  }
  const size_t start = Aligned(used_);
  if (!chunks_.empty() && start <= chunks_[current_].size && bytes <= chunks_[current_].size - start) {
    used_ = start + bytes;
    return chunks_[current_].bytes.get() + start;
  }
  if (!AddChunk(bytes)) {
    exhausted_ = true;
    return nullptr;
  }
  used_ = bytes;
  return chunks_[current_].bytes.get();
}

// Makes the next chunk the current one. It reuses the chunk left by an earlier row if that is large enough.
bool Arena::AddChunk(size_t bytes) {
  const size_t next = chunks_.empty() ? 0 : current_ + 1;
  if (next < chunks_.size() && chunks_[next].size >= bytes) {
    current_ = next;
    return true;
  }
  while (chunks_.size() > next) {
    held_bytes_ -= chunks_.back().size;
    if (pool_ != nullptr) pool_->Give(chunks_.back().size);
    chunks_.pop_back();
  }
  const size_t room = budget_bytes_ - held_bytes_;
  if (bytes > room) return false;
  const size_t usual = chunks_.empty() ? kFirstChunk : std::min(chunks_.back().size * 2, kLargestChunk);
  const size_t size = std::min(std::max(usual, bytes), room);
  if (pool_ != nullptr && !pool_->Take(size)) {
    refused_by_pool_ = !pool_->IsPartWithout(size);
    return false;
  }
  chunks_.push_back({std::unique_ptr<char[]>(new char[size]), size});
  held_bytes_ += size;
  current_ = next;
  return true;
}

bool Arena::Extend(const char* newest, size_t bytes, size_t new_bytes) {
  if (exhausted_ || chunks_.empty()) return false;
  const Chunk& chunk = chunks_[current_];
  if (newest + bytes != chunk.bytes.get() + used_) return false;
  const size_t start = used_ - bytes;
  if (new_bytes > chunk.size - start) return false;
  used_ = start + new_bytes;
  return true;
}

std::string_view Arena::Copy(std::string_view text) {
  char* place = Allocate(text.size());
  if (place == nullptr) return {};
  text.copy(place, text.size());
  return {place, text.size()};
}

void Arena::Rewind(Mark mark) {
  current_ = mark.chunk;
  used_ = mark.used;
}

}  // namespace lapse::query
