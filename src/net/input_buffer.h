// Bytes read and not used up yet. Grows with what arrives, never with what a peer announces.
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

  // Room to read into, never empty. At most doubles the buffer. With `missing` above 0, that many bytes are known to
  // come, and no more room than they need is made.
  Space Prepare(size_t missing);
  // The capacity after Prepare(missing).
  size_t CapacityFor(size_t missing) const;
  // `count` bytes were written to the room.
  void Commit(size_t count) { end_ += count; }

  void ConsumeFront(size_t count);
  // Forgets all bytes and gives their memory back.
  void Release();
  // Cuts bytes out of the middle; what follows moves up.
  void Erase(size_t offset, size_t count);

 private:
  bool HasRoom(size_t missing) const;
  void MoveTo(size_t capacity);

  // Not a string: growing one writes zeros over room that the next read fills.
  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace lapse::net
