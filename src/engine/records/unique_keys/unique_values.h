// Hashes and compares the values that documents have for a unique key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/records/unique_keys/unique_keys_definition.h"

namespace lapse::engine {

constexpr size_t kUniqueHashBytes = 16;
using UniqueHash = std::array<uint8_t, kUniqueHashBytes>;

// Hashes the document's values at the paths of the key. Equal values have equal hashes, and different values with the
// same hash cannot be constructed.
//
// Missing values count as null, and so do values inside arrays. Numbers compare by value: 1 and 1.0 are equal. The
// order of an object's members does not matter.
UniqueHash HashUniqueValues(const UniqueKeysDefinition::Key& key, std::string_view document);

// Returns true if two documents have equal values at all paths of the key.
bool HaveEqualValues(const UniqueKeysDefinition::Key& key, std::string_view a, std::string_view b);

}  // namespace lapse::engine
