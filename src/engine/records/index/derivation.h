// Values that an index has of documents and that no document has in it: they are made of it, by rules whose meaning is
// known above the engine alone (docs/design/index.md, "Derived values").
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace lapse::engine {

// Makes one value by one rule. The same document always has the same value. Threads: any.
class DerivedValue {
 public:
  virtual ~DerivedValue() = default;
  // Appends a document with the value as its only member. Nothing: the document has none.
  virtual void Make(std::string_view document, std::string* holder) const = 0;
};

// Makes marks of values by one rule: what they are found by. Those of one rule are of one size, and not empty.
// Threads: any.
class MarkMaker {
 public:
  virtual ~MarkMaker() = default;
  using TakeMark = std::function<void(std::string_view mark)>;
  // Of an object; none where it is nothing that the rule is about. The same ones always of the same object, maybe one
  // of them several times.
  virtual void Make(doc::Value object, const TakeMark& take) const = 0;
};

// What rules mean. Threads: any; it has no state.
class Derivation {
 public:
  virtual ~Derivation() = default;
  // Null: it does not know the rule.
  virtual std::shared_ptr<const DerivedValue> ValueBy(std::string_view rule) const = 0;
  virtual std::shared_ptr<const MarkMaker> MarksBy(std::string_view rule) const = 0;
};

}  // namespace lapse::engine
