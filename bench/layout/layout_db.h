// A RocksDB with the store's own settings and a meter on everything it reads and writes. Only bench/layout.cc includes
// this.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/bare_rocks.h"
#include "store/rocks/drop_filter.h"
#include "store/rocks/tuning.h"

namespace lapse::bench {

struct Traffic {
  uint64_t flushed = 0;
  uint64_t compact_read = 0;
  uint64_t compact_written = 0;

  Traffic operator-(const Traffic& before) const {
    return {flushed - before.flushed, compact_read - before.compact_read, compact_written - before.compact_written};
  }
};

// Owns: the database.
class LayoutDb {
 public:
  LayoutDb(const std::string& path, const std::vector<store::FamilyOptions>& families,
           const store::RocksOptions& options) {
    rocksdb::DBOptions tuned = store::DatabaseTuning(options);
    tuned.create_missing_column_families = true;
    tuned.statistics = statistics_ = rocksdb::CreateDBStatistics();
    auto cache = rocksdb::NewLRUCache(options.cache_bytes);
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName, store::FamilyTuning(options, {}, cache, nullptr));
    for (const store::FamilyOptions& family : families) {
      filters_.push_back(store::NewDropFilter(family.drop));
      descriptors.emplace_back(family.name, store::FamilyTuning(options, family, cache, filters_.back().get()));
    }
    rocksdb::DB* db = nullptr;
    Check(rocksdb::DB::Open(tuned, path, descriptors, &handles_, &db));
    db_.reset(db);
  }
  ~LayoutDb() {
    for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  }
  LayoutDb(const LayoutDb&) = delete;
  LayoutDb& operator=(const LayoutDb&) = delete;

  // The families in the order in which they were given.
  rocksdb::ColumnFamilyHandle* family(size_t index) const { return handles_[index + 1]; }

  void Write(rocksdb::WriteBatch* batch) { Check(db_->Write(rocksdb::WriteOptions(), batch)); }

  // Shows the value to `visit`, without a copy; false when there is none.
  template <typename Visit>
  bool Get(size_t index, std::string_view key, Visit visit) {
    rocksdb::PinnableSlice value;
    if (!db_->Get(rocksdb::ReadOptions(), family(index), {key.data(), key.size()}, &value).ok()) return false;
    visit(std::string_view(value.data(), value.size()));
    return true;
  }

  // Everything in tables, and nothing left to do in the background.
  void Settle() {
    Check(db_->Flush(rocksdb::FlushOptions(), handles_));
    for (bool busy = true; busy;) {
      usleep(10'000);
      busy = false;
      for (const char* property : {"rocksdb.compaction-pending", "rocksdb.num-running-compactions",
                                   "rocksdb.num-running-flushes", "rocksdb.mem-table-flush-pending"}) {
        for (rocksdb::ColumnFamilyHandle* handle : handles_) {
          uint64_t count = 0;
          busy |= db_->GetIntProperty(handle, property, &count) && count > 0;
        }
      }
    }
  }

  void Compact(size_t index) { CompactBelow(index, nullptr); }

  // For keys that are all dead below the end. Whole tables of them go without a byte being read or written; what is
  // left of them shares a table with the living, or is in the youngest tables, which RocksDB does not drop.
  void ReclaimBelow(size_t index, const std::string& end) {
    rocksdb::Slice limit(end);
    rocksdb::RangePtr range(nullptr, &limit);
    Check(rocksdb::DeleteFilesInRanges(db_.get(), family(index), &range, 1, false));
    CompactBelow(index, &limit);
  }

  void SaveAs(const std::string& path) {
    rocksdb::Checkpoint* checkpoint = nullptr;
    Check(rocksdb::Checkpoint::Create(db_.get(), &checkpoint));
    std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
    Check(owned->CreateCheckpoint(path));
  }

  Traffic traffic() const {
    return {statistics_->getTickerCount(rocksdb::FLUSH_WRITE_BYTES),
            statistics_->getTickerCount(rocksdb::COMPACT_READ_BYTES),
            statistics_->getTickerCount(rocksdb::COMPACT_WRITE_BYTES)};
  }

  uint64_t TableBytes() const {
    uint64_t sum = 0;
    for (rocksdb::ColumnFamilyHandle* handle : handles_) {
      uint64_t bytes = 0;
      if (db_->GetIntProperty(handle, rocksdb::DB::Properties::kLiveSstFilesSize, &bytes)) sum += bytes;
    }
    return sum;
  }

 private:
  void CompactBelow(size_t index, const rocksdb::Slice* end) {
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    Check(db_->CompactRange(options, family(index), nullptr, end));
  }

  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::vector<std::shared_ptr<rocksdb::CompactionFilter>> filters_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // RocksDB's default family first
};

}  // namespace lapse::bench
