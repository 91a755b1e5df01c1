// Arrays and objects that an expression makes: BSON bytes in an arena.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/values/byte_builder.h"
#include "query/values/value.h"

namespace lapse::query {

// Threads: one. Fails: Finish returns undefined if the arena's budget was exceeded.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(Arena* arena);
  // Skips an undefined value, leaving no gap.
  void Append(Value value);
  uint32_t count() const { return count_; }
  Value Finish();

 private:
  Arena* arena_;
  ByteBuilder bytes_;
  uint32_t count_ = 0;
};

// The caller must add each name once. A name with a NUL character, which BSON cannot hold, makes the whole object
// undefined. Threads: one. Fails: as ArrayBuilder.
class ObjectBuilder {
 public:
  explicit ObjectBuilder(Arena* arena);
  // Skips a member whose value is undefined.
  void Add(std::string_view name, Value value);
  // Copies the bytes of consecutive members of a document.
  void AddStored(std::string_view members) { bytes_.Append(members); }
  Value Finish();

 private:
  Arena* arena_;
  ByteBuilder bytes_;
  bool bad_name_ = false;
};

}  // namespace lapse::query
