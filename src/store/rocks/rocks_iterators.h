// Iterators over the families of a RocksDB.
//
// Creating a RocksDB iterator costs as much as a look-up or two, and a query needs one for each partition. So iterators
// are cached for reuse. A cached iterator pins the tables it covers, even after they were replaced, so it is dropped
// when the tables change.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "store/shard.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class EventListener;
class Snapshot;
}  // namespace rocksdb

namespace lapse::store {

struct FamilyPlace {
  rocksdb::ColumnFamilyHandle* handle;
  bool has_deleted_ranges;  // true: it may have some
};

// Threads: any.
// Owns: the cached iterators. Must outlive the iterators it returns.
class RocksIterators {
 public:
  RocksIterators();
  ~RocksIterators();
  RocksIterators(const RocksIterators&) = delete;
  RocksIterators& operator=(const RocksIterators&) = delete;

  // `snapshot` is the RocksDB snapshot behind options.snapshot; null: as of now.
  std::unique_ptr<Iterator> New(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                                std::shared_ptr<const rocksdb::Snapshot> snapshot);
  // Drops the cached iterators. Those in use now will not be cached when they are released.
  void Forget();

 private:
  struct Cursor;
  class Walk;

  // Enough for several queries at once to have some each.
  static constexpr size_t kPlaces = 16;
  using Place = std::atomic<Cursor*>;

  std::unique_ptr<Cursor> Take(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                               uint64_t sequence);
  std::unique_ptr<Cursor> TakeKept(const FamilyPlace& family, bool alike, std::optional<uint64_t> sequence);
  void Keep(std::unique_ptr<Cursor> cursor);
  // Returns slot `step` in an order that begins with this thread's slots. Lock-free, since queries would contend for a
  // lock all the time.
  Place& PlaceOf(size_t step);

  std::array<Place, kPlaces> kept_{};
  std::atomic<uint64_t> times_forgotten_{0};
};

// Calls Forget after each flush and each compaction.
std::shared_ptr<rocksdb::EventListener> NewForgettingListener(std::shared_ptr<RocksIterators> iterators);

}  // namespace lapse::store
