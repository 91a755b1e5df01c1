// The tables of a family, and what is known of them without reading them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/shard.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
}  // namespace rocksdb

namespace lapse::store {

struct Table {
  std::string name;
  std::string first_key;
  std::string last_key;
  int level = 0;
  uint64_t bytes = 0;
  uint64_t deletions = 0;
  bool being_compacted = false;
  double droppable_share = 0;  // of its bytes, see DropPredicate
  double deleted_share = 0;    // estimated share of deleted records in this table and those it overlaps below
  bool droppable = false;      // all of it, with nothing below
};

// Returns the tables by level from the top.
Result<std::vector<Table>> ListTables(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, const DropPredicate& drop);

}  // namespace lapse::store
