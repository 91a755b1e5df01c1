// The inventory that a clean shutdown leaves for the next start: the names and sizes of a shard's files.
//
// After a crash the expected length of the last log or manifest is unknown, and RocksDB mistakes one that lost its end
// for a shorter one. After a clean shutdown the file INVENTORY records the lengths. It exists only while the shard is
// closed.
//
// Text: a title, one line `<size> <name>` per file, sorted by name, and a last line `crc32c <8 hex digits>` over
// everything before it.
#pragma once

#include <string>

#include "base/status.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace lapse::store {

inline constexpr char kInventoryName[] = "INVENTORY";

// Writes the inventory of the directory `path` to stable storage. All listed files must already be there.
Status WriteInventory(rocksdb::Env* env, const std::string& path);

// Returns whether there is an inventory. Fails: kCorruption, naming the file, when the files do not match it.
Result<bool> CheckInventory(rocksdb::Env* env, const std::string& path);

// Durably removes the inventory, before any listed file is changed. Does nothing if there is none.
Status RemoveInventory(rocksdb::Env* env, const std::string& path);

}  // namespace lapse::store
