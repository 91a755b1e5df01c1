// A database as it is stored.
#pragma once

#include <cstdint>
#include <string>

#include "engine/records/definitions/throughput.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

struct DatabaseRecord {
  DatabaseId id = 0;
  std::string name;
  int64_t ts_s = 0;
  Throughput throughput;  // shared by its containers without one of their own
  ThroughputChanges throughput_changes;
  std::string properties;  // BSON, opaque to the engine
};

}  // namespace lapse::engine
