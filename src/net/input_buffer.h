// Bytes read but not consumed yet. Grows with the bytes received, never with what a peer announces.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace lapse::net {

// Threads: one.
class InputBuffer {
 public:
  struct Space {
    char* data;
    size_t size;
  };

  std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  size_t capacity() const { return capacity_; }

  // Returns space to read into, never empty. At most doubles the buffer. A `missing` above 0 means that this many bytes
  // are sure to come, and no more space than they need is allocated.
  Space Prepare(size_t missing);
  // Returns the capacity after Prepare(missing).
  size_t CapacityFor(size_t missing) const;
  // Call after writing `count` bytes into the space.
  void Commit(size_t count) { end_ += count; }

  void ConsumeFront(size_t count);
  // Discards all bytes and frees their memory.
  void Release();
  // Removes bytes from the middle and moves up those that follow.
  void Erase(size_t offset, size_t count);

 private:
  bool HasRoom(size_t missing) const;
  void MoveTo(size_t capacity);

  // Not a std::string, which would zero new space that the next read overwrites.
  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace lapse::net
