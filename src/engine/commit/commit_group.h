// A group of writes to one partition, validated one after the other and committed as one batch.
//
// Each write is judged against the store as the writes before it in the group leave it. `now`, policy and floors are
// those of the commit, so `_ts` never falls as the LSN rises.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/changes/change_log_writer.h"
#include "engine/commit/partition.h"
#include "engine/commit/partition_tally.h"
#include "engine/expiry/cohort_ledger.h"
#include "engine/items/item.h"
#include "engine/items/records.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: one; the partition's leader makes one per group.
class CommitGroup {
 public:
  CommitGroup(Container* container, uint32_t stream, EngineParts* parts);

  // The partition's tally before and after the commit. An error means that nothing of the group is known to have
  // happened.
  Result<PartitionTally> Commit(std::vector<PendingWrite>& pending, PartitionTally tally);
  // Calls every writer back, with its own verdict or with the error of the commit.
  void Answer(std::vector<PendingWrite>& pending, const Result<PartitionTally>& committed);

 private:
  using Verdict = Result<ItemWritten>;

  Verdict Apply(ItemWrite& write);
  Result<std::optional<HeadRecord>> Load(const std::string& head_key);
  Status Judge(const ItemWrite& write, const std::optional<HeadRecord>& live) const;
  bool IsDead(const HeadRecord& stored) const;
  bool IsPurged(const HeadRecord& stored) const;
  void RemoveStored(const std::string& head_key, const HeadRecord& stored, std::string_view document);
  HeadRecord Store(const std::string& head_key, const ItemWrite& write, const std::optional<HeadRecord>& live);
  uint64_t TakeLsn() { return tally_.last_lsn = container_->TakeLsn(); }
  Status WriteBatch();

  Container* const container_;
  const uint32_t stream_;
  EngineParts* const parts_;

  int64_t now_ms_ = 0;
  std::shared_ptr<const ContainerState> state_;
  PartitionTally tally_;
  CohortLedger cohorts_;
  ChangeLogWriter log_;
  store::Batch batch_;
  // Heads as the writes so far leave them; nullopt: deleted.
  std::unordered_map<std::string, std::optional<HeadRecord>> overlay_;
  std::vector<std::string> changed_keys_;
  uint64_t replaced_bytes_ = 0;  // of documents; deleted ones are among them
  std::vector<Verdict> verdicts_;
};

}  // namespace lapse::engine
