#include "store/rocks/rocks_database.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "store/rocks/check/table_check.h"
#include "store/rocks/directory/shard_files.h"
#include "store/rocks/disk_space/disk_events.h"
#include "store/rocks/reclaim/background_priority.h"
#include "store/rocks/reclaim/table_removal.h"
#include "store/rocks/rocks_iterators.h"
#include "store/rocks/status_map.h"
#include "store/rocks/tuning.h"

namespace lapse::store {
namespace {

// Removals stop resting when the free space is below this many times the limit at which writes are refused.
constexpr uint64_t kHurryBelow = 2;

// An Env with RocksDB's threads and these files and this clock.
class ShardEnv : public rocksdb::EnvWrapper {
 public:
  ShardEnv(const std::shared_ptr<rocksdb::FileSystem>& files, std::shared_ptr<rocksdb::SystemClock> clock)
      : EnvWrapper(rocksdb::NewCompositeEnv(files)) {
    file_system_ = files;
    system_clock_ = std::move(clock);
  }
  const char* Name() const override { return "lapse.shard"; }
};

}  // namespace

RocksDatabase::RocksDatabase(bool in_memory, const std::vector<FamilyOptions>& families)
    : in_memory_(in_memory), family_options_(families), iterators_(std::make_shared<RocksIterators>()) {}

RocksDatabase::~RocksDatabase() {
  Close(false);
}

Result<std::unique_ptr<RocksDatabase>> RocksDatabase::Open(const RocksOptions& options,
                                                           const std::vector<FamilyOptions>& families,
                                                           const std::shared_ptr<DiskEvents>& events) {
  std::unique_ptr<RocksDatabase> database(new RocksDatabase(options.in_memory, families));
  LAPSE_RETURN_IF_ERROR(database->OpenFiles(options, events));
  return database;
}

void RocksDatabase::Close(bool sound) {
  if (db_ == nullptr) return;
  iterators_->Forget();
  // The end is sound only if all acknowledged writes are on stable storage in complete files.
  if (sound && !in_memory_) sound = db_->SyncWAL().ok();
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  sound &= db_->Close().ok();
  db_.reset();
  if (removal_ != nullptr) removal_->Finish();
  if (!sound || files_ == nullptr) return;
  const Status ended = files_->EndWriting();
  if (!ended.ok()) Log(LogLevel::kWarn, "no_inventory", {{"reason", ended.ToString()}});
}

Status RocksDatabase::CheckFamily(FamilyId family) const {
  if (family < families_.size()) return Status::Ok();
  return {Code::kInvalidArgument, "the shard has no family " + std::to_string(family)};
}

Status RocksDatabase::OpenFiles(const RocksOptions& options, const std::shared_ptr<DiskEvents>& events) {
  ChooseEnv(options);
  rocksdb::DBOptions tuned = DatabaseTuning(options);
  tuned.env = env_.get();
  tuned.listeners = {NewDiskEventListener(events), NewBackgroundPriorityListener(), NewForgettingListener(iterators_)};

  if (!in_memory_) {
    LAPSE_ASSIGN_OR_RETURN(files_,
                           ShardFiles::Claim(tuned.env, options.path, options.create_if_missing && !options.read_only));
  }
  if (HasDatabase()) LAPSE_RETURN_IF_ERROR(files_->Check(options.accept_lost_log_tail));
  return OpenFamilies(tuned, options);
}

Status RocksDatabase::OpenFamilies(const rocksdb::DBOptions& tuned, const RocksOptions& options) {
  std::vector<rocksdb::ColumnFamilyDescriptor> present = Describe(options), missing;
  LAPSE_RETURN_IF_ERROR(TakeMissing(tuned, options.path, &present, &missing));
  if (HasDatabase()) LAPSE_RETURN_IF_ERROR(CheckTables(tuned, options.path, present, CheckedAtOpen()));
  LAPSE_RETURN_IF_ERROR(options.read_only ? OpenToRead(tuned, options.path, present, missing)
                                          : OpenToWrite(tuned, options.path, present, missing));
  for (const FamilyOptions& family : family_options_) families_.push_back(Find(family.name));
  return Status::Ok();
}

Status RocksDatabase::OpenToWrite(const rocksdb::DBOptions& tuned, const std::string& path,
                                  const std::vector<rocksdb::ColumnFamilyDescriptor>& present,
                                  const std::vector<rocksdb::ColumnFamilyDescriptor>& missing) {
  if (HasDatabase()) LAPSE_RETURN_IF_ERROR(files_->BeginWriting());
  rocksdb::DB* db = nullptr;
  LAPSE_RETURN_IF_ERROR(FromRocksOpen(rocksdb::DB::Open(tuned, path, present, &handles_, &db)));
  db_.reset(db);
  if (missing.empty()) return Status::Ok();
  std::vector<rocksdb::ColumnFamilyHandle*> created;
  const rocksdb::Status status = db->CreateColumnFamilies(missing, &created);
  handles_.insert(handles_.end(), created.begin(), created.end());
  return FromRocksRead(status);
}

Status RocksDatabase::OpenToRead(const rocksdb::DBOptions& tuned, const std::string& path,
                                 const std::vector<rocksdb::ColumnFamilyDescriptor>& present,
                                 const std::vector<rocksdb::ColumnFamilyDescriptor>& missing) {
  if (!missing.empty()) {
    return {Code::kUnsupported, "the shard in " + path + " has no family '" + missing.front().name +
                                    "', which a start of the server adds: it was left by an older version"};
  }
  rocksdb::DB* db = nullptr;
  LAPSE_RETURN_IF_ERROR(FromRocksOpen(rocksdb::DB::OpenForReadOnly(tuned, path, present, &handles_, &db)));
  db_.reset(db);
  return Status::Ok();
}

void RocksDatabase::ChooseEnv(const RocksOptions& options) {
  if (in_memory_) {
    env_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    // RocksDB lists the directory before creating it, and reports an error if it is missing.
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

std::vector<rocksdb::ColumnFamilyDescriptor> RocksDatabase::Describe(const RocksOptions& options) {
  cache_ = NewBlockCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  // RocksDB creates this family in every database. It stays empty, so that all of ours are treated alike.
  descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName, FamilyTuning(options, {}, cache_));
  for (const FamilyOptions& family : family_options_) {
    descriptors.emplace_back(family.name, FamilyTuning(options, family, cache_));
  }
  return descriptors;
}

// Moves the families missing from the database out of `present`. Creating them in one call after the open is much
// cheaper than letting RocksDB do so at open, one by one and with an options file for each.
Status RocksDatabase::TakeMissing(const rocksdb::DBOptions& tuned, const std::string& path,
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

std::vector<std::string> RocksDatabase::CheckedAtOpen() const {
  std::vector<std::string> names;
  for (const FamilyOptions& family : family_options_) {
    if (family.check_at_open) names.push_back(family.name);
  }
  return names;
}

bool RocksDatabase::HasDatabase() const {
  return files_ != nullptr && files_->has_database();
}

rocksdb::ColumnFamilyHandle* RocksDatabase::Find(const std::string& name) const {
  const auto found = std::find_if(handles_.begin(), handles_.end(),
                                  [&](rocksdb::ColumnFamilyHandle* handle) { return handle->GetName() == name; });
  return found == handles_.end() ? nullptr : *found;
}

}  // namespace lapse::store
