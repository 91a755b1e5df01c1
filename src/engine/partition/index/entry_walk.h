// A walk over index entries. Each leads from a value to an item that has it.
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Threads: one. Must not outlive the snapshot that it walks over.
class EntryWalk {
 public:
  virtual ~EntryWalk() = default;

  virtual bool Valid() const = 0;
  virtual void Next() = 0;
  // 0 if this step has no item. Such a step lets a reader account for the work.
  virtual ItemNumber item() const = 0;
  // See TakeIndexValue. Valid until the next move.
  virtual std::string_view value() const = 0;
  // Returns an error if the walk has failed.
  virtual const Status& status() const = 0;
};

}  // namespace lapse::engine
