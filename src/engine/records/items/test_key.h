// For tests: parts of partition keys.
#pragma once

#include <string>
#include <utility>

#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

inline PartitionKeyComponent Text(std::string text) {
  return PartitionKeyComponent::String(std::move(text));
}

}  // namespace lapse::engine
