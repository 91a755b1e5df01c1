// Walks over the families of a RocksDB.
//
// To make an iterator of RocksDB costs as much as a look-up or two, and a query makes one for each partition. So those
// that a walk has left are kept for walks to come. One that is kept holds the tables it goes over, also those that were
// replaced meanwhile: it is forgotten when the tables change.
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
  bool has_deleted_ranges;  // or may have
};

// Threads: any. Owns: what is kept. Must outlive the walks.
class RocksIterators {
 public:
  RocksIterators();
  ~RocksIterators();
  RocksIterators(const RocksIterators&) = delete;
  RocksIterators& operator=(const RocksIterators&) = delete;

  // `snapshot` is what options.snapshot stands for; null: as of now.
  std::unique_ptr<Iterator> New(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                                std::shared_ptr<const rocksdb::Snapshot> snapshot);
  // Lets go of what is kept. What is in use now is not kept when its walk ends.
  void Forget();

 private:
  struct Cursor;
  class Walk;

  // Queries that run at once have some each.
  static constexpr size_t kPlaces = 16;
  using Place = std::atomic<Cursor*>;

  std::unique_ptr<Cursor> Take(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                               uint64_t sequence);
  std::unique_ptr<Cursor> TakeKept(const FamilyPlace& family, bool alike, std::optional<uint64_t> sequence);
  void Keep(std::unique_ptr<Cursor> cursor);
  // All of them, beginning with those of this thread: without a lock, which queries would wait for all the time.
  Place& PlaceOf(size_t step);

  std::array<Place, kPlaces> kept_{};
  std::atomic<uint64_t> times_forgotten_{0};
};

// Makes them forget after each flush and each compaction.
std::shared_ptr<rocksdb::EventListener> NewForgettingListener(std::shared_ptr<RocksIterators> iterators);

}  // namespace lapse::store
