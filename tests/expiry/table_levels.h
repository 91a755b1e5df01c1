// Arranges the tables of a RocksDB as in a large one: in several levels, the newer above the older.
#pragma once

#include <string>

namespace lapse::expiry {

// Moves all that was written to the family since the last call into one table of this level, 1 to 6. The shard must be
// closed. Fails: with an assertion of the test.
void MoveNewTables(const std::string& path, const std::string& family, int level);
// Returns the levels that have tables, from the top.
std::string LevelsWithTables(const std::string& path, const std::string& family);

}  // namespace lapse::expiry
