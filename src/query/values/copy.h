// Copies values that must outlive their row.
#pragma once

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

// Returns the same value with its bytes in this arena, or undefined if the budget is exceeded.
inline Value CopyInto(Arena* arena, Value value) {
  if (!value.IsString() && !value.IsArray() && !value.IsObject()) return value;
  const std::string_view bytes = arena->Copy(value.IsString() ? value.AsString() : value.AsDocument());
  if (arena->exhausted()) return {};
  if (value.IsString()) return Value::String(bytes);
  return value.IsArray() ? Value::Array(bytes) : Value::Object(bytes);
}

}  // namespace lapse::query
