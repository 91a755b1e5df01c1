// Wakes an event loop from any thread. Ring it without holding a lock, because the loop runs at once and might have to
// wait for that lock.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace lapse::net {

// Threads: any.
class Bell {
 public:
  // Throws std::system_error when the process has run out of descriptors.
  Bell() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  ~Bell() { ::close(descriptor_); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  // The loop reads eight bytes from it, which resets all rings so far.
  int descriptor() const { return descriptor_; }

  // Fails only after 2^64 rings since the last read.
  void Ring() const {
    const uint64_t once = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &once, sizeof once);
  }

 private:
  const int descriptor_;
};

}  // namespace lapse::net
