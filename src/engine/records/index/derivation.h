// Derived values: values that an index has for documents but that no document contains. They are made from documents,
// by rules whose meaning is known only above the engine (docs/design/index.md, "Derived values").
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::engine {

// Makes one value by one rule. Equal documents always give equal values. Threads: any.
class DerivedValue {
 public:
  virtual ~DerivedValue() = default;
  // Appends a document with the value as its only member, or nothing if the document has no such value.
  virtual void Make(std::string_view document, std::string* holder) const = 0;
};

// Makes marks, by which values can be found, by one rule. All marks of a rule have the same size, and none is empty.
// Threads: any.
class MarkMaker {
 public:
  virtual ~MarkMaker() = default;
  using TakeMark = std::function<void(std::string_view mark)>;
  // Calls `take` with each mark of an object, and with none if the rule does not apply to it. The same object always
  // gives the same marks, possibly with repeats.
  virtual void Make(doc::Value object, const TakeMark& take) const = 0;
};

// Knows what rules mean. Threads: any; it has no state.
class Derivation {
 public:
  virtual ~Derivation() = default;
  // Return null for an unknown rule.
  virtual std::shared_ptr<const DerivedValue> ValueBy(std::string_view rule) const = 0;
  virtual std::shared_ptr<const MarkMaker> MarksBy(std::string_view rule) const = 0;
};

}  // namespace lapse::engine
