// What users ask to be changed: one operation on one item, or several that stand or fall together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/commit/item_patch.h"
#include "engine/items/item.h"

namespace lapse::engine {

enum class WriteKind : uint8_t { kCreate, kReplace, kUpsert, kDelete, kPatch };

struct ItemWrite {
  using Kind = WriteKind;
  Kind kind = Kind::kCreate;
  ItemAddress address;
  std::string document;            // empty for kDelete and kPatch
  std::optional<int32_t> own_ttl;  // what the document's own ttl means; nullopt: it inherits
  Precondition precondition;
  ItemNumber only = 0;  // the one item that it may change; 0: whichever has the address
  ItemPatch patch;      // for kPatch

  // Of what it brings.
  size_t bytes() const { return document.size() + patch.bytes(); }
};

struct ItemWritten {
  ItemMeta meta;         // of the new version; for kDelete of the deleted one
  bool created = false;  // there was no live item before
  Lsn partition_lsn = 0;
  std::string document;  // the one that was written
  int64_t milli_ru = 0;  // its price under the definition that the commit used
};

// Called once, on the thread that committed. Fails: kAlreadyExists, kNotFound, kPreconditionFailed, what the rules of a
// patch say, and what the store says (kNoSpace, kUnknownOutcome, kUnavailable).
using ItemWriteDone = std::function<void(Result<ItemWritten>)>;

// What became of several operations that stand or fall together.
struct AtomicOutcome {
  Status status;                     // ok: all are done
  size_t failed_at = 0;              // the operation that failed, when one did; the number of operations otherwise
  std::vector<ItemWritten> written;  // one for each operation, when all are done

  int64_t milli_ru() const {
    int64_t sum = 0;
    for (const ItemWritten& one : written) sum += one.milli_ru;
    return sum;
  }
};
using AtomicWriteDone = std::function<void(AtomicOutcome)>;

// Documents of one atomic write, those after it and, where changes are kept, those before it. A write that passes this
// fails with kTooLarge at the operation that does.
constexpr size_t kAtomicWriteBytesMax = 16 << 20;

}  // namespace lapse::engine
