// Removes items whose whole partition key was deleted, a bounded number at a time, serialized with the commits of their
// partition (docs/design/partition-key-delete.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

class Transaction;

// The progress of a partition's steps. A restarted server begins at the front.
struct ErasurePosition {
  std::string prefix;  // of the key being walked, or walked last
  Sequence up_to = 0;  // sequence of the key's newest erasure when the walk began; 0: the walk is over
  std::string after;   // the last head read; empty: none yet
};

struct ErasureLimit {
  int64_t items_max = 0;
  int heads_max = 0;  // heads to read; each key counts as one more
  size_t batch_bytes_max = 0;
};

// Removes the items that the erasures in the transaction's tally cover, key by key, until a limit is reached. Erasures
// with no items left are removed, too. Returns the number of items removed.
Result<int64_t> EraseSome(const ErasureLimit& limit, ErasurePosition* position, Transaction* transaction);

}  // namespace lapse::engine
