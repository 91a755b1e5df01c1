// The memory of a tree. Nodes are allocated one after another, live as long as the tree, and are freed together. So a
// tree needs few allocations, and freeing a deep one needs no recursion.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lapse::query {

// Threads: one at a time. Owns every node made with it. No node may need its destructor to run.
class TreeArena {
 public:
  // `expected` is an estimate of how many bytes the tree will take.
  explicit TreeArena(size_t expected) : memory_(expected) {}
  TreeArena(const TreeArena&) = delete;
  TreeArena& operator=(const TreeArena&) = delete;

  template <typename T, typename... Args>
  T* New(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Room<T>(1)) T{std::forward<Args>(args)...};
  }

  template <typename T>
  std::span<T> NewSpan(size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return {};
    return {new (Room<T>(count)) T[count](), count};
  }

  template <typename T>
  std::span<const T> Copy(std::span<const T> list) {
    std::span<T> copy = NewSpan<T>(list.size());
    for (size_t i = 0; i < list.size(); ++i) copy[i] = list[i];
    return copy;
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* copy = NewText(text.size());
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  // Returns uninitialised room for a text, for the caller to fill.
  char* NewText(size_t size) { return static_cast<char*>(memory_.allocate(size, 1)); }

 private:
  template <typename T>
  T* Room(size_t count) {
    return std::pmr::polymorphic_allocator<T>(&memory_).allocate(count);
  }

  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace lapse::query
