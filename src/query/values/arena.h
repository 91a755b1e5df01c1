// Memory for what expressions construct: taken piece by piece, given back all at once. Every byte is counted against a
// budget before it is allocated.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace lapse::query {

class MemoryPool;

// Threads: one.
// Fails: a request beyond the budget gets null, and the arena stays exhausted: whoever evaluates asks for it and stops.
class Arena {
 public:
  // What is built must fit the length word of BSON: a larger budget is cut to this.
  static constexpr size_t kBudgetMax = size_t{1} << 30;

  // `pool`: what all queries share, or a part of it for some arenas, which must outlive the arena; null: there is none.
  explicit Arena(size_t budget_bytes, MemoryPool* pool = nullptr);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Eight-byte aligned, not initialised.
  char* Allocate(size_t bytes);
  // Makes the newest allocation larger where it stands. False when it is not the newest, or has no room there.
  bool Extend(const char* newest, size_t bytes, size_t new_bytes);
  // A copy of the text; an empty one when the budget is passed.
  std::string_view Copy(std::string_view text);

  bool exhausted() const { return exhausted_; }
  // It is exhausted because other queries hold what there is.
  bool refused_by_pool() const { return refused_by_pool_; }
  size_t budget_bytes() const { return budget_bytes_; }
  // What the arena holds at the moment, used or not.
  size_t held_bytes() const { return held_bytes_; }

  // A place to go back to: all that was allocated after it is free again, its memory is kept for the next row.
  struct Mark {
    size_t chunk = 0;
    size_t used = 0;
  };
  Mark mark() const { return {current_, used_}; }
  void Rewind(Mark mark);

 private:
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  bool AddChunk(size_t bytes);

  const size_t budget_bytes_;
  MemoryPool* const pool_;
  size_t held_bytes_ = 0;
  bool exhausted_ = false;
  bool refused_by_pool_ = false;
  std::vector<Chunk> chunks_;
  size_t current_ = 0;  // the chunk that is being filled
  size_t used_ = 0;     // of that chunk
};

// So many of them, each as its constructor makes it, for types that need no destructor. Null when the budget is passed.
template <typename T>
T* NewArray(Arena* arena, size_t count) {
  if (count > Arena::kBudgetMax / sizeof(T)) count = Arena::kBudgetMax / sizeof(T);  // Allocate refuses that
  char* bytes = arena->Allocate(count * sizeof(T));
  if (bytes == nullptr) return nullptr;
  T* items = reinterpret_cast<T*>(bytes);
  for (size_t i = 0; i < count; ++i) new (items + i) T();
  return items;
}

}  // namespace lapse::query
