// How far the making of an index has come in one partition (family meta, docs/formats.md).
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
  uint64_t passed = 0;  // items up to this creation have their entries
  bool done = false;    // all items that there are
};

std::string EncodeIndexProgress(const IndexProgress& progress);
// Where there is no record, nothing has been done.
Result<IndexProgress> LoadIndexProgress(store::Shard* shard, PartitionId partition, IndexId index);

}  // namespace lapse::engine
