// The properties that an API adds to every item, whatever its document contains. The engine can look some of them up
// without an index.
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
    kWriteSecond,  // the second of the item's last write, as a number
    kNumber,       // a text that stands for the item's number
    kComputed,     // computed from the item on demand; an index may have it
    kOther,        // the engine cannot look it up
  };

  virtual ~AddedProperties() = default;

  virtual Meaning MeaningOf(std::string_view name) const = 0;
  // Returns the number of the item that would have this text in a kNumber property, or nullopt if no item can have it.
  virtual std::optional<engine::ItemNumber> NumberOf(std::string_view text) const = 0;

  // Whether this index rule makes the property from the document. An empty rule takes the property from the document
  // unchanged.
  virtual bool IsMadeBy(std::string_view /*name*/, std::string_view rule) const { return rule.empty(); }
};

}  // namespace lapse::query::exec
