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

class Container;
class Shards;

struct IndexProgress {
  uint64_t passed = 0;  // items up to this creation have their entries
  bool done = false;    // all items that there are
};

std::string EncodeIndexProgress(IndexId index, const IndexProgress& progress);
// Nothing has been done where another index was made last.
Result<IndexProgress> LoadIndexProgress(store::Shard* shard, PartitionId partition, IndexId index);

// Of the index in the making, over all partitions; 100 where there is none. Reads the disk.
Result<int> IndexProgressPercent(const Container& container, Shards* shards);

}  // namespace lapse::engine
