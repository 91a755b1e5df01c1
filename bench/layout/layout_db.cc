#include "bench/layout/layout_db.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include "bench/measure/bare_rocks.h"
#include "store/rocks/tuning.h"

namespace lapse::bench {
namespace {

constexpr useconds_t kSettlePoll_us = 10'000;

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace

struct LayoutDb::Parts {
  // RocksDB's default family is the first.
  rocksdb::ColumnFamilyHandle* family(size_t index) const { return handles[index + 1]; }

  void CompactBelow(size_t index, const rocksdb::Slice* end) const {
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    Check(db->CompactRange(options, family(index), nullptr, end));
  }

  bool IsBusy() const {
    bool busy = false;
    for (const char* property : {"rocksdb.compaction-pending", "rocksdb.num-running-compactions",
                                 "rocksdb.num-running-flushes", "rocksdb.mem-table-flush-pending"}) {
      for (rocksdb::ColumnFamilyHandle* handle : handles) {
        uint64_t count = 0;
        busy |= db->GetIntProperty(handle, property, &count) && count > 0;
      }
    }
    return busy;
  }

  std::shared_ptr<rocksdb::Statistics> statistics = rocksdb::CreateDBStatistics();
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
};

LayoutDb::LayoutDb(const std::string& path, const std::vector<store::FamilyOptions>& families,
                   const store::RocksOptions& options)
    : parts_(std::make_unique<Parts>()) {
  rocksdb::DBOptions tuned = store::DatabaseTuning(options);
  tuned.create_missing_column_families = true;
  tuned.statistics = parts_->statistics;
  auto cache = store::NewBlockCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName, store::FamilyTuning(options, {}, cache));
  for (const store::FamilyOptions& family : families) {
    descriptors.emplace_back(family.name, store::FamilyTuning(options, family, cache));
  }
  rocksdb::DB* db = nullptr;
  Check(rocksdb::DB::Open(tuned, path, descriptors, &parts_->handles, &db));
  parts_->db.reset(db);
}

LayoutDb::~LayoutDb() {
  for (rocksdb::ColumnFamilyHandle* handle : parts_->handles) parts_->db->DestroyColumnFamilyHandle(handle);
}

struct LayoutDb::Group::Batch {
  rocksdb::WriteBatch batch;
};

LayoutDb::Group::Group(LayoutDb* db) : db_(db), batch_(std::make_unique<Batch>()) {}

LayoutDb::Group::~Group() = default;

void LayoutDb::Group::Put(size_t family, std::string_view key, std::string_view value) {
  Check(batch_->batch.Put(db_->parts_->family(family), ToSlice(key), ToSlice(value)));
}

void LayoutDb::Group::Delete(size_t family, std::string_view key) {
  Check(batch_->batch.Delete(db_->parts_->family(family), ToSlice(key)));
}

void LayoutDb::Group::Write() {
  Check(db_->parts_->db->Write(rocksdb::WriteOptions(), &batch_->batch));
}

bool LayoutDb::Find(size_t family, std::string_view key, Visitor visit, void* visitor) {
  rocksdb::PinnableSlice value;
  if (!parts_->db->Get(rocksdb::ReadOptions(), parts_->family(family), ToSlice(key), &value).ok()) return false;
  visit(visitor, std::string_view(value.data(), value.size()));
  return true;
}

void LayoutDb::Settle() {
  Check(parts_->db->Flush(rocksdb::FlushOptions(), parts_->handles));
  do {
    usleep(kSettlePoll_us);
  } while (parts_->IsBusy());
}

void LayoutDb::Compact(size_t family) {
  parts_->CompactBelow(family, nullptr);
}

void LayoutDb::ReclaimBelow(size_t family, const std::string& end) {
  rocksdb::Slice limit(end);
  rocksdb::RangePtr range(nullptr, &limit);
  Check(rocksdb::DeleteFilesInRanges(parts_->db.get(), parts_->family(family), &range, 1, false));
  parts_->CompactBelow(family, &limit);
}

void LayoutDb::SaveAs(const std::string& path) {
  rocksdb::Checkpoint* checkpoint = nullptr;
  Check(rocksdb::Checkpoint::Create(parts_->db.get(), &checkpoint));
  std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
  Check(owned->CreateCheckpoint(path));
}

Traffic LayoutDb::traffic() const {
  return {parts_->statistics->getTickerCount(rocksdb::FLUSH_WRITE_BYTES),
          parts_->statistics->getTickerCount(rocksdb::COMPACT_READ_BYTES),
          parts_->statistics->getTickerCount(rocksdb::COMPACT_WRITE_BYTES)};
}

uint64_t LayoutDb::TableBytes() const {
  uint64_t sum = 0;
  for (rocksdb::ColumnFamilyHandle* handle : parts_->handles) {
    uint64_t bytes = 0;
    if (parts_->db->GetIntProperty(handle, rocksdb::DB::Properties::kLiveSstFilesSize, &bytes)) sum += bytes;
  }
  return sum;
}

}  // namespace lapse::bench
