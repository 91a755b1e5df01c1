// Reclaims the space of dead records, by dropping whole tables if possible and else by compaction. (The rest of this
// folder supports that.)
#pragma once

#include <atomic>
#include <deque>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "store/rocks/reclaim/table_list.h"
#include "store/shard.h"

namespace lapse::store {

class RocksDatabase;
class WriteGate;

// Every method except Stop implements that of Shard.
// Threads: any.
class Compactor {
 public:
  // Both must outlive the compactor.
  Compactor(const RocksDatabase* database, WriteGate* gate);

  Status Compact(FamilyId family, std::string_view begin, std::string_view end);
  Result<Reclaimed> Reclaim(FamilyId family, const ReclaimShares& least);
  Status DropFiles(FamilyId family, std::string_view begin, std::string_view end);
  // See Shard::StopCompactions.
  void Stop();

 private:
  Result<bool> DropTables(FamilyId family, const std::vector<Table>& tables);

  const RocksDatabase& database_;
  WriteGate* const gate_;
  std::atomic<bool> stopped_{false};
  // By FamilyId. Held exclusively to drop tables, and shared to compact or to drop files.
  std::deque<std::shared_mutex> tables_;
};

}  // namespace lapse::store
