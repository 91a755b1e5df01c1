// Checks a database as RocksDB sees it, without letting RocksDB change anything.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace rocksdb {
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

namespace lapse::store {

// Checks that the manifest can be read, and that the tables exist with the listed sizes and readable ends. For the
// families in `whole`, verifies every block. Opening for writing would find no more, and might have changed files by
// then. Skips the logs, so that no time or memory is needed to replay them.
// Fails: kCorruption.
Status CheckTables(const rocksdb::DBOptions& tuned, const std::string& path,
                   const std::vector<rocksdb::ColumnFamilyDescriptor>& families, const std::vector<std::string>& whole);

}  // namespace lapse::store
