// An ordered key/value shard: the engine's only access to disks.
//
// A shard holds a few named families of keys. Writes are atomic batches. A batch acknowledged as durable survives any
// crash. Keys sort as unsigned bytes. Only one process owns a shard at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "store/batch.h"

namespace lapse::store {

// Tells a compaction which records are dead. The store's background threads call it for the newest version of each key.
// True means that the record is dead for ever and its space may be reclaimed. A call may come late, twice or never, so
// no read may depend on it.
// Threads: any.
// Fails: must not throw.
class DropPredicate {
 public:
  virtual ~DropPredicate() = default;
  // `value` may be truncated after 128 bytes, for an estimate.
  virtual bool MayDrop(std::string_view key, std::string_view value) const = 0;

  // Summarizes many records, so that one later call tells whether all of them may be dropped. Threads: one.
  class Summary {
   public:
    virtual ~Summary() = default;
    virtual void Add(std::string_view key, std::string_view value) = 0;
    virtual std::string Bytes() const = 0;  // empty: unknown
  };
  // Null if this predicate has no summaries.
  virtual std::unique_ptr<Summary> NewSummary() const { return nullptr; }
  // Returns true only if MayDrop is true for every record in the summary.
  virtual bool MayDropAll(std::string_view /*summary*/) const { return false; }
  // Returns true only if MayDrop is true for every record that ever existed between the two keys, both included.
  virtual bool MayDropBetween(std::string_view /*first_key*/, std::string_view /*last_key*/) const { return false; }
};

struct FamilyOptions {
  std::string name;
  // Not owned; must outlive the shard. Null: nothing is ever dropped.
  const DropPredicate* drop = nullptr;
  // Keys that share a prefix of this many bytes are created and removed together. Large files are split where the
  // prefix changes.
  size_t prefix_bytes = 0;
  // Keys are looked up one by one, which pays for a filter per file, rather than only scanned.
  bool point_lookups = true;
  // Keys that differ only in their last bytes, this many, are read together (IterateOptions::alike). A filter per file
  // knows which groups of such keys it contains. 0: no such reads. Only without point_lookups. Such a family never has
  // range deletions, so that readers need not check for them.
  size_t alike_but_last_bytes = 0;
  // Many look-ups find nothing, such as those of creates. Write buffers get a filter too.
  bool often_absent = false;
  // Keys written together are sorted and share a prefix of this many bytes with the key before, from which their
  // position is found. 0: they do not.
  size_t written_together_bytes = 0;
  // Many small records: the cost of a write is finding its position in a large write buffer.
  bool small_buffer = false;
  // Unit of a read. More is better for scans, less for single records.
  size_t block_bytes = size_t{8} << 10;
  // A look-up within a block jumps to one in this many records and scans the records after it, each of which costs a
  // memory access. The records between store only the new part of their keys.
  int jump_records = 16;
  // A small family on which everything else depends: every block of its tables is verified before the shard is opened.
  bool check_at_open = false;
};

// Returns kInvalidArgument for an operation that a family of this kind does not accept.
Status CheckOperation(const Batch::Operation& operation, const FamilyOptions& family);

enum class Durability {
  kSync,     // on stable storage before the write returns
  kRelaxed,  // handed to the operating system; a machine crash may lose the last writes, never tear or reorder them
};

// How much of the free space a write may use. A shard reserves some space, see RocksOptions::free_bytes_min.
enum class Room {
  kOrdinary,  // only the space outside the reserve
  kReserve,   // most of the reserve too: small writes that must succeed on a nearly full disk, such as floors, which
              // let space be reclaimed
};

// A fixed view of the whole shard. Dead records may still vanish from it (DropPredicate). Must not outlive the shard.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

// Iterates over the keys of one family between two bounds. key() and value() are valid until the next move. Must not
// outlive the shard.
// Threads: one at a time.
class Iterator {
 public:
  virtual ~Iterator() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view key) = 0;         // first key >= key
  virtual void SeekForPrev(std::string_view key) = 0;  // last key <= key
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  // An iterator that is neither valid nor ok has failed. One that is ok but not valid is at its end.
  virtual Status status() const = 0;
};

// What a read may access.
enum class Reach : uint8_t {
  kDisk,    // everything
  kMemory,  // write buffers and caches only, for threads that must not block; kWouldBlock if that is not enough
};

struct ReadOptions {
  const Snapshot* snapshot = nullptr;  // null: as of now
  Reach reach = Reach::kDisk;
  bool fill_cache = true;  // false for reads that would evict hot data
};

struct IterateOptions {
  std::string lower;                   // inclusive; empty: from the start
  std::string upper;                   // exclusive; empty: to the end
  const Snapshot* snapshot = nullptr;  // null: as of now
  bool fill_cache = true;              // false for scans that would evict hot data
  bool scan = false;                   // reads many records in sequence; implied by fill_cache = false
  // All keys between the bounds have the same length and differ from `lower` only in their last bytes
  // (FamilyOptions::alike_but_last_bytes). Files without such keys are skipped by their filters. The iterator may only
  // move forward from the first key.
  bool alike = false;
};

// The bytes of a value returned by Get or MultiGet, pinned without a copy if the store can do so. Reusable: Get
// replaces the earlier value, and reuse with the same store allocates nothing. May outlive the shard.
class PinnedValue {
 public:
  PinnedValue();
  ~PinnedValue();
  PinnedValue(PinnedValue&&) noexcept;
  PinnedValue& operator=(PinnedValue&&) noexcept;

  std::string_view view() const { return view_; }

  // For stores: the owner of the bytes, and their location.
  struct Holder {
    virtual ~Holder() = default;
  };
  Holder* holder() { return holder_.get(); }
  void Set(std::unique_ptr<Holder> holder, std::string_view view);
  void SetView(std::string_view view) { view_ = view; }

 private:
  std::unique_ptr<Holder> holder_;
  std::string_view view_;
};

// Shares of the bytes of a part of a family, from 0 to 1, estimated without reading them.
struct ReclaimShares {
  double droppable = 0;  // see DropPredicate
  double deleted = 0;    // deleted but still on disk; not every store can tell
};

enum class Reclaimed : uint8_t {
  kNothing,  // there was nothing to reclaim
  kSome,     // there may be more
  kLater,    // the dead bytes are being compacted; some may be left afterwards
};

struct ShardStats {
  uint64_t disk_bytes = 0;      // files of the shard
  uint64_t memory_bytes = 0;    // write buffers, caches and tables' own memory
  uint64_t table_bytes = 0;     // the part of disk_bytes in tables
  uint64_t buffered_bytes = 0;  // what Flush would free: log files or, without a log, write buffers
};

// Threads: any, for every method.
// Owns: files or memory, released by the destructor after background work has ended.
// Fails: kNoSpace when the disk is full (reads succeed, and so do writes once there is space), kCorruption,
// kUnknownOutcome when a write may or may not have happened, kUnavailable after a failed write until the shard is
// reopened, and kInvalidArgument for a family that it was not opened with.
class Shard {
 public:
  virtual ~Shard() = default;

  virtual Status Write(const Batch& batch, Durability durability, Room room) = 0;
  Status Write(const Batch& batch, Durability durability) { return Write(batch, durability, Room::kOrdinary); }
  // Returns ok, or why an ordinary write would be refused now. Takes about a microsecond.
  virtual Status Writable() = 0;
  // Returns kNotFound if the key is missing. After any error the value is empty.
  virtual Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) = 0;
  Status Get(FamilyId family, std::string_view key, PinnedValue* value) { return Get(family, key, value, {}); }
  // Does what a Get for each key would, at a lower cost. Resizes `values` and `statuses` to one element per key, in the
  // order of the keys. Keys may come in any order and more than once; ascending keys are the cheapest. Existing values
  // are reused, as by Get. Without a snapshot, each key is read as of some moment during the call.
  virtual void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                        std::vector<Status>* statuses, const ReadOptions& options) = 0;
  virtual std::unique_ptr<Snapshot> NewSnapshot() = 0;
  virtual std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) = 0;
  // Estimates the size of the records between the bounds as of now, to choose between ways of reading them. An empty
  // `upper` is the end. Reads no records, and is accurate to some kilobytes at best. Returns 0 if the store cannot
  // tell.
  virtual uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) = 0;

  // Flushes buffered writes, then compacts the range, calling the drop predicate for every record in it. Empty bounds
  // mean everything. May use the reserve, since compaction reclaims space.
  virtual Status Compact(FamilyId family, std::string_view begin, std::string_view end) = 0;
  // Removes tables of the family that may be dropped completely and have nothing below them. If there are none,
  // compacts the part with the greatest share of dead bytes, if that share reaches `least`.
  virtual Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) = 0;
  // Removes whole files within [begin, end) without reading them, and leaves other files in place. Requires that
  // everything ever written in the range is dead for ever: any part of it may be removed, and a deletion may vanish
  // before the record it deleted.
  virtual Status DropFiles(FamilyId family, std::string_view begin, std::string_view end) = 0;
  // Flushes everything that is buffered to tables, except for what the drop predicate lets go, and so frees its log.
  // May use the reserve.
  virtual Status Flush() = 0;
  // Makes Compact and Reclaim, including calls in flight, return soon, possibly with kUnavailable. Call before closing
  // a shard.
  virtual void StopCompactions() = 0;
  // Removes files that are no longer in use but still present.
  virtual void RemoveUnused() {}
  virtual ShardStats Stats() = 0;
};

}  // namespace lapse::store
