#include "net/input_buffer.h"

#include <algorithm>
#include <cstring>

namespace lapse::net {
namespace {

constexpr size_t kFirstBytes = 8 * 1024;  // holds nearly every request, some of them twice
constexpr size_t kRoomBytesMin = 1024;    // less is not worth a system call
constexpr size_t kKeptBytes = 64 * 1024;  // a larger buffer goes when it is empty

}  // namespace

InputBuffer::Space InputBuffer::Prepare(size_t missing) {
  const size_t wanted = missing == 0 ? kRoomBytesMin : std::min(missing, kRoomBytesMin);
  if (capacity_ - end_ < wanted) {
    const size_t size = end_ - begin_;
    if (size <= capacity_ / 2 && capacity_ - size >= wanted) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, size);
      begin_ = 0;
      end_ = size;
    } else {
      MoveTo(std::max(kFirstBytes, missing == 0 ? size * 2 : std::min(size * 2, size + missing)));
    }
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

void InputBuffer::ConsumeFront(size_t count) {
  begin_ += count;
  if (begin_ != end_) return;
  begin_ = 0;
  end_ = 0;
  if (capacity_ > kKeptBytes) {
    bytes_.reset();
    capacity_ = 0;
  }
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
