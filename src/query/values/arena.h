// Memory for what expressions construct: allocated piece by piece, freed all at once. Every byte is charged to a budget
// before it is allocated.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace lapse::query {

class MemoryPool;

// Threads: one. Fails: a request beyond the budget returns null, and the arena stays exhausted. The code that evaluates
// checks for this and stops.
class Arena {
 public:
  // Whatever is built must fit the length word of BSON, so a larger budget is reduced to this.
  static constexpr size_t kBudgetMax = size_t{1} << 30;

  // `pool`: memory that all queries share, or a part of it for some arenas, which must outlive the arena; null: none.
  explicit Arena(size_t budget_bytes, MemoryPool* pool = nullptr);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns eight-byte aligned, uninitialised memory.
  char* Allocate(size_t bytes);
  // Grows the newest allocation in place. Returns false if `newest` is not the newest, or has no room to grow.
  bool Extend(const char* newest, size_t bytes, size_t new_bytes);
  // Returns a copy of the text, or an empty text if the budget is exceeded.
  std::string_view Copy(std::string_view text);

  bool exhausted() const { return exhausted_; }
  // Whether it is exhausted because other queries hold the pool's memory.
  bool refused_by_pool() const { return refused_by_pool_; }
  size_t budget_bytes() const { return budget_bytes_; }
  // The bytes that the arena holds at the moment, used or not.
  size_t held_bytes() const { return held_bytes_; }

  // A point to rewind to. It frees all later allocations, and keeps their memory for the next row.
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
  size_t used_ = 0;     // bytes used of that chunk
};

// Allocates an array of default-constructed elements, for types that need no destructor. Returns null if the budget is
// exceeded.
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
