// Takes an item away that is dead and that nobody has accounted for yet: one that has expired, or one whose whole
// partition key was deleted.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

class Transaction;

enum class Removed : uint8_t {
  kNothing,  // it lives, or a sweep has purged it
  kExpired,
  kErased,
};

// With all of its records, as an expiry or as a delete, which is a write of its own.
Result<Removed> RemoveIfDead(std::string_view head_key, const HeadRecord& head, Transaction* transaction);

}  // namespace lapse::engine
