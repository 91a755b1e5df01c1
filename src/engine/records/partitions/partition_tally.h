// What a partition counts, durable with every commit.
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

// What was purged since the partition began.
struct Purged {
  ttl::Floors floors;  // records under them are dead, accounted for, and may vanish at any time
  Count total;
  int64_t milli_ru = 0;  // spent on it
};

struct PartitionTally {
  Sequence last_sequence = 0;
  Lsn last_lsn = 0;
  uint64_t creations = 0;  // items ever created, which is the counter of the last one's number
  Count stored;            // not deleted and not purged; what is expired and not purged is among it
  Purged purged;
  Sequence log_floor = 0;  // changes up to this one are no longer in the change log
  // An item was written here that asks to be left out of the index. It stays so: whoever looks for such items need not
  // look where there never was one.
  bool has_excluded = false;
  // Partition keys that were deleted and whose records are not all gone. The tally's bytes have only their number; they
  // are loaded with it.
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
