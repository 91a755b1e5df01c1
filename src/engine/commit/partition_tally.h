// What a partition counts, durable with every commit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/count.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

// What was purged since the partition began.
struct Purged {
  ttl::Floors floors;  // records under them are dead, accounted for, and may vanish at any time
  Count total;
  int64_t milli_ru = 0;  // spent on it
};

struct PartitionTally {
  uint64_t last_lsn = 0;
  Count stored;  // not deleted and not purged; what is expired and not purged is among it
  Purged purged;
  uint64_t log_floor = 0;  // changes up to this LSN are no longer in the change log
};

std::string EncodeTally(const PartitionTally& tally);
Result<PartitionTally> DecodeTally(std::string_view bytes);

// As the store has it.
Result<PartitionTally> LoadTally(store::Shard* shard, ContainerId container, uint32_t stream);
Result<PartitionTally> LoadTallyAt(const store::Snapshot& snapshot, store::Shard* shard, ContainerId container,
                                   uint32_t stream);

}  // namespace lapse::engine
