// A place for one small value that can always be replaced: it never needs room.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::store {

// Threads: one at a time.
class Slot {
 public:
  virtual ~Slot() = default;

  // What was last written; empty when nothing ever was. A value whose writing failed may be it or not.
  virtual const std::string& value() const = 0;

  // Replaces the value as a whole: durable on success, and whatever happens either the old or the new one is kept.
  // Fails: kInvalidArgument for a value that does not fit, kUnavailable when the disk fails.
  virtual Status Write(std::string_view value) = 0;
};

}  // namespace lapse::store
