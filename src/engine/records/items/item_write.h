// Operations that users submit to the commit order: a single one on one item, or several that succeed or fail together.
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

// A read is an operation, too. In a batch it sees the results of earlier operations. It changes nothing.
enum class WriteKind : uint8_t { kCreate, kReplace, kUpsert, kDelete, kPatch, kRead };

struct ItemWrite {
  using Kind = WriteKind;
  Kind kind = Kind::kCreate;
  ItemAddress address;
  std::string document;            // empty for kDelete, kPatch and kRead
  std::optional<int32_t> own_ttl;  // from the document's own ttl; nullopt: inherited
  IndexingDirective indexing = IndexingDirective::kDefault;
  // For kRead: kDiffers with the version that the reader has, or kAbsent if it has any version.
  Precondition precondition;
  ItemNumber only = 0;  // the only item that may be changed; 0: any item at the address
  ItemPatch patch;      // for kPatch
  // An error that is known in advance. The operation fails with it in its turn, so that an error of an earlier
  // operation takes precedence. Only the partition key of the address is then used.
  Status refusal;

  // Size of the document and the patch.
  size_t bytes() const { return document.size() + patch.bytes(); }
};

struct ItemWritten {
  ItemMeta meta;           // of the new version; kDelete: of the deleted one; kRead: of the one read
  bool created = false;    // there was no live item before
  bool unchanged = false;  // kRead: the reader already has this version and gets no document
  Lsn partition_lsn = 0;
  std::string document;  // the document written or read
  int64_t milli_ru = 0;  // price under the definition at the commit
};

// Called once, on any thread, possibly before the call that queued the write returns. Fails: kAlreadyExists, kNotFound,
// kPreconditionFailed, kUniqueKeyTaken, kPartitionKeyFull, kTooLarge, kForbidden (a limit of the container),
// kThrottled, what the rules of a patch say, and what the store says (kNoSpace, kUnknownOutcome, kUnavailable).
using ItemWriteDone = std::function<void(Result<ItemWritten>)>;

// The outcome of several operations that succeed or fail together.
struct AtomicOutcome {
  Status status;                     // Ok if all operations succeeded
  size_t failed_at = 0;              // the failed operation, or the number of operations if none failed
  std::vector<ItemWritten> written;  // one per operation, if all succeeded
  // The price of each operation, in thousandths of a request unit; all are charged. If one failed, those before it cost
  // as usual, since their work was done. Empty if the whole commit failed, rather than one operation.
  std::vector<int64_t> milli_ru;
  uint64_t condition_steps = 0;  // used by its conditions (kConditionStepsMax)
};
using AtomicWriteDone = std::function<void(AtomicOutcome)>;

// The rules of the API that sends an atomic write, applied while the write can still be rolled back. Threads: one at a
// time; the engine's while the write is in progress.
class AtomicRules {
 public:
  virtual ~AtomicRules() = default;

  // Called after each operation; `written` has the results up to that one. The document of a patch or a read is in
  // `written`, all others are in `operations`. An error fails the operation.
  virtual Status AfterOperation(const std::vector<ItemWrite>& operations, const std::vector<ItemWritten>& written) = 0;
};

// Maximum size of the documents of one atomic write: those after it and, if changes are kept, those before it. A larger
// write fails with kTooLarge at the operation that exceeds the limit.
constexpr size_t kAtomicWriteBytesMax = 16 << 20;

}  // namespace lapse::engine
