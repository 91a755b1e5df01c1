// The properties that an API adds to every item, whatever its document has. The engine can look some of them up without
// an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/records/ids/ids.h"

namespace lapse::query::exec {

class AddedProperties {
 public:
  enum class Meaning : uint8_t {
    kNotAdded,     // a property of the document
    kWriteSecond,  // the second of the item's last write, a number
    kNumber,       // a text for the number of the item
    kComputed,     // computed from the item on demand; an index may have it
    kOther,        // the engine cannot look it up
  };

  virtual ~AddedProperties() = default;

  virtual Meaning MeaningOf(std::string_view name) const = 0;
  // The number of the item that would have this text in a property of kNumber. Nullopt: no item can have it.
  virtual std::optional<engine::ItemNumber> NumberOf(std::string_view text) const = 0;

  // Whether this rule of an index makes the property from the document. An empty rule takes it from the document as it
  // is.
  virtual bool IsMadeBy(std::string_view /*name*/, std::string_view rule) const { return rule.empty(); }
};

}  // namespace lapse::query::exec
