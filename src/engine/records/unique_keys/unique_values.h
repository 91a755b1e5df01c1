// The values that a document has for a unique key, and when two documents have the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/records/unique_keys/unique_keys_definition.h"

namespace lapse::engine {

constexpr size_t kUniqueHashBytes = 16;
using UniqueHash = std::array<uint8_t, kUniqueHashBytes>;

// Of the values that the document has at the paths of the key. Equal values have equal hashes; nobody can make other
// values with the same one.
//
// What is missing is null, and so is what lies inside an array. Numbers are what they are worth: 1 and 1.0 are equal.
// The order of an object's members does not matter.
UniqueHash HashUniqueValues(const UniqueKeysDefinition::Key& key, std::string_view document);

// Whether two documents have equal values at all paths of the key.
bool HaveEqualValues(const UniqueKeysDefinition::Key& key, std::string_view a, std::string_view b);

}  // namespace lapse::engine
