// A container as its creator defines it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/records/definitions/throughput.h"
#include "engine/records/index/indexing_definition.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/records/unique_keys/unique_keys_definition.h"

namespace lapse::engine {

struct ContainerDefinition {
  std::string name;
  PartitionKeyDefinition partition_key;
  std::optional<int32_t> default_ttl;  // see ttl::Policy
  Throughput throughput;               // the container's own; none: it shares the database's, if any
  int64_t change_log_retention_s = 0;  // how long every change is kept; 0: no log
  IndexingDefinition indexing;
  UniqueKeysDefinition unique_keys;  // never change
  // The property that holds a document's own lifetime. It is neither priced nor indexed. Empty: none.
  std::string lifetime_property;
  std::string properties;  // BSON: the API's own document, stored and returned unchanged
};

// The part of a definition that a replace may change.
struct ContainerChange {
  std::optional<int32_t> default_ttl;
  std::string properties;
  int64_t change_log_retention_s = 0;
  IndexingDefinition indexing;
};

}  // namespace lapse::engine
