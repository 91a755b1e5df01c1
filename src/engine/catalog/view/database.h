// A database: its record, and what its containers share.
#pragma once

#include <memory>

#include "engine/catalog/throughput/request_unit_pool.h"
#include "engine/records/definitions/database_record.h"

namespace lapse::engine {

// Immutable once made.
struct Database : DatabaseRecord {
  std::shared_ptr<RequestUnitPool> pool;  // what its containers share; null without throughput
};

using DatabasePtr = std::shared_ptr<const Database>;

}  // namespace lapse::engine
