#include "store/rocks/check/table_check.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <memory>

#include "store/rocks/directory/file_names.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

class LogHidingFileSystem : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "lapse.log_hiding"; }

  rocksdb::IOStatus GetChildren(const std::string& path, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names, rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = FileSystemWrapper::GetChildren(path, options, names, debug);
    std::erase_if(*names, [](const std::string& name) { return IsLog(name); });
    return status;
  }
};

// Reads every block of the family's tables.
rocksdb::Status VerifyBlocks(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family) {
  rocksdb::ColumnFamilyMetaData tables;
  db->GetColumnFamilyMetaData(family, &tables);
  const rocksdb::Options options = db->GetOptions(family);
  for (const rocksdb::LevelMetaData& level : tables.levels) {
    for (const rocksdb::SstFileMetaData& table : level.files) {
      rocksdb::Status status =
          rocksdb::VerifySstFileChecksum(options, rocksdb::EnvOptions(options), table.db_path + table.name);
      if (!status.ok()) return status;
    }
  }
  return rocksdb::Status::OK();
}

}  // namespace

Status CheckTables(const rocksdb::DBOptions& tuned, const std::string& path,
                   const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                   const std::vector<std::string>& whole) {
  const std::unique_ptr<rocksdb::Env> env =
      rocksdb::NewCompositeEnv(std::make_shared<LogHidingFileSystem>(tuned.env->GetFileSystem()));
  rocksdb::DBOptions options = tuned;
  options.env = env.get();
  options.listeners.clear();
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, path, families, &handles, &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    const bool is_whole = std::find(whole.begin(), whole.end(), handle->GetName()) != whole.end();
    if (status.ok() && is_whole) status = VerifyBlocks(db.get(), handle);
    db->DestroyColumnFamilyHandle(handle);
  }
  return FromRocksOpen(status);
}

}  // namespace lapse::store
