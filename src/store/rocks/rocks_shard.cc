#include "store/rocks/rocks_shard.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <typeinfo>
#include <utility>

#include "base/log.h"
#include "store/failed_iterator.h"
#include "store/rocks/check/table_check.h"
#include "store/rocks/directory/file_names.h"
#include "store/rocks/directory/shard_files.h"
#include "store/rocks/disk_space/disk_events.h"
#include "store/rocks/disk_space/write_gate.h"
#include "store/rocks/reclaim/background_priority.h"
#include "store/rocks/reclaim/table_list.h"
#include "store/rocks/reclaim/table_removal.h"
#include "store/rocks/rocks_iterator.h"
#include "store/rocks/status_map.h"
#include "store/rocks/tuning.h"

namespace lapse::store {
namespace {

// RocksDB's name of an option that can be changed while it runs.
constexpr char kNoCompactions[] = "disable_auto_compactions";

// Before the disk is so full that writes are refused, at this many times the free bytes, removals no longer rest.
constexpr uint64_t kHurryBelow = 2;

// What RocksDB puts around a key and a value in a batch: tag, family and two lengths.
constexpr size_t kOperationOverheadBytes = 16;

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

// RocksDB's threads, with these files and this clock.
class ShardEnv : public rocksdb::EnvWrapper {
 public:
  ShardEnv(const std::shared_ptr<rocksdb::FileSystem>& files, std::shared_ptr<rocksdb::SystemClock> clock)
      : EnvWrapper(rocksdb::NewCompositeEnv(files)) {
    file_system_ = files;
    system_clock_ = std::move(clock);
  }
  const char* Name() const override { return "lapse.shard"; }
};

struct RocksHolder final : PinnedValue::Holder {
  std::shared_ptr<rocksdb::Cache> cache;  // whose block the slice may pin, so that it may outlive the shard
  rocksdb::PinnableSlice slice;
};

// Shared with the iterators that walk it, which may outlive it.
class RocksSnapshot : public Snapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB* db)
      : snapshot_(db->GetSnapshot(), [db](const rocksdb::Snapshot* snapshot) { db->ReleaseSnapshot(snapshot); }) {}

  const std::shared_ptr<const rocksdb::Snapshot>& get() const { return snapshot_; }

 private:
  const std::shared_ptr<const rocksdb::Snapshot> snapshot_;
};

// What `value` already holds, let go of, or a new holder.
RocksHolder* ReusableHolder(PinnedValue* value) {
  value->SetView({});
  if (PinnedValue::Holder* holder = value->holder(); holder != nullptr) {
    // Cheaper than a dynamic cast, and exact: the class is final.
    if (typeid(*holder) == typeid(RocksHolder)) {
      auto* reused = static_cast<RocksHolder*>(holder);
      reused->slice.Reset();
      return reused;
    }
  }
  auto made = std::make_unique<RocksHolder>();
  RocksHolder* holder = made.get();
  value->Set(std::move(made), {});
  return holder;
}

std::vector<std::string> CheckedAtOpen(const std::vector<FamilyOptions>& families) {
  std::vector<std::string> names;
  for (const FamilyOptions& family : families) {
    if (family.check_at_open) names.push_back(family.name);
  }
  return names;
}

class RocksShard : public Shard {
 public:
  explicit RocksShard(bool in_memory) : in_memory_(in_memory) {}
  ~RocksShard() override;

  Status Open(const RocksOptions& options, const std::vector<FamilyOptions>& families);

  Status Write(const Batch& batch, Durability durability, Room room) override;
  Status Writable() override { return gate_->Admit(Room::kOrdinary); }
  Status Get(FamilyId family, std::string_view key, PinnedValue* value) override;
  std::unique_ptr<Snapshot> NewSnapshot() override { return std::make_unique<RocksSnapshot>(db_.get()); }
  std::unique_ptr<Iterator> NewIterator(FamilyId family, const IterateOptions& options) override;
  Status Compact(FamilyId family, std::string_view begin, std::string_view end) override;
  Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least) override;
  Status DropFiles(FamilyId family, std::string_view begin, std::string_view end) override;
  Status Flush() override;
  void StopCompactions() override;
  void RemoveUnused() override;
  ShardStats Stats() override;

 private:
  void ChooseEnv(const RocksOptions& options);
  std::vector<rocksdb::ColumnFamilyDescriptor> Describe(const RocksOptions& options,
                                                        const std::vector<FamilyOptions>& families);
  Status OpenFamilies(const rocksdb::DBOptions& tuned, const RocksOptions& options,
                      const std::vector<FamilyOptions>& families);
  Status TakeMissing(const rocksdb::DBOptions& tuned, const std::string& path,
                     std::vector<rocksdb::ColumnFamilyDescriptor>* present,
                     std::vector<rocksdb::ColumnFamilyDescriptor>* missing) const;
  bool HasDatabase() const { return files_ != nullptr && files_->has_database(); }
  bool CloseDatabase();
  rocksdb::ColumnFamilyHandle* Find(const std::string& name) const;
  Result<bool> DropTables(FamilyId family, const std::vector<Table>& tables);
  Status CheckFamily(FamilyId family) const;
  Status Fill(const Batch& batch, rocksdb::WriteBatch* out) const;

  const bool in_memory_;
  // The order is that of destruction, backwards: the database goes before what it uses.
  std::unique_ptr<TableRemoval> removal_;  // null in memory
  std::shared_ptr<rocksdb::Env> env_;
  std::unique_ptr<ShardFiles> files_;          // null in memory
  std::vector<FamilyOptions> family_options_;  // by FamilyId
  std::shared_ptr<rocksdb::Cache> cache_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;   // all of them, in no order
  std::vector<rocksdb::ColumnFamilyHandle*> families_;  // by FamilyId
  std::unique_ptr<WriteGate> gate_;
  std::atomic<bool> compactions_stopped_{false};
  std::deque<std::shared_mutex>
      tables_;  // by FamilyId: held alone to drop tables, shared by what compacts or drops files
};

RocksShard::~RocksShard() {
  if (db_ == nullptr) return;
  const bool clean = CloseDatabase();
  if (!clean || files_ == nullptr) return;
  const Status ended = files_->EndWriting();
  if (!ended.ok()) Log(LogLevel::kWarn, "no_inventory", {{"reason", ended.ToString()}});
}

// Whether all that was acknowledged is on stable storage in whole files.
bool RocksShard::CloseDatabase() {
  bool clean = gate_ != nullptr && !gate_->stopped();
  if (clean && !in_memory_) clean = db_->SyncWAL().ok();
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  clean &= db_->Close().ok();
  db_.reset();
  if (removal_ != nullptr) removal_->Finish();
  return clean;
}

Status RocksShard::Open(const RocksOptions& options, const std::vector<FamilyOptions>& families) {
  family_options_ = families;
  ChooseEnv(options);
  rocksdb::DBOptions tuned = DatabaseTuning(options);
  tuned.env = env_.get();
  const auto events = std::make_shared<DiskEvents>();
  tuned.listeners = {NewDiskEventListener(events), NewBackgroundPriorityListener()};

  if (!in_memory_) {
    LAPSE_ASSIGN_OR_RETURN(files_, ShardFiles::Claim(tuned.env, options.path, options.create_if_missing));
  }
  if (HasDatabase()) LAPSE_RETURN_IF_ERROR(files_->Check(options.accept_lost_log_tail));
  LAPSE_RETURN_IF_ERROR(OpenFamilies(tuned, options, families));
  const uint64_t free_bytes_min = in_memory_ ? 0 : options.free_bytes_min;
  gate_ = std::make_unique<WriteGate>(db_.get(), free_bytes_min, events);
  return Status::Ok();
}

Status RocksShard::OpenFamilies(const rocksdb::DBOptions& tuned, const RocksOptions& options,
                                const std::vector<FamilyOptions>& families) {
  std::vector<rocksdb::ColumnFamilyDescriptor> present = Describe(options, families), missing;
  LAPSE_RETURN_IF_ERROR(TakeMissing(tuned, options.path, &present, &missing));
  if (HasDatabase()) {
    LAPSE_RETURN_IF_ERROR(CheckTables(tuned, options.path, present, CheckedAtOpen(families)));
    LAPSE_RETURN_IF_ERROR(files_->BeginWriting());
  }
  rocksdb::DB* db = nullptr;
  LAPSE_RETURN_IF_ERROR(FromRocksOpen(rocksdb::DB::Open(tuned, options.path, present, &handles_, &db)));
  db_.reset(db);
  if (!missing.empty()) {
    std::vector<rocksdb::ColumnFamilyHandle*> created;
    const rocksdb::Status status = db->CreateColumnFamilies(missing, &created);
    handles_.insert(handles_.end(), created.begin(), created.end());
    LAPSE_RETURN_IF_ERROR(FromRocksRead(status));
  }
  for (const FamilyOptions& family : families) {
    families_.push_back(Find(family.name));
    tables_.emplace_back();
  }
  return Status::Ok();
}

// Moves the families that the database does not have yet out of `present`. Made in one call after the open, they cost a
// fraction of what RocksDB needs to make them at open, one by one with a file of options for each.
Status RocksShard::TakeMissing(const rocksdb::DBOptions& tuned, const std::string& path,
                               std::vector<rocksdb::ColumnFamilyDescriptor>* present,
                               std::vector<rocksdb::ColumnFamilyDescriptor>* missing) const {
  std::vector<std::string> names = {rocksdb::kDefaultColumnFamilyName};
  if (HasDatabase()) LAPSE_RETURN_IF_ERROR(FromRocksOpen(rocksdb::DB::ListColumnFamilies(tuned, path, &names)));
  const auto first_missing = std::stable_partition(present->begin(), present->end(), [&](const auto& family) {
    return std::find(names.begin(), names.end(), family.name) != names.end();
  });
  missing->assign(first_missing, present->end());
  present->erase(first_missing, present->end());
  if (present->size() == names.size()) return Status::Ok();
  return {Code::kInvalidArgument, "the shard in " + path + " has families that were not asked for"};
}

rocksdb::ColumnFamilyHandle* RocksShard::Find(const std::string& name) const {
  const auto found = std::find_if(handles_.begin(), handles_.end(),
                                  [&](rocksdb::ColumnFamilyHandle* handle) { return handle->GetName() == name; });
  return found == handles_.end() ? nullptr : *found;
}

void RocksShard::ChooseEnv(const RocksOptions& options) {
  if (options.in_memory) {
    env_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    // RocksDB looks into it before it makes it, and reports an error when it is not there.
    env_->CreateDirIfMissing(options.path).PermitUncheckedError();
    return;
  }
  FileSystemHook* hook = options.file_system.get();
  const auto files = hook == nullptr ? rocksdb::FileSystem::Default() : hook->NewFileSystem();
  auto clock = hook == nullptr ? rocksdb::SystemClock::Default() : hook->NewClock();
  const uint64_t hurry_below_bytes = kHurryBelow * options.free_bytes_min;
  removal_ = TableRemoval::New(files, clock, options.removal, hurry_below_bytes);
  env_ = std::make_shared<ShardEnv>(removal_->files(), std::move(clock));
}

std::vector<rocksdb::ColumnFamilyDescriptor> RocksShard::Describe(const RocksOptions& options,
                                                                  const std::vector<FamilyOptions>& families) {
  cache_ = NewBlockCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  // RocksDB makes this family in every database. It stays empty, so that ours are all alike.
  descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName, FamilyTuning(options, {}, cache_));
  for (const FamilyOptions& family : families) {
    descriptors.emplace_back(family.name, FamilyTuning(options, family, cache_));
  }
  return descriptors;
}

Status RocksShard::CheckFamily(FamilyId family) const {
  if (family < families_.size()) return Status::Ok();
  return {Code::kInvalidArgument, "the shard has no family " + std::to_string(family)};
}

Status RocksShard::Fill(const Batch& batch, rocksdb::WriteBatch* out) const {
  for (const Batch::Operation& operation : batch.operations()) {
    LAPSE_RETURN_IF_ERROR(CheckFamily(operation.family));
    rocksdb::ColumnFamilyHandle* family = families_[operation.family];
    const rocksdb::Slice key = ToSlice(operation.key), value = ToSlice(operation.value);
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
  // A log in memory would survive nothing that the tables in memory do not.
  options.disableWAL = in_memory_;
  options.sync = durability == Durability::kSync && !in_memory_;
  return gate_->Write(options, &filled, room);
}

Status RocksShard::Get(FamilyId family, std::string_view key, PinnedValue* value) {
  RocksHolder* holder = ReusableHolder(value);
  if (holder->cache != cache_) holder->cache = cache_;
  LAPSE_RETURN_IF_ERROR(CheckFamily(family));
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), families_[family], ToSlice(key), &holder->slice);
  if (status.IsNotFound()) return {Code::kNotFound, "no such key"};
  LAPSE_RETURN_IF_ERROR(FromRocksRead(status));
  value->SetView({holder->slice.data(), holder->slice.size()});
  return Status::Ok();
}

std::unique_ptr<Iterator> RocksShard::NewIterator(FamilyId family, const IterateOptions& options) {
  if (Status status = CheckFamily(family); !status.ok()) return NewFailedIterator(std::move(status));
  const auto* snapshot = static_cast<const RocksSnapshot*>(options.snapshot);
  return NewRocksIterator(db_.get(), families_[family], options, snapshot == nullptr ? nullptr : snapshot->get());
}

Result<Reclaimed> RocksShard::Reclaim(FamilyId family, const ReclaimShares& least) {
  LAPSE_RETURN_IF_ERROR(CheckFamily(family));
  const DropPredicate* drop = family_options_[family].drop;
  if (drop == nullptr) return Reclaimed::kNothing;
  if (compactions_stopped_) return Status(Code::kUnavailable, "compactions are stopped");
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  LAPSE_ASSIGN_OR_RETURN(const std::vector<Table> tables, ListTables(db_.get(), families_[family], *drop));
  LAPSE_ASSIGN_OR_RETURN(const bool dropped, DropTables(family, tables));
  if (dropped) return Reclaimed::kSome;
  auto dead_share = [](const Table& table) { return std::max(table.droppable_share, table.deleted_share); };
  const Table* deadest = nullptr;
  bool later = false;
  for (const Table& table : tables) {
    const bool worth_it = (table.droppable_share > 0 && table.droppable_share >= least.droppable) ||
                          (table.deleted_share > 0 && table.deleted_share >= least.deleted);
    if (!worth_it) continue;
    later |= table.being_compacted;
    const bool deader = deadest == nullptr || dead_share(table) > dead_share(*deadest);
    if (deader && !table.being_compacted) deadest = &table;
  }
  if (deadest == nullptr) return later ? Reclaimed::kLater : Reclaimed::kNothing;
  LAPSE_RETURN_IF_ERROR(Compact(family, deadest->first_key, deadest->last_key));
  return Reclaimed::kSome;
}

// RocksDB refuses to delete what is not the bottom any more, and leaves alone what is being compacted. But it would let
// a compaction begin with a table while that is deleted, and stop all writes when it ends: so none may begin.
Result<bool> RocksShard::DropTables(FamilyId family, const std::vector<Table>& tables) {
  const auto droppable = [](const Table& table) { return table.droppable && !table.being_compacted; };
  if (std::none_of(tables.begin(), tables.end(), droppable)) return false;
  std::lock_guard lock(tables_[family]);
  const TableRemoval::Prompt prompt;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(db_->SetOptions(families_[family], {{kNoCompactions, "true"}})));
  bool dropped = false;
  for (const Table& table : tables) {
    if (droppable(table) && !compactions_stopped_) dropped |= db_->DeleteFile(table.name).ok();
  }
  LAPSE_RETURN_IF_ERROR(FromRocksRead(db_->SetOptions(families_[family], {{kNoCompactions, "false"}})));
  return dropped;
}

Status RocksShard::DropFiles(FamilyId family, std::string_view begin, std::string_view end) {
  LAPSE_RETURN_IF_ERROR(CheckFamily(family));
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  const rocksdb::Slice first = ToSlice(begin), last = ToSlice(end);
  const rocksdb::RangePtr range(&first, &last);
  constexpr bool kIncludeEnd = false;
  std::shared_lock lock(tables_[family]);
  const TableRemoval::Prompt prompt;
  return FromRocksRead(rocksdb::DeleteFilesInRanges(db_.get(), families_[family], &range, 1, kIncludeEnd));
}

// All families at once: a log is kept for as long as one of them has something buffered from it.
Status RocksShard::Flush() {
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  return FromRocksRead(db_->Flush(rocksdb::FlushOptions(), families_));
}

Status RocksShard::Compact(FamilyId family, std::string_view begin, std::string_view end) {
  LAPSE_RETURN_IF_ERROR(CheckFamily(family));
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  std::shared_lock lock(tables_[family]);
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Records that are at the bottom already must be asked about too.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  const rocksdb::Slice first = ToSlice(begin), last = ToSlice(end);
  return FromRocksRead(
      db_->CompactRange(options, families_[family], begin.empty() ? nullptr : &first, end.empty() ? nullptr : &last));
}

void RocksShard::StopCompactions() {
  compactions_stopped_ = true;
  db_->DisableManualCompaction();
}

// A table that falls out of use while a job runs that began before it was made stays until the next job.
void RocksShard::RemoveUnused() {
  constexpr bool kWhateverOthersDisabled = false;
  if (db_->DisableFileDeletions().ok()) db_->EnableFileDeletions(kWhateverOthersDisabled).PermitUncheckedError();
}

ShardStats RocksShard::Stats() {
  ShardStats stats;
  std::vector<rocksdb::Env::FileAttributes> files;
  if (db_->GetEnv()->GetChildrenFileAttributes(db_->GetName(), &files).ok()) {
    for (const auto& file : files) {
      stats.disk_bytes += file.size_bytes;
      if (IsTable(file.name)) stats.table_bytes += file.size_bytes;
      if (IsLog(file.name)) stats.buffered_bytes += file.size_bytes;
    }
  }
  uint64_t buffers = 0, tables = 0;
  db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &buffers);
  db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kEstimateTableReadersMem, &tables);
  stats.memory_bytes = cache_->GetUsage() + buffers + tables;
  if (in_memory_) stats.buffered_bytes = buffers;
  return stats;
}

}  // namespace

Result<std::unique_ptr<Shard>> OpenRocksShard(const RocksOptions& options, const std::vector<FamilyOptions>& families) {
  auto shard = std::make_unique<RocksShard>(options.in_memory);
  LAPSE_RETURN_IF_ERROR(shard->Open(options, families));
  return std::unique_ptr<Shard>(std::move(shard));
}

}  // namespace lapse::store
