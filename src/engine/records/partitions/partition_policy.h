// What changes of the policy have left behind in one partition. Sequences count by partition, so these numbers do too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "ttl/floors.h"
#include "ttl/policy_history.h"

namespace lapse::engine {

struct PartitionPolicy {
  uint64_t revision = 1;   // of the policy that the numbers below belong to
  int64_t moment_ms = 0;   // when that policy came into force
  Sequence log_since = 0;  // where the change log begins: changes up to here were not logged
  ttl::Floors dead;        // what had expired when the policy changed

  bool operator==(const PartitionPolicy&) const = default;
};

// The value in the meta family; the partition is in the key.
std::string EncodePartitionPolicy(const PartitionPolicy& policy);
Result<PartitionPolicy> DecodePartitionPolicy(std::string_view bytes);

// Passes all revisions of the history that come after the policy's, one after another. `last_sequence` is the newest
// sequence number of the partition; nothing may have been written to it since the first of these changes.
// Fails: kCorruption if the history lacks one of them.
Status PassRevisions(const ttl::PolicyHistory& history, Sequence last_sequence, PartitionPolicy* policy);

}  // namespace lapse::engine
