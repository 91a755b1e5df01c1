// Reads from a RocksDB: single keys, many keys at once, iterators, and the snapshots they read from.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "store/shard.h"

namespace rocksdb {
struct ReadOptions;
}  // namespace rocksdb

namespace lapse::store {

class RocksDatabase;

// Every method implements that of Shard.
// Threads: any.
class RocksReader {
 public:
  // `database` must outlive the reader.
  explicit RocksReader(const RocksDatabase* database) : database_(*database) {}

  Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) const;
  void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                std::vector<Status>* statuses, const ReadOptions& options) const;
  std::unique_ptr<Snapshot> NewSnapshot() const;
  std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) const;
  uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) const;

 private:
  rocksdb::ReadOptions Translate(const ReadOptions& options) const;

  const RocksDatabase& database_;
};

}  // namespace lapse::store
