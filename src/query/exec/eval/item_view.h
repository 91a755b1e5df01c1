// The item that a scan has come to, as expressions see it: its document, and the properties that an API adds to it.
#pragma once

#include <string_view>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Threads: one. What is made lives in the arena.
class ItemView {
 public:
  virtual ~ItemView() = default;

  // One property, of the document or added.
  virtual Value Property(std::string_view name, Arena* arena) const = 0;
  // The document with everything that is added. It costs a copy, so it is made only where the whole item is asked for.
  virtual Value Whole(Arena* arena) const = 0;
};

}  // namespace lapse::query::exec
