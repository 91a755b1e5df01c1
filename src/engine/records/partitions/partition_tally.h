// The counters of a partition, durable with every commit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"
#include "ttl/floors.h"

namespace lapse::engine {

// Everything purged since the partition was created.
struct Purged {
  ttl::Floors floors;  // records under them are dead, accounted for, and may be dropped at any time
  Count total;
  int64_t milli_ru = 0;  // spent on it
};

struct PartitionTally {
  Sequence last_sequence = 0;
  Lsn last_lsn = 0;
  uint64_t creations = 0;  // items ever created; the creation counter of the last one
  Count stored;            // neither deleted nor purged; includes expired items not yet purged
  Purged purged;
  Sequence log_floor = 0;  // changes up to this one are no longer in the change log
  // Set once an item was written that asks to be left out of the index, and never reset. If it is not set, there is no
  // need to look for such items.
  bool has_excluded = false;
  // Deletions of partition keys whose records are not all removed. The tally's bytes contain only their number; the
  // erasures are loaded with it.
  uint32_t erasures = 0;
  ErasedKeysPtr erased;

  void SetErased(ErasedKeysPtr keys) {
    erased = std::move(keys);
    erasures = erased == nullptr ? 0 : static_cast<uint32_t>(erased->size());
  }
};

// Without the erasures themselves.
std::string EncodeTally(const PartitionTally& tally);
Result<PartitionTally> DecodeTally(std::string_view bytes);

}  // namespace lapse::engine
