// What an API adds to every item, whatever its document has. The engine knows some of it without an index.
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
    kComputed,     // made of the item when it is asked for; an index may have it
    kOther,        // what the engine does not know
  };

  virtual ~AddedProperties() = default;

  virtual Meaning MeaningOf(std::string_view name) const = 0;
  // The item that has this text in a property of kNumber. Nullopt: there can be none. Whether there is one is another
  // question.
  virtual std::optional<engine::ItemNumber> NumberOf(std::string_view text) const = 0;

  // Whether the property is what this rule of an index makes of the document; without a rule: what the document has.
  virtual bool IsMadeBy(std::string_view /*name*/, std::string_view rule) const { return rule.empty(); }
};

}  // namespace lapse::query::exec
