// Looks at a database as RocksDB sees it, without letting RocksDB change anything.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace rocksdb {
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

namespace lapse::store {

// Whether the list of tables can be read and the tables are there, in the size that it says and with ends that can be
// read; of the families in `whole`, whether every block is what was written. An open for writing finds the same at
// best, and may have changed files by then. The logs are not looked at, so that the check takes no time and memory for
// replaying them. Fails: kCorruption.
Status CheckTables(const rocksdb::DBOptions& tuned, const std::string& path,
                   const std::vector<rocksdb::ColumnFamilyDescriptor>& families, const std::vector<std::string>& whole);

}  // namespace lapse::store
