// Removes items whose whole partition key was deleted, a bounded number at a time, in the commit order of their
// partition (docs/design/partition-key-delete.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

class Transaction;

// Where the steps of a partition have got to. A server that starts begins at the front.
struct ErasurePosition {
  std::string prefix;  // of the key whose heads are walked, or were walked last
  Sequence up_to = 0;  // of its newest erasure when the walk began; 0: the walk is over
  std::string after;   // the last head that was looked at; empty: none yet
};

struct ErasureLimit {
  int64_t items_max = 0;
  int heads_max = 0;  // that are looked at, and a key counts as one more
  size_t batch_bytes_max = 0;
};

// What the erasures in the transaction's tally cover, one key after the other, until a limit is reached. Erasures of
// which nothing is left go. Answers with how many items were removed.
Result<int64_t> EraseSome(const ErasureLimit& limit, ErasurePosition* position, Transaction* transaction);

}  // namespace lapse::engine
