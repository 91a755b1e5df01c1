#include "store/rocks/reclaim/table_list.h"

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/table_properties.h>

#include <algorithm>
#include <utility>

#include "store/rocks/reclaim/table_sample.h"
#include "store/rocks/reclaim/table_summary.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// The tables of one level. Below the top level they are disjoint and sorted by key.
class Level {
 public:
  void Add(const Table& table) {
    tables_.push_back(&table);
    bytes_before_.push_back(bytes_before_.back() + table.bytes);
  }

  uint64_t BytesOverlapping(const Table& table) const {
    if (!tables_.empty() && tables_.front()->level == 0) {
      uint64_t bytes = 0;
      for (const Table* other : tables_) {
        const bool overlaps = other->first_key <= table.last_key && other->last_key >= table.first_key;
        if (overlaps) bytes += other->bytes;
      }
      return bytes;
    }
    const auto first = std::partition_point(tables_.begin(), tables_.end(),
                                            [&](const Table* other) { return other->last_key < table.first_key; });
    const auto end = std::partition_point(first, tables_.end(),
                                          [&](const Table* other) { return other->first_key <= table.last_key; });
    return bytes_before_[static_cast<size_t>(end - tables_.begin())] -
           bytes_before_[static_cast<size_t>(first - tables_.begin())];
  }

 private:
  std::vector<const Table*> tables_;
  std::vector<uint64_t> bytes_before_ = {0};
};

// Assumes that the deletions of a table hide records of the family's average size in that table and below.
void EstimateDeleted(uint64_t records, std::vector<Table>* tables) {
  if (tables->empty() || records == 0) return;
  std::vector<Level> levels(static_cast<size_t>(tables->back().level) + 1);
  uint64_t bytes = 0;
  for (const Table& table : *tables) {
    levels[static_cast<size_t>(table.level)].Add(table);
    bytes += table.bytes;
  }
  const double record_bytes = static_cast<double>(bytes) / static_cast<double>(records);
  for (Table& table : *tables) {
    if (table.deletions == 0) continue;
    uint64_t together = 0;  // including the table itself
    for (auto level = static_cast<size_t>(table.level); level < levels.size(); ++level) {
      together += levels[level].BytesOverlapping(table);
    }
    const double hidden = std::min(static_cast<double>(table.deletions) * record_bytes,
                                   static_cast<double>(together) - static_cast<double>(table.bytes));
    if (together > 0) table.deleted_share = hidden / static_cast<double>(together);
  }
}

}  // namespace

Result<std::vector<Table>> ListTables(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, const DropPredicate& drop) {
  rocksdb::TablePropertiesCollection properties;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(db->GetPropertiesOfAllTables(family, &properties)));
  rocksdb::ColumnFamilyMetaData metadata;
  db->GetColumnFamilyMetaData(family, &metadata);
  const auto last = std::find_if(metadata.levels.rbegin(), metadata.levels.rend(),
                                 [](const rocksdb::LevelMetaData& level) { return !level.files.empty(); });
  std::vector<Table> tables;
  uint64_t records = 0;
  for (const rocksdb::LevelMetaData& level : metadata.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      // RocksDB keys these properties by path.
      const auto found = properties.find(file.db_path + file.name);
      Table table{file.name, file.smallestkey, file.largestkey, level.level, file.size};
      if (found == properties.end()) {
        // Created since the properties were read: left for a later call.
        table.being_compacted = true;
        table.droppable_share = 1;
        tables.push_back(std::move(table));
        continue;
      }
      const rocksdb::TableProperties& known = *found->second;
      table.deletions = known.num_deletions;
      table.being_compacted = file.being_compacted;
      table.droppable_share = DroppableShare(known, drop);
      const bool at_the_bottom = level.level > 0 && level.level == last->level;
      table.droppable =
          at_the_bottom && (drop.MayDropBetween(table.first_key, table.last_key) || MayDropTable(known, drop));
      records += known.num_entries - known.num_deletions;
      tables.push_back(std::move(table));
    }
  }
  EstimateDeleted(records, &tables);
  return tables;
}

}  // namespace lapse::store
