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
#include <string_view>
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

// To any error about a table RocksDB adds that it was found " in file MANIFEST-5", the list of tables. A missing table
// is named with the file extension of old versions, which RocksDB tries last.
rocksdb::Status WithoutManifest(const rocksdb::Status& status) {
  std::string text = status.getState() == nullptr ? "" : status.getState();
  const size_t list = text.rfind(" in file ");
  if (list == std::string::npos) return status;
  text.resize(list);
  constexpr std::string_view kOldEnding = ".ldb", kEnding = ".sst";
  if (const size_t old = text.find(kOldEnding); old != std::string::npos) text.replace(old, kOldEnding.size(), kEnding);
  return text.find(kEnding) == std::string::npos ? status : rocksdb::Status::Corruption(text);
}

// Reads every block of the family's tables.
Status VerifyBlocks(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family) {
  rocksdb::ColumnFamilyMetaData tables;
  db->GetColumnFamilyMetaData(family, &tables);
  rocksdb::Options options = db->GetOptions(family);
  // The database compared the ids of its tables with the manifest when it was opened. A table read by name alone has no
  // id to compare, and RocksDB would warn about that.
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

// Finds out why a database cannot be opened. RocksDB blames the manifest for all damage, so each table is opened alone
// to find the damaged one.
Status FindDamage(const rocksdb::Status& opened, const rocksdb::DBOptions& tuned, const std::string& path,
                  const std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  std::vector<std::string> names;
  if (!opened.IsCorruption() || !tuned.env->GetChildren(path, &names).ok()) return FromRocksOpen(opened);
  std::sort(names.begin(), names.end());
  // The tables of all families are read in the same way.
  rocksdb::Options options(tuned, families.front().options);
  options.verify_sst_unique_id_in_manifest = false;  // as in VerifyBlocks
  for (const std::string& name : names) {
    if (!IsTable(name)) continue;
    std::string file = path;
    file.append("/").append(name);
    const rocksdb::Status status = rocksdb::SstFileReader(options).Open(file);
    if (status.IsCorruption()) return DamagedTable(file, status);
  }
  return FromRocksOpen(WithoutManifest(opened));
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
