// A walk over entries: each leads from a value to an item that has it.
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
  // 0: this step has no item. It is there so that a reader can count its work.
  virtual ItemNumber item() const = 0;
  // See TakeIndexValue. Valid until the next move.
  virtual std::string_view value() const = 0;
  // Not ok: the walk failed.
  virtual const Status& status() const = 0;
};

}  // namespace lapse::engine
