// The tables of a family, and what can be told of them without reading them.
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
  double deleted_share = 0;    // of its bytes and of those it lies over: what its deletions hide, about
  bool droppable = false;      // all of it, and there is nothing below
};

// By level from the top.
Result<std::vector<Table>> ListTables(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, const DropPredicate& drop);

}  // namespace lapse::store
