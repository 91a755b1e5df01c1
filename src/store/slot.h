// A slot for one small value, which can always be replaced because that needs no further disk space.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::store {

// Threads: one at a time.
class Slot {
 public:
  virtual ~Slot() = default;

  // Returns the last value written, or an empty one. A value whose write failed may or may not be returned.
  virtual const std::string& value() const = 0;

  // Replaces the whole value, durably on success. In any case either the old or the new value survives.
  // Fails: kInvalidArgument for a value that does not fit, kUnavailable when the disk fails.
  virtual Status Write(std::string_view value) = 0;
};

}  // namespace lapse::store
