#include "store/rocks/reclaim/compactor.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <mutex>

#include "store/rocks/disk_space/write_gate.h"
#include "store/rocks/reclaim/table_removal.h"
#include "store/rocks/rocks_database.h"
#include "store/rocks/rocks_iterators.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// RocksDB's name of an option that can be changed at run time.
constexpr char kNoCompactions[] = "disable_auto_compactions";

}  // namespace

Compactor::Compactor(const RocksDatabase* database, WriteGate* gate)
    : database_(*database), gate_(gate), tables_(database->families().size()) {}

Status Compactor::Compact(FamilyId family, std::string_view begin, std::string_view end) {
  LAPSE_RETURN_IF_ERROR(database_.CheckFamily(family));
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  std::shared_lock lock(tables_[family]);
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // The predicate must also see records that are already at the bottom level.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  const rocksdb::Slice first = begin, last = end;
  return FromRocksRead(database_.db()->CompactRange(options, database_.family(family), begin.empty() ? nullptr : &first,
                                                    end.empty() ? nullptr : &last));
}

Result<Reclaimed> Compactor::Reclaim(FamilyId family, const ReclaimShares& least) {
  LAPSE_RETURN_IF_ERROR(database_.CheckFamily(family));
  const DropPredicate* drop = database_.family_options(family).drop;
  if (drop == nullptr) return Reclaimed::kNothing;
  if (stopped_) return Status(Code::kUnavailable, "compactions are stopped");
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  LAPSE_ASSIGN_OR_RETURN(const std::vector<Table> tables, ListTables(database_.db(), database_.family(family), *drop));
  LAPSE_ASSIGN_OR_RETURN(const bool dropped, DropTables(family, tables));
  if (dropped) return Reclaimed::kSome;
  auto dead_share = [](const Table& table) { return std::max(table.droppable_share, table.deleted_share); };
  const Table* deadest = nullptr;
  bool later = false;
  for (const Table& table : tables) {
    const bool worth_it = (table.droppable_share > 0 && table.droppable_share >= least.droppable) ||
                          (table.deleted_share > 0 && table.deleted_share >= least.deleted);
    if (!worth_it) continue;
    later |= table.being_compacted;
    const bool deader = deadest == nullptr || dead_share(table) > dead_share(*deadest);
    if (deader && !table.being_compacted) deadest = &table;
  }
  if (deadest == nullptr) return later ? Reclaimed::kLater : Reclaimed::kNothing;
  LAPSE_RETURN_IF_ERROR(Compact(family, deadest->first_key, deadest->last_key));
  return Reclaimed::kSome;
}

// RocksDB refuses to delete a table that is no longer at the bottom, and skips one that is being compacted. But it
// would let a compaction begin with a table that is being deleted, and block all writes when that compaction ends. So
// no compaction may begin meanwhile.
Result<bool> Compactor::DropTables(FamilyId family, const std::vector<Table>& tables) {
  const auto droppable = [](const Table& table) { return table.droppable && !table.being_compacted; };
  if (std::none_of(tables.begin(), tables.end(), droppable)) return false;
  rocksdb::DB* const db = database_.db();
  rocksdb::ColumnFamilyHandle* const handle = database_.family(family);
  std::lock_guard lock(tables_[family]);
  const TableRemoval::Prompt prompt;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(db->SetOptions(handle, {{kNoCompactions, "true"}})));
  bool dropped = false;
  for (const Table& table : tables) {
    if (droppable(table) && !stopped_) dropped |= db->DeleteFile(table.name).ok();
  }
  database_.iterators().Forget();
  LAPSE_RETURN_IF_ERROR(FromRocksRead(db->SetOptions(handle, {{kNoCompactions, "false"}})));
  return dropped;
}

Status Compactor::DropFiles(FamilyId family, std::string_view begin, std::string_view end) {
  LAPSE_RETURN_IF_ERROR(database_.CheckFamily(family));
  LAPSE_RETURN_IF_ERROR(gate_->Admit(Room::kReserve));
  const rocksdb::Slice first = begin, last = end;
  const rocksdb::RangePtr range(&first, &last);
  constexpr bool kIncludeEnd = false;
  std::shared_lock lock(tables_[family]);
  const TableRemoval::Prompt prompt;
  const rocksdb::Status status =
      rocksdb::DeleteFilesInRanges(database_.db(), database_.family(family), &range, 1, kIncludeEnd);
  database_.iterators().Forget();
  return FromRocksRead(status);
}

void Compactor::Stop() {
  stopped_ = true;
  database_.db()->DisableManualCompaction();
}

}  // namespace lapse::store
