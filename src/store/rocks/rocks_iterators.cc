#include "store/rocks/rocks_iterators.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/listener.h>

#include <string>
#include <utility>

#include "base/fetch_ahead.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// In a table's block the next record follows this record's value. For a scan, the beginning of the next record is
// prefetched while this one is processed.
constexpr size_t kFetchedAheadBytes = 512;

// Range deletions in write buffers are looked up when an iterator is created.
bool CanBeKept(const FamilyPlace& family, const IterateOptions& options) {
  return !family.has_deleted_ranges && !options.lower.empty() && !options.upper.empty() && options.fill_cache &&
         !options.scan;
}

}  // namespace

// A RocksDB iterator with everything it points to.
struct RocksIterators::Cursor {
  Cursor(rocksdb::DB* db, const FamilyPlace& place, const IterateOptions& options,
         std::shared_ptr<const rocksdb::Snapshot> stands_on)
      : family(place.handle), alike(options.alike), snapshot(std::move(stands_on)) {
    SetBounds(options);
    rocksdb::ReadOptions read;
    read.snapshot = snapshot.get();
    read.fill_cache = options.fill_cache;
    // Otherwise RocksDB consults the filters.
    read.total_order_seek = !alike;
    read.ignore_range_deletions = !place.has_deleted_ranges;
    if (!lower.empty()) read.iterate_lower_bound = &lower_slice;
    if (!upper.empty()) read.iterate_upper_bound = &upper_slice;
    iterator.reset(db->NewIterator(read, family));
  }

  // RocksDB reads the bounds again at each seek.
  void SetBounds(const IterateOptions& options) {
    lower = options.lower;
    upper = options.upper;
    lower_slice = lower;
    upper_slice = upper;
  }

  rocksdb::ColumnFamilyHandle* const family;
  const bool alike;
  std::string lower, upper;
  rocksdb::Slice lower_slice, upper_slice;
  const std::shared_ptr<const rocksdb::Snapshot> snapshot;  // null: reads as of `sequence`
  uint64_t sequence = 0;
  uint64_t times_forgotten = 0;  // value when it was taken
  std::unique_ptr<rocksdb::Iterator> iterator;
};

class RocksIterators::Walk final : public Iterator {
 public:
  // `home` caches the cursor when the iterator ends. May be null.
  Walk(std::unique_ptr<Cursor> cursor, bool is_scan, RocksIterators* home)
      : cursor_(std::move(cursor)), iterator_(cursor_->iterator.get()), is_scan_(is_scan), home_(home) {}
  ~Walk() override {
    if (home_ != nullptr && iterator_->status().ok()) home_->Keep(std::move(cursor_));
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  bool Valid() const override { return iterator_->Valid(); }
  void SeekToFirst() override { iterator_->SeekToFirst(); }
  void SeekToLast() override { iterator_->SeekToLast(); }
  void Seek(std::string_view key) override { iterator_->Seek(key); }
  void SeekForPrev(std::string_view key) override { iterator_->SeekForPrev(key); }
  void Next() override {
    iterator_->Next();
    if (is_scan_) FetchNext();
  }
  void Prev() override { iterator_->Prev(); }
  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  Status status() const override { return FromRocksRead(iterator_->status()); }

 private:
  void FetchNext() const {
    if (!iterator_->Valid()) return;
    const rocksdb::Slice value = iterator_->value();
    FetchAhead(value.data() + value.size(), kFetchedAheadBytes);
  }

  std::unique_ptr<Cursor> cursor_;
  rocksdb::Iterator* const iterator_;
  const bool is_scan_;
  RocksIterators* const home_;
};

RocksIterators::RocksIterators() = default;

RocksIterators::~RocksIterators() {
  Forget();
}

std::unique_ptr<Iterator> RocksIterators::New(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                                              std::shared_ptr<const rocksdb::Snapshot> snapshot) {
  if (snapshot != nullptr && CanBeKept(family, options)) {
    std::unique_ptr<Cursor> cursor = Take(db, family, options, snapshot->GetSequenceNumber());
    if (cursor != nullptr) return std::make_unique<Walk>(std::move(cursor), false, this);
  }
  const bool is_scan = options.scan || !options.fill_cache;
  return std::make_unique<Walk>(std::make_unique<Cursor>(db, family, options, std::move(snapshot)), is_scan, nullptr);
}

// Without a snapshot, an iterator sees the state at the last sequence number when it was created or refreshed. If that
// number still equals the snapshot's afterwards, both see the same state, because numbers only rise. Then the iterator
// needs no snapshot, which would keep compactions from removing overwritten records. Returns null if something was
// written meanwhile.
std::unique_ptr<RocksIterators::Cursor> RocksIterators::Take(rocksdb::DB* db, const FamilyPlace& family,
                                                             const IterateOptions& options, uint64_t sequence) {
  const uint64_t times_forgotten = times_forgotten_;
  const auto is_last = [&] { return db->GetLatestSequenceNumber() == sequence; };
  const bool was_last = is_last();
  std::unique_ptr<Cursor> cursor =
      TakeKept(family, options.alike, was_last ? std::nullopt : std::optional<uint64_t>(sequence));
  if (cursor == nullptr || cursor->sequence != sequence) {
    if (!was_last) return nullptr;
    if (cursor == nullptr) {
      cursor = std::make_unique<Cursor>(db, family, options, nullptr);
    } else if (!cursor->iterator->Refresh().ok()) {
      return nullptr;
    }
    if (!is_last()) return nullptr;
    cursor->sequence = sequence;
  }
  cursor->times_forgotten = times_forgotten;
  cursor->SetBounds(options);
  return cursor;
}

RocksIterators::Place& RocksIterators::PlaceOf(size_t step) {
  static std::atomic<size_t> threads{0};
  // A query uses several at once.
  constexpr size_t kOfThread = 4;
  thread_local const size_t first = kOfThread * threads++;
  return kept_[(first + step) % kPlaces];
}

std::unique_ptr<RocksIterators::Cursor> RocksIterators::TakeKept(const FamilyPlace& family, bool alike,
                                                                 std::optional<uint64_t> sequence) {
  for (size_t step = 0; step < kPlaces; ++step) {
    Place& place = PlaceOf(step);
    if (place.load(std::memory_order_relaxed) == nullptr) continue;
    std::unique_ptr<Cursor> cursor(place.exchange(nullptr));
    if (cursor == nullptr) continue;
    const bool fits = cursor->family == family.handle && cursor->alike == alike &&
                      (!sequence.has_value() || cursor->sequence == *sequence);
    if (fits) return cursor;
    Keep(std::move(cursor));
  }
  return nullptr;
}

void RocksIterators::Keep(std::unique_ptr<Cursor> cursor) {
  const uint64_t times_forgotten = cursor->times_forgotten;
  for (size_t step = 0; step < kPlaces && times_forgotten == times_forgotten_; ++step) {
    Place& place = PlaceOf(step);
    Cursor* nothing = nullptr;
    if (!place.compare_exchange_strong(nothing, cursor.get())) continue;
    static_cast<void>(cursor.release());  // the slot owns it now
    // Forget may have passed this slot just before the cursor was put into it.
    if (times_forgotten != times_forgotten_) cursor.reset(place.exchange(nullptr));
    return;
  }
}

void RocksIterators::Forget() {
  ++times_forgotten_;
  for (Place& place : kept_) delete place.exchange(nullptr);
}

namespace {

class ForgettingListener : public rocksdb::EventListener {
 public:
  explicit ForgettingListener(std::shared_ptr<RocksIterators> iterators) : iterators_(std::move(iterators)) {}

  const char* Name() const override { return "lapse.forgetting"; }

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { iterators_->Forget(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override { iterators_->Forget(); }

 private:
  const std::shared_ptr<RocksIterators> iterators_;
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> NewForgettingListener(std::shared_ptr<RocksIterators> iterators) {
  return std::make_shared<ForgettingListener>(std::move(iterators));
}

}  // namespace lapse::store
