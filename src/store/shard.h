// An ordered key/value shard: the only thing the engine knows of disks.
//
// A shard holds a few named families of keys. Writes come as atomic batches; a batch that was acknowledged as durable
// is there after any crash. Keys sort as unsigned bytes. One process owns a shard at a time.
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

// Asked while a family is compacted, on the store's background threads, about each newest version of a key. True means:
// this record is dead for ever and its space may be reclaimed. It may be asked late, twice or never; no read may depend
// on it. Threads: any. Fails: must not throw.
class DropPredicate {
 public:
  virtual ~DropPredicate() = default;
  // `value` may be cut off after 128 bytes, for an estimate.
  virtual bool MayDrop(std::string_view key, std::string_view value) const = 0;

  // Sums up many records, so that later one question tells whether all of them may be dropped. Threads: one.
  class Summary {
   public:
    virtual ~Summary() = default;
    virtual void Add(std::string_view key, std::string_view value) = 0;
    virtual std::string Bytes() const = 0;  // empty: it cannot be told
  };
  // Null: this predicate sums nothing up.
  virtual std::unique_ptr<Summary> NewSummary() const { return nullptr; }
  // True only if MayDrop is true for every record in the summary.
  virtual bool MayDropAll(std::string_view /*summary*/) const { return false; }
  // True only if MayDrop is true for every record there ever was from the first key to the last.
  virtual bool MayDropBetween(std::string_view /*first_key*/, std::string_view /*last_key*/) const { return false; }
};

struct FamilyOptions {
  std::string name;
  // Not owned; must outlive the shard. Null: nothing is ever dropped.
  const DropPredicate* drop = nullptr;
  // Keys with the same first bytes, this many, come and go together: a large file ends where the next ones begin.
  size_t prefix_bytes = 0;
  // Keys are looked up one by one (a filter per file pays), rather than only scanned.
  bool point_lookups = true;
  // Keys that differ in nothing but their last bytes, this many, are asked for together (IterateOptions::alike): a
  // filter per file knows which of these there are. 0: they are not. Only without point_lookups. Ranges of such keys
  // are never deleted, so that nobody has to look whether one was.
  size_t alike_but_last_bytes = 0;
  // Many of these find nothing, such as those of creates: what was written not long ago has a filter too.
  bool often_absent = false;
  // Keys that are written together come sorted and share their first bytes, this many, with the one before: their place
  // is found from there. 0: they do not.
  size_t written_together_bytes = 0;
  // Many small records: to find their place in a large write buffer is what a write costs.
  bool small_buffer = false;
  // How much is read at once to find a record. More is better for scans, less for single records.
  size_t block_bytes = size_t{8} << 10;
  // Within that, a look-up jumps to one of every so many records and passes over those behind it, each of which takes a
  // look at its memory. The others have only that part of their key that is new.
  int jump_records = 16;
  // Small, and everything else hangs on it: every block of its tables is looked at before the shard is opened.
  bool check_at_open = false;
};

// kInvalidArgument for what a family of this kind does not take.
Status CheckOperation(const Batch::Operation& operation, const FamilyOptions& family);

enum class Durability {
  kSync,     // on stable storage before the write returns
  kRelaxed,  // handed to the operating system; a machine crash may lose the last writes, never tear or reorder them
};

// What of the free space a write may take. A shard keeps some room back, see RocksOptions::free_bytes_min.
enum class Room {
  kOrdinary,  // what is free beyond the room kept back
  kReserve,   // most of that room too: small writes that must go on when the disk is nearly full, such as floors that
              // let space be reclaimed
};

// A fixed view of the whole shard. Dead records may vanish from it all the same (DropPredicate). Must not outlive the
// shard.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

// Walks the keys of one family between two bounds. Threads: one at a time. key() and value() are valid until the next
// move. Must not outlive the shard.
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
  // Not valid and ok means the end; not valid and not ok means that the walk failed.
  virtual Status status() const = 0;
};

// How far a read may go for its answer.
enum class Reach : uint8_t {
  kDisk,    // as far as it takes
  kMemory,  // to write buffers and caches: for threads that must not wait. kWouldBlock where that is not enough
};

struct ReadOptions {
  const Snapshot* snapshot = nullptr;  // null: as of now
  Reach reach = Reach::kDisk;
  bool fill_cache = true;  // false for reads that would push out what is hot
};

struct IterateOptions {
  std::string lower;                   // inclusive; empty: from the start
  std::string upper;                   // exclusive; empty: to the end
  const Snapshot* snapshot = nullptr;  // null: as of now
  bool fill_cache = true;              // false for scans that would push out what is hot
  bool scan = false;                   // record after record is looked at; so are those that fill no cache
  // All keys that can be between the bounds have one length, and the bytes of `lower` but for the last
  // (FamilyOptions::alike_but_last_bytes): files that have none of them are known by their filters. Such an iterator
  // goes forward from the first key.
  bool alike = false;
};

// Bytes handed out by Get and MultiGet without a copy where the store can pin them. Reusable: Get replaces what was
// there, and a value reused with the same store allocates nothing. May outlive the shard.
class PinnedValue {
 public:
  PinnedValue();
  ~PinnedValue();
  PinnedValue(PinnedValue&&) noexcept;
  PinnedValue& operator=(PinnedValue&&) noexcept;

  std::string_view view() const { return view_; }

  // For stores: what holds the bytes, and where they are.
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

// Of the bytes of a part of a family, from 0 to 1, as far as can be told without reading them.
struct ReclaimShares {
  double droppable = 0;  // see DropPredicate
  double deleted = 0;    // and still there. Not every store can tell
};

enum class Reclaimed : uint8_t {
  kNothing,  // there was nothing
  kSome,     // there may be more
  kLater,    // there was something, which is being compacted: some of it may be left when that has ended
};

struct ShardStats {
  uint64_t disk_bytes = 0;      // files of the shard
  uint64_t memory_bytes = 0;    // write buffers, caches and tables' own memory
  uint64_t table_bytes = 0;     // of the files, those that hold tables
  uint64_t buffered_bytes = 0;  // what Flush would free: log files; without a log, write buffers
};

// Threads: any, for every method. Owns: files or memory, released by the destructor after background work has ended.
// Fails: kNoSpace when the disk is full (reads go on; writes work again when there is room), kCorruption,
// kUnknownOutcome when a write may or may not have happened, kUnavailable after a failed one until the shard is opened
// again; kInvalidArgument for a family it was not opened with.
class Shard {
 public:
  virtual ~Shard() = default;

  virtual Status Write(const Batch& batch, Durability durability, Room room) = 0;
  Status Write(const Batch& batch, Durability durability) { return Write(batch, durability, Room::kOrdinary); }
  // Ok, or why an ordinary write would be refused now. Takes about a microsecond.
  virtual Status Writable() = 0;
  // kNotFound when there is no such key. After any error the value is empty.
  virtual Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) = 0;
  Status Get(FamilyId family, std::string_view key, PinnedValue* value) { return Get(family, key, value, {}); }
  // What Get would answer for each of the keys, for less than as many calls: `values` and `statuses` get an element for
  // each, in the order of the keys. Any order will do, the same key twice too; ascending keys are the cheapest. Values
  // that are given are reused, as by Get. Without a snapshot, each key is read as of some moment of the call.
  virtual void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                        std::vector<Status>* statuses, const ReadOptions& options) = 0;
  virtual std::unique_ptr<Snapshot> NewSnapshot() = 0;
  virtual std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) = 0;
  // About how many bytes the records between the bounds take, as of now; an empty `upper` is the end. To choose between
  // ways of reading them: it reads none of them, and knows nothing finer than some kilobytes. 0 where it cannot tell.
  virtual uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) = 0;

  // Moves buffered writes to where compaction sees them, then compacts the range (empty bounds: everything), asking the
  // drop predicate about every record in it. May use the room kept back: it is how space is reclaimed.
  virtual Status Compact(FamilyId family, std::string_view begin, std::string_view end) = 0;
  // Takes away the files of the family of which everything may be dropped and under which there is nothing; when there
  // is none, compacts the part with the greatest share of dead bytes, if there is one with so much.
  virtual Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) = 0;
  // Takes away whole files within [begin, end), unread; what else is there stays. Only where everything that ever was
  // in the range is dead for ever: it is not said which of it will be gone, and a deletion may go before what it
  // deleted.
  virtual Status DropFiles(FamilyId family, std::string_view begin, std::string_view end) = 0;
  // Moves everything that is buffered to where compaction sees it, but for what the drop predicate lets go; then the
  // log of it is free. May use the room kept back.
  virtual Status Flush() = 0;
  // From now on Compact and Reclaim return soon, those under way too, and may fail with kUnavailable: before a shard is
  // closed.
  virtual void StopCompactions() = 0;
  // Looks for files that are no longer used and are there all the same.
  virtual void RemoveUnused() {}
  virtual ShardStats Stats() = 0;
};

}  // namespace lapse::store
