#include "store/rocks/tuning.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_partitioner.h>
#include <rocksdb/table.h>

#include <algorithm>

#include "store/rocks/all_but_last.h"
#include "store/rocks/log_forwarder.h"
#include "store/rocks/pinned_tables.h"
#include "store/rocks/reclaim/drop_filter.h"
#include "store/rocks/reclaim/table_boundaries.h"
#include "store/rocks/reclaim/table_sample.h"
#include "store/rocks/reclaim/table_summary.h"

namespace lapse::store {
namespace {

// One flush and one compaction at a time leave the other cores to requests.
constexpr int kBackgroundJobs = 2;

// Sockets share the process's descriptors with tables. 512 tables are 32 GB.
constexpr int kOpenFilesMax = 512;

// One false positive in a hundred.
constexpr double kFilterBitsPerKey = 10;

// Of the write buffer, for a filter over it: six bits for each record of 200 bytes.
constexpr double kBufferFilterShare = 0.004;

// In a prototype items with twelve index entries were written a sixth faster with such a buffer than with 64 MB, and
// compactions wrote nearly twice as much.
constexpr uint64_t kSmallBufferBytes = 8 << 20;

// A family that is seldom written pins the log of all others; past this many times the write buffers it is flushed.
constexpr uint64_t kLogToBufferRatio = 2;

constexpr uint64_t kTableBytes = 64ull << 20;
constexpr uint64_t kBaseLevelBytes = 256ull << 20;

// Bounds what a compaction needs on the disk at once; see RocksOptions::free_bytes_min.
constexpr uint64_t kCompactionBytesMax = 256ull << 20;

// Tables reach the disk in pieces while they are written, instead of in one stall at the end.
constexpr uint64_t kBytesPerSync = 1ull << 20;

rocksdb::BlockBasedTableOptions TableTuning(const FamilyOptions& family, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = family.block_bytes;
  table.block_restart_interval = family.jump_records;
  table.format_version = 5;
  // Indexes and filters are held to the size of the cache, and stay longer than plain blocks. They are whole, some
  // hundred kilobytes per table: cut into parts they would fit a tiny cache better, but a look-up in a warm one costs
  // two thirds more.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  if (family.point_lookups) {
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
    table.whole_key_filtering = true;
  } else if (family.alike_but_last_bytes > 0) {
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
    table.whole_key_filtering = false;
  }
  return table;
}

// The cache is divided into parts, each with a lock of its own. A block that is larger than a part is never kept, and
// the filter of a table of small records takes some megabytes.
constexpr uint64_t kCachePartBytesMin = 16ull << 20;
constexpr int kCachePartBitsMax = 6;

}  // namespace

std::shared_ptr<rocksdb::Cache> NewBlockCache(uint64_t bytes) {
  int part_bits = 0;
  while (part_bits < kCachePartBitsMax && bytes >> (part_bits + 1) >= kCachePartBytesMin) ++part_bits;
  return rocksdb::NewLRUCache(bytes, part_bits);
}

rocksdb::DBOptions DatabaseTuning(const RocksOptions& options) {
  rocksdb::DBOptions db;
  db.create_if_missing = options.create_if_missing;
  db.paranoid_checks = true;
  db.max_background_jobs = kBackgroundJobs;
  db.max_open_files = kOpenFilesMax;
  db.max_file_opening_threads = 1;
  db.bytes_per_sync = kBytesPerSync;
  db.db_write_buffer_size = options.write_buffer_bytes;
  db.max_total_wal_size = kLogToBufferRatio * options.write_buffer_bytes;

  // After a crash the end of the log may be torn: everything before the tear counts, nothing after it, so that no write
  // is there without those before it. CheckLogs refuses damage that no crash explains.
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;

  // RocksDB does not go on by itself after an error (WriteGate says why; see also DiskEvents).
  db.max_bgerror_resume_count = 0;

  // The end of an iterator that held old tables does not remove them in the thread of a request.
  db.avoid_unnecessary_blocking_io = true;

  // No timers, and no log files next to ours.
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.info_log = NewLogForwarder();
  return db;
}

rocksdb::ColumnFamilyOptions FamilyTuning(const RocksOptions& options, const FamilyOptions& family,
                                          const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions tuned;
  tuned.table_factory = NewPinnedTables(TableTuning(family, cache));
  if (family.drop != nullptr) {
    tuned.compaction_filter_factory = NewDropFilterFactory(family.drop);
    tuned.table_properties_collector_factories = {NewTableSampler(), NewTableSummarizer(family.drop)};
  }
  if (family.prefix_bytes > 0) tuned.sst_partitioner_factory = NewTableBoundaries(family.prefix_bytes);
  // Half of the shared buffer, so that one busy family is flushed while it is written on.
  tuned.write_buffer_size = std::max<uint64_t>(options.write_buffer_bytes / 2, 1ull << 20);
  if (family.small_buffer) tuned.write_buffer_size = std::min(tuned.write_buffer_size, size_t{kSmallBufferBytes});
  if (family.written_together_bytes > 0) {
    tuned.memtable_insert_with_hint_prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(family.written_together_bytes));
  }
  if (family.alike_but_last_bytes > 0) tuned.prefix_extractor = NewAllButLast(family.alike_but_last_bytes);
  if (family.often_absent) {
    tuned.memtable_prefix_bloom_size_ratio = kBufferFilterShare;
    tuned.memtable_whole_key_filtering = true;
  }
  // Memory of an idle family: one such block.
  tuned.arena_block_size = 256 << 10;
  tuned.level_compaction_dynamic_level_bytes = true;
  tuned.target_file_size_base = kTableBytes;
  tuned.max_bytes_for_level_base = kBaseLevelBytes;
  tuned.max_compaction_bytes = kCompactionBytesMax;
  // The youngest tables live too briefly for compression to pay.
  tuned.compression_per_level = {rocksdb::kNoCompression, rocksdb::kLZ4Compression};
  return tuned;
}

}  // namespace lapse::store
