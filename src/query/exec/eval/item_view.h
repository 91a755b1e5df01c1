// The current item of a scan as expressions see it: its document, and the properties that an API adds to it.
#pragma once

#include <string_view>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Threads: one. Values that it makes live in the arena.
class ItemView {
 public:
  virtual ~ItemView() = default;

  // Returns one property, of the document or added.
  virtual Value Property(std::string_view name, Arena* arena) const = 0;
  // Returns the document with all added properties. This copies the document, so it is used only for an expression that
  // asks for the whole item.
  virtual Value Whole(Arena* arena) const = 0;
};

}  // namespace lapse::query::exec
