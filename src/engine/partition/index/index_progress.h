// The progress of an index build in one partition (family meta, docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "store/shard.h"

namespace lapse::engine {

struct IndexProgress {
  uint64_t passed = 0;  // items up to this creation are indexed
  bool done = false;    // all items are indexed
};

std::string EncodeIndexProgress(const IndexProgress& progress);
// Returns an empty progress if there is no record.
Result<IndexProgress> LoadIndexProgress(store::Shard* shard, PartitionId partition, IndexId index);

}  // namespace lapse::engine
