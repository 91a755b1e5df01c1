// A RocksDB with its families, from checking its files to closing it cleanly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/rocks/rocks_shard.h"
#include "store/shard.h"

namespace rocksdb {
class Cache;
class ColumnFamilyHandle;
class DB;
class Env;
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

namespace lapse::store {

struct DiskEvents;
class RocksIterators;
class ShardFiles;
class TableRemoval;

// Owns: the files and the database in them.
// Threads: any, except for Close and the destructor.
class RocksDatabase {
 public:
  // Fails: as OpenRocksShard.
  static Result<std::unique_ptr<RocksDatabase>> Open(const RocksOptions& options,
                                                     const std::vector<FamilyOptions>& families,
                                                     const std::shared_ptr<DiskEvents>& events);
  // Calls Close(false) unless it was closed before.
  ~RocksDatabase();
  RocksDatabase(const RocksDatabase&) = delete;
  RocksDatabase& operator=(const RocksDatabase&) = delete;

  // Ends all background work, then releases the files. `sound`: no write has failed, so the next start may check the
  // files by their sizes (inventory.h).
  void Close(bool sound);

  // Returns kInvalidArgument for a family that it was not opened with. The other methods require a family that passes.
  Status CheckFamily(FamilyId family) const;
  rocksdb::ColumnFamilyHandle* family(FamilyId family) const { return families_[family]; }
  const FamilyOptions& family_options(FamilyId family) const { return family_options_[family]; }
  const std::vector<rocksdb::ColumnFamilyHandle*>& families() const { return families_; }  // by FamilyId

  rocksdb::DB* db() const { return db_.get(); }
  const std::shared_ptr<rocksdb::Cache>& cache() const { return cache_; }  // shared by all families
  RocksIterators& iterators() const { return *iterators_; }
  bool in_memory() const { return in_memory_; }

 private:
  RocksDatabase(bool in_memory, const std::vector<FamilyOptions>& families);

  Status OpenFiles(const RocksOptions& options, const std::shared_ptr<DiskEvents>& events);
  Status OpenFamilies(const rocksdb::DBOptions& tuned, const RocksOptions& options);
  Status OpenToWrite(const rocksdb::DBOptions& tuned, const std::string& path,
                     const std::vector<rocksdb::ColumnFamilyDescriptor>& present,
                     const std::vector<rocksdb::ColumnFamilyDescriptor>& missing);
  Status OpenToRead(const rocksdb::DBOptions& tuned, const std::string& path,
                    const std::vector<rocksdb::ColumnFamilyDescriptor>& present,
                    const std::vector<rocksdb::ColumnFamilyDescriptor>& missing);
  void ChooseEnv(const RocksOptions& options);
  std::vector<rocksdb::ColumnFamilyDescriptor> Describe(const RocksOptions& options);
  Status TakeMissing(const rocksdb::DBOptions& tuned, const std::string& path,
                     std::vector<rocksdb::ColumnFamilyDescriptor>* present,
                     std::vector<rocksdb::ColumnFamilyDescriptor>* missing) const;
  std::vector<std::string> CheckedAtOpen() const;
  bool HasDatabase() const;
  rocksdb::ColumnFamilyHandle* Find(const std::string& name) const;

  const bool in_memory_;
  const std::vector<FamilyOptions> family_options_;  // by FamilyId
  // Destroyed in reverse order: the database goes before what it uses.
  std::unique_ptr<TableRemoval> removal_;  // null in memory
  std::shared_ptr<rocksdb::Env> env_;
  std::unique_ptr<ShardFiles> files_;  // null in memory
  std::shared_ptr<rocksdb::Cache> cache_;
  const std::shared_ptr<RocksIterators> iterators_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;   // all of them, in any order
  std::vector<rocksdb::ColumnFamilyHandle*> families_;  // by FamilyId
};

}  // namespace lapse::store
