// Partition keys of containers, for tests.
#pragma once

#include <utility>
#include <vector>

#include "doc/path.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

inline engine::PartitionKeyDefinition Key(std::vector<doc::Path> paths, int version = 2) {
  engine::PartitionKeyDefinition key;
  key.kind = paths.size() > 1 ? engine::PartitionKeyKind::kMultiHash : engine::PartitionKeyKind::kHash;
  key.paths = std::move(paths);
  key.version = version;
  return key;
}

inline const engine::PartitionKeyDefinition kPk = Key({doc::Path({"pk"})});

}  // namespace lapse::api::cosmos
