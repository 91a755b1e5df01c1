// Text or BSON that grows at the end of an arena.
#pragma once

#include <cstddef>
#include <string_view>

#include "query/values/arena.h"

namespace lapse::query {

// Grows in place while nothing else is allocated from the arena. Otherwise it moves, and the bytes that it leaves stay
// charged. Threads: one. Fails: beyond the budget it appends nothing more, and the arena is exhausted.
class ByteBuilder {
 public:
  explicit ByteBuilder(Arena* arena) : arena_(arena) {}

  // Appends `bytes` uninitialised bytes and returns them, or null if the budget is exceeded.
  char* Grow(size_t bytes) {
    if (bytes > capacity_ - size_ && !Reserve(bytes)) return nullptr;
    char* place = begin_ + size_;
    size_ += bytes;
    return place;
  }
  void Append(std::string_view bytes) {
    if (char* place = Grow(bytes.size())) bytes.copy(place, bytes.size());
  }
  void Append(char c) {
    if (char* place = Grow(1)) *place = c;
  }
  // Truncates to `size`.
  void Shrink(size_t size) { size_ = size; }

  size_t size() const { return size_; }
  char* data() { return begin_; }
  std::string_view view() const { return {begin_, size_}; }

 private:
  bool Reserve(size_t more);

  Arena* arena_;
  char* begin_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace lapse::query
