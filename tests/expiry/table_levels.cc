#include "tests/expiry/table_levels.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace lapse::expiry {
namespace {

// RocksDB itself, without Lapse's store.
class RawDatabase {
 public:
  RawDatabase(const std::string& path, const std::string& family) {
    // It lists what a clean shutdown left, which is about to change.
    std::filesystem::remove(std::filesystem::path(path) / "INVENTORY");
    rocksdb::Options options;
    options.disable_auto_compactions = true;
    std::vector<std::string> names;
    EXPECT_TRUE(rocksdb::DB::ListColumnFamilies(options, path, &names).ok());
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    rocksdb::DB* opened = nullptr;
    const rocksdb::Status status = rocksdb::DB::Open(options, path, families, &handles_, &opened);
    EXPECT_TRUE(status.ok()) << status.ToString();
    db_.reset(opened);
    for (rocksdb::ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() == family) family_ = handle;
    }
  }
  ~RawDatabase() {
    for (rocksdb::ColumnFamilyHandle* handle : handles_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
  }

  rocksdb::DB& db() { return *db_; }
  rocksdb::ColumnFamilyHandle* family() { return family_; }
  std::vector<rocksdb::LevelMetaData> Levels() {
    rocksdb::ColumnFamilyMetaData tables;
    db_->GetColumnFamilyMetaData(family_, &tables);
    return tables.levels;
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
  rocksdb::ColumnFamilyHandle* family_ = nullptr;
};

}  // namespace

void MoveNewTables(const std::string& path, const std::string& family, int level) {
  RawDatabase raw(path, family);
  ASSERT_TRUE(raw.db().Flush(rocksdb::FlushOptions(), raw.family()).ok());
  std::vector<std::string> young;
  const std::vector<rocksdb::LevelMetaData> levels = raw.Levels();
  for (const rocksdb::SstFileMetaData& table : levels.front().files) young.push_back(table.name);
  const rocksdb::Status moved = raw.db().CompactFiles(rocksdb::CompactionOptions(), raw.family(), young, level);
  ASSERT_TRUE(moved.ok()) << moved.ToString();
}

std::string LevelsWithTables(const std::string& path, const std::string& family) {
  RawDatabase raw(path, family);
  std::string levels;
  for (const rocksdb::LevelMetaData& level : raw.Levels()) {
    if (!level.files.empty()) levels += std::to_string(level.level);
  }
  return levels;
}

}  // namespace lapse::expiry
