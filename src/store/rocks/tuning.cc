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

// Sockets and tables share the process's descriptors. 512 tables are 32 GB.
constexpr int kOpenFilesMax = 512;

// One false positive in a hundred.
constexpr double kFilterBitsPerKey = 10;

// Share of the write buffer for its filter: six bits for each record of 200 bytes.
constexpr double kBufferFilterShare = 0.004;

// In a prototype with this buffer size instead of 64 MB, writes of items with twelve index entries were a sixth faster,
// and compactions wrote nearly twice as much.
constexpr uint64_t kSmallBufferBytes = 8 << 20;

// A rarely written family pins the log of all others, so it is flushed when the log exceeds this many times the write
// buffers.
constexpr uint64_t kLogToBufferRatio = 2;

constexpr uint64_t kTableBytes = 64ull << 20;
constexpr uint64_t kBaseLevelBytes = 256ull << 20;

// Limits the disk space that a compaction needs at once; see RocksOptions::free_bytes_min.
constexpr uint64_t kCompactionBytesMax = 256ull << 20;

// Tables are synced in pieces while they are written, which avoids one stall at the end.
constexpr uint64_t kBytesPerSync = 1ull << 20;

rocksdb::BlockBasedTableOptions TableTuning(const FamilyOptions& family, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = family.block_bytes;
  table.block_restart_interval = family.jump_records;
  table.format_version = 5;
  // Indexes and filters count towards the cache, but stay longer than plain blocks. They are not partitioned and take
  // some hundred kilobytes per table. Partitions would fit a tiny cache better, but make look-ups in a warm one two
  // thirds slower.
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

// The cache is divided into shards, each with its own lock. A block larger than a shard is never cached, and the filter
// of a table of small records takes some megabytes.
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

  // After a crash the end of the log may be torn. Everything before the tear counts and nothing after it, so that no
  // write survives without the writes before it. CheckLogs refuses damage that no crash explains.
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;

  // RocksDB must not recover by itself after an error (see WriteGate and DiskEvents).
  db.max_bgerror_resume_count = 0;

  // Releasing an iterator that pinned old tables must not remove them in a request's thread.
  db.avoid_unnecessary_blocking_io = true;

  // Disables timers, and log files next to ours.
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
  // Half of the shared buffer, so that a busy family can be flushed while it is written to.
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
  // An idle family uses one block of this size.
  tuned.arena_block_size = 256 << 10;
  tuned.level_compaction_dynamic_level_bytes = true;
  tuned.target_file_size_base = kTableBytes;
  tuned.max_bytes_for_level_base = kBaseLevelBytes;
  tuned.max_compaction_bytes = kCompactionBytesMax;
  // The youngest tables are too short-lived for compression to pay.
  tuned.compression_per_level = {rocksdb::kNoCompression, rocksdb::kLZ4Compression};
  return tuned;
}

}  // namespace lapse::store
