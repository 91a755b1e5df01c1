#include "net/input_buffer.h"

#include <algorithm>
#include <cstring>

namespace lapse::net {
namespace {

constexpr size_t kFirstBytes = 8 * 1024;      // holds almost any request, and often two
constexpr size_t kRoomBytesMin = 1024;        // reading less is not worth a system call
constexpr size_t kKeptInputBytes = 8 * 1024;  // a larger buffer is freed when it is empty

size_t RoomWanted(size_t missing) {
  return missing == 0 ? kRoomBytesMin : std::min(missing, kRoomBytesMin);
}

}  // namespace

InputBuffer::Space InputBuffer::Prepare(size_t missing) {
  if (capacity_ - end_ < RoomWanted(missing)) {
    if (HasRoom(missing)) {
      const size_t size = end_ - begin_;
      std::memmove(bytes_.get(), bytes_.get() + begin_, size);
      begin_ = 0;
      end_ = size;
    } else {
      MoveTo(CapacityFor(missing));
    }
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

size_t InputBuffer::CapacityFor(size_t missing) const {
  if (HasRoom(missing)) return capacity_;
  const size_t size = end_ - begin_;
  return std::max(kFirstBytes, missing == 0 ? size * 2 : std::min(size * 2, size + missing));
}

// Whether there is space after the bytes, or after moving them to the front. They are moved only if they are the
// smaller part.
bool InputBuffer::HasRoom(size_t missing) const {
  const size_t wanted = RoomWanted(missing);
  const size_t size = end_ - begin_;
  return capacity_ - end_ >= wanted || (size <= capacity_ / 2 && capacity_ - size >= wanted);
}

void InputBuffer::ConsumeFront(size_t count) {
  begin_ += count;
  if (begin_ != end_) return;
  begin_ = 0;
  end_ = 0;
  if (capacity_ > kKeptInputBytes) Release();
}

void InputBuffer::Release() {
  bytes_.reset();
  capacity_ = 0;
  begin_ = 0;
  end_ = 0;
}

void InputBuffer::Erase(size_t offset, size_t count) {
  char* gap = bytes_.get() + begin_ + offset;
  std::memmove(gap, gap + count, end_ - begin_ - offset - count);
  end_ -= count;
}

void InputBuffer::MoveTo(size_t capacity) {
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  const size_t size = end_ - begin_;
  if (size > 0) std::memcpy(larger.get(), bytes_.get() + begin_, size);
  bytes_ = std::move(larger);
  capacity_ = capacity;
  begin_ = 0;
  end_ = size;
}

}  // namespace lapse::net
