#include "store/rocks/rocks_shard.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <utility>

#include "store/rocks/directory/file_names.h"
#include "store/rocks/disk_space/disk_events.h"
#include "store/rocks/disk_space/write_gate.h"
#include "store/rocks/reclaim/compactor.h"
#include "store/rocks/rocks_database.h"
#include "store/rocks/rocks_reader.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// RocksDB's overhead per operation in a batch: tag, family and two lengths.
constexpr size_t kOperationOverheadBytes = 16;

// Forwards reads to the reader, writes to the gate, and reclaiming to the compactor.
class RocksShard : public Shard {
 public:
  RocksShard(std::unique_ptr<RocksDatabase> database, uint64_t free_bytes_min, std::shared_ptr<DiskEvents> events)
      : database_(std::move(database)),
        gate_(database_->db(), free_bytes_min, std::move(events)),
        reader_(database_.get()),
        compactor_(database_.get(), &gate_) {}
  ~RocksShard() override { database_->Close(!gate_.stopped()); }

  Status Write(const Batch& batch, Durability durability, Room room) override;
  Status Writable() override { return gate_.Admit(Room::kOrdinary); }
  Status Get(FamilyId family, std::string_view key, PinnedValue* value, const ReadOptions& options) override {
    return reader_.Get(family, key, value, options);
  }
  void MultiGet(FamilyId family, std::span<const std::string_view> keys, std::vector<PinnedValue>* values,
                std::vector<Status>* statuses, const ReadOptions& options) override {
    reader_.MultiGet(family, keys, values, statuses, options);
  }
  std::unique_ptr<Snapshot> NewSnapshot() override { return reader_.NewSnapshot(); }
  std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) override {
    return reader_.NewIterator(family, options);
  }
  uint64_t ApproximateBytes(FamilyId family, std::string_view lower, std::string_view upper) override {
    return reader_.ApproximateBytes(family, lower, upper);
  }
  Status Compact(FamilyId family, std::string_view begin, std::string_view end) override {
    return compactor_.Compact(family, begin, end);
  }
  Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) override {
    return compactor_.Reclaim(family, least);
  }
  Status DropFiles(FamilyId family, std::string_view begin, std::string_view end) override {
    return compactor_.DropFiles(family, begin, end);
  }
  Status Flush() override;
  void StopCompactions() override { compactor_.Stop(); }
  void RemoveUnused() override;
  ShardStats Stats() override;

 private:
  Status Fill(const Batch& batch, rocksdb::WriteBatch* out) const;
  rocksdb::DB* db() const { return database_->db(); }

  const std::unique_ptr<RocksDatabase> database_;
  WriteGate gate_;
  const RocksReader reader_;
  Compactor compactor_;
};

Status RocksShard::Fill(const Batch& batch, rocksdb::WriteBatch* out) const {
  for (const Batch::Operation& operation : batch.operations()) {
    LAPSE_RETURN_IF_ERROR(database_->CheckFamily(operation.family));
    LAPSE_RETURN_IF_ERROR(CheckOperation(operation, database_->family_options(operation.family)));
    rocksdb::ColumnFamilyHandle* family = database_->family(operation.family);
    const rocksdb::Slice key = operation.key, value = operation.value;
    rocksdb::Status status;
    switch (operation.kind) {
      case Batch::Kind::kPut: status = out->Put(family, key, value); break;
      case Batch::Kind::kDelete: status = out->Delete(family, key); break;
      case Batch::Kind::kDeleteRange:
        if (operation.key < operation.value) status = out->DeleteRange(family, key, value);
        break;
    }
    LAPSE_RETURN_IF_ERROR(FromRocksRead(status));
  }
  return Status::Ok();
}

Status RocksShard::Write(const Batch& batch, Durability durability, Room room) {
  rocksdb::WriteBatch filled(batch.byte_size() + batch.operations().size() * kOperationOverheadBytes);
  LAPSE_RETURN_IF_ERROR(Fill(batch, &filled));
  rocksdb::WriteOptions options;
  // A log in memory would not survive anything that the in-memory tables do not.
  options.disableWAL = database_->in_memory();
  options.sync = durability == Durability::kSync && !database_->in_memory();
  return gate_.Write(options, &filled, room);
}

// Flushes all families at once, because a log is kept while any of them has buffered writes in it.
Status RocksShard::Flush() {
  LAPSE_RETURN_IF_ERROR(gate_.Admit(Room::kReserve));
  return FromRocksRead(db()->Flush(rocksdb::FlushOptions(), database_->families()));
}

// A table that falls out of use during a job that began before the table was made stays until the next job.
void RocksShard::RemoveUnused() {
  constexpr bool kWhateverOthersDisabled = false;
  if (db()->DisableFileDeletions().ok()) db()->EnableFileDeletions(kWhateverOthersDisabled).PermitUncheckedError();
}

ShardStats RocksShard::Stats() {
  ShardStats stats;
  std::vector<rocksdb::Env::FileAttributes> files;
  if (db()->GetEnv()->GetChildrenFileAttributes(db()->GetName(), &files).ok()) {
    for (const auto& file : files) {
      stats.disk_bytes += file.size_bytes;
      if (IsTable(file.name)) stats.table_bytes += file.size_bytes;
      if (IsLog(file.name)) stats.buffered_bytes += file.size_bytes;
    }
  }
  uint64_t buffers = 0, tables = 0;
  db()->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &buffers);
  db()->GetAggregatedIntProperty(rocksdb::DB::Properties::kEstimateTableReadersMem, &tables);
  stats.memory_bytes = database_->cache()->GetUsage() + buffers + tables;
  if (database_->in_memory()) stats.buffered_bytes = buffers;
  return stats;
}

}  // namespace

Result<std::unique_ptr<Shard>> OpenRocksShard(const RocksOptions& options, const std::vector<FamilyOptions>& families) {
  auto events = std::make_shared<DiskEvents>();
  LAPSE_ASSIGN_OR_RETURN(auto database, RocksDatabase::Open(options, families, events));
  const uint64_t free_bytes_min = options.in_memory ? 0 : options.free_bytes_min;
  return std::unique_ptr<Shard>(std::make_unique<RocksShard>(std::move(database), free_bytes_min, std::move(events)));
}

}  // namespace lapse::store
