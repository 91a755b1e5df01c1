// Removes a dead item that is not yet accounted for: it has expired, or its whole partition key was deleted.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

class Transaction;

enum class Removed : uint8_t {
  kNothing,  // the item is live, or a sweep has purged it
  kExpired,
  kErased,
};

// Removes all records of the item, as an expiry or as a delete. The removal is a write of its own.
Result<Removed> RemoveIfDead(std::string_view head_key, const HeadRecord& head, Transaction* transaction);

}  // namespace lapse::engine
