#include "store/rocks/check/table_check.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

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

Status DamagedTable(const std::string& path, const rocksdb::Status& status) {
  return {Code::kCorruption, "the table " + path + " is damaged: " + status.ToString()};
}

// Without RocksDB's guess at the end that the list of tables is to blame.
rocksdb::Status WithoutManifest(const rocksdb::Status& status) {
  std::string text = status.getState() == nullptr ? "" : status.getState();
  return rocksdb::Status::Corruption(text.substr(0, text.find("  The file ")));
}

// Reads every block of the family's tables.
Status VerifyBlocks(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family) {
  rocksdb::ColumnFamilyMetaData tables;
  db->GetColumnFamilyMetaData(family, &tables);
  rocksdb::Options options = db->GetOptions(family);
  // The database has compared the ids of its tables with its list when it was opened. A table that is read by its name
  // alone has no id to be compared with, and RocksDB would warn of that.
  options.verify_sst_unique_id_in_manifest = false;
  for (const rocksdb::LevelMetaData& level : tables.levels) {
    for (const rocksdb::SstFileMetaData& table : level.files) {
      const std::string file = table.db_path + table.name;
      const rocksdb::Status status = rocksdb::VerifySstFileChecksum(options, rocksdb::EnvOptions(options), file);
      if (status.IsCorruption()) return DamagedTable(file, status);
      if (!status.ok()) return FromRocksOpen(status);
    }
  }
  return Status::Ok();
}

// Why a database cannot be opened. RocksDB says of every damage that the list of tables may be the cause, and often
// does not say which table it was: so each is opened alone.
Status FindDamage(const rocksdb::Status& opened, const rocksdb::DBOptions& tuned, const std::string& path,
                  const std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  std::vector<std::string> names;
  if (!opened.IsCorruption() || !tuned.env->GetChildren(path, &names).ok()) return FromRocksOpen(opened);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!IsTable(name)) continue;
    std::string file = path;
    file.append("/").append(name);
    // The tables of all families are read alike.
    const rocksdb::Status status = rocksdb::SstFileReader(rocksdb::Options(tuned, families.front().options)).Open(file);
    if (status.IsCorruption()) return DamagedTable(file, status);
    // A size that is not that of the list, which no table knows of itself.
    if (opened.ToString().find(name) != std::string::npos) return DamagedTable(file, WithoutManifest(opened));
  }
  return FromRocksOpen(opened);
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
  rocksdb::DB* db_opened = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(options, path, families, &handles, &db_opened);
  const std::unique_ptr<rocksdb::DB> db(db_opened);
  Status checked = opened.ok() ? Status::Ok() : FindDamage(opened, tuned, path, families);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    const bool is_whole = std::find(whole.begin(), whole.end(), handle->GetName()) != whole.end();
    if (checked.ok() && is_whole) checked = VerifyBlocks(db.get(), handle);
    db->DestroyColumnFamilyHandle(handle);
  }
  return checked;
}

}  // namespace lapse::store
