// Arrays and objects that an expression makes: BSON bytes in an arena.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/values/byte_builder.h"
#include "query/values/value.h"

namespace lapse::query {

// Threads: one. Fails: Finish gives undefined when the arena's budget was passed.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(Arena* arena);
  // An undefined value leaves no gap: it is not there.
  void Append(Value value);
  uint32_t count() const { return count_; }
  Value Finish();

 private:
  Arena* arena_;
  ByteBuilder bytes_;
  uint32_t count_ = 0;
};

// The caller gives each name once. A name with a NUL character, which BSON cannot have, makes the whole undefined.
// Threads: one. Fails: as ArrayBuilder.
class ObjectBuilder {
 public:
  explicit ObjectBuilder(Arena* arena);
  // A member whose value is undefined is not there.
  void Add(std::string_view name, Value value);
  // Members as they stand in a document, one after another: their bytes are copied.
  void AddStored(std::string_view members) { bytes_.Append(members); }
  Value Finish();

 private:
  Arena* arena_;
  ByteBuilder bytes_;
  bool bad_name_ = false;
};

}  // namespace lapse::query
