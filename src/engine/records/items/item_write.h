// What users ask to be done in the commit order: one operation on one item, or several that stand or fall together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_patch.h"

namespace lapse::engine {

// A read is an operation too: in a batch it sees the results of the operations before it. It changes nothing.
enum class WriteKind : uint8_t { kCreate, kReplace, kUpsert, kDelete, kPatch, kRead };

struct ItemWrite {
  using Kind = WriteKind;
  Kind kind = Kind::kCreate;
  ItemAddress address;
  std::string document;            // empty for kDelete, kPatch and kRead
  std::optional<int32_t> own_ttl;  // what the document's own ttl means; nullopt: it inherits
  IndexingDirective indexing = IndexingDirective::kDefault;
  // For kRead: what the reader lacks. kDiffers with the version that it has, or kAbsent when it has any.
  Precondition precondition;
  ItemNumber only = 0;  // the one item that it may change; 0: whichever has the address
  ItemPatch patch;      // for kPatch
  // What is already known to be wrong with it. It fails with this in its turn, so that an error of an operation before
  // it comes first. Of its address only the partition key counts then.
  Status refusal;

  // Of what it brings.
  size_t bytes() const { return document.size() + patch.bytes(); }
};

struct ItemWritten {
  ItemMeta meta;           // of the new version; for kDelete of the deleted one, for kRead of the one that is there
  bool created = false;    // there was no live item before
  bool unchanged = false;  // for kRead: the reader has this version already, and gets no document
  Lsn partition_lsn = 0;
  std::string document;  // the one that was written or read
  int64_t milli_ru = 0;  // its price under the definition that the commit used
};

// Called once, on any thread, maybe before the call that queued the write returns. Fails: kAlreadyExists, kNotFound,
// kPreconditionFailed, kUniqueKeyTaken, kPartitionKeyFull, kTooLarge, kForbidden (a limit of the container),
// kThrottled, what the rules of a patch say, and what the store says (kNoSpace, kUnknownOutcome, kUnavailable).
using ItemWriteDone = std::function<void(Result<ItemWritten>)>;

// What became of several operations that stand or fall together.
struct AtomicOutcome {
  Status status;                     // ok: all are done
  size_t failed_at = 0;              // the operation that failed, when one did; the number of operations otherwise
  std::vector<ItemWritten> written;  // one for each operation, when all are done
  // What each operation costs, in thousandths of a request unit; all of it is charged. When one failed, those before it
  // cost what they would have: their work was done. Empty when the whole commit failed, and not one operation.
  std::vector<int64_t> milli_ru;
  uint64_t condition_steps = 0;  // that its conditions took (kConditionStepsMax)
};
using AtomicWriteDone = std::function<void(AtomicOutcome)>;

// What the API that sends an atomic write has to say about it while it can still be taken back.
// Threads: one at a time; the engine's while the write is under way.
class AtomicRules {
 public:
  virtual ~AtomicRules() = default;

  // Asked after each operation; `written` has that one and those before it. The document of a patch or a read is in
  // `written`, all others are in `operations`. An error fails the operation.
  virtual Status AfterOperation(const std::vector<ItemWrite>& operations, const std::vector<ItemWritten>& written) = 0;
};

// Documents of one atomic write, those after it and, where changes are kept, those before it. A write that exceeds
// this fails with kTooLarge at the operation that exceeds it.
constexpr size_t kAtomicWriteBytesMax = 16 << 20;

}  // namespace lapse::engine
