// What a clean end leaves for the next start: the names and sizes of a shard's files.
//
// After a crash nobody knows how long the last log or list of tables was, and RocksDB takes one that lost its end for
// one that was never longer. After a clean end it is known: the file INVENTORY says so. It is there only while nobody
// has the shard open.
//
// Text: a title, one line `<size> <name>` for each file, sorted by name, and a last line `crc32c <8 hex digits>` over
// all before it.
#pragma once

#include <string>

#include "base/status.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace lapse::store {

inline constexpr char kInventoryName[] = "INVENTORY";

// Takes the inventory of the directory `path`. On success it is on stable storage; all that it lists must be already.
Status WriteInventory(rocksdb::Env* env, const std::string& path);

// Answers whether there is an inventory. Fails: kCorruption, naming the file, when what is there is not what it lists.
Result<bool> CheckInventory(rocksdb::Env* env, const std::string& path);

// For good, before anything it lists is changed. Nothing when there is none.
Status RemoveInventory(rocksdb::Env* env, const std::string& path);

}  // namespace lapse::store
