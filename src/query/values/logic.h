// Three-valued logic: anything but a bool (null too) counts as undefined.
#pragma once

#include "query/values/value.h"

namespace lapse::query {

// A false side decides.
inline Value And(Value a, Value b) {
  if ((a.IsBool() && !a.AsBool()) || (b.IsBool() && !b.AsBool())) return Value::Bool(false);
  return a.IsTrue() && b.IsTrue() ? Value::Bool(true) : Value();
}

// A true side decides.
inline Value Or(Value a, Value b) {
  if (a.IsTrue() || b.IsTrue()) return Value::Bool(true);
  return a.IsBool() && b.IsBool() ? Value::Bool(false) : Value();
}

inline Value Not(Value a) {
  return a.IsBool() ? Value::Bool(!a.AsBool()) : Value();
}

}  // namespace lapse::query
