// The effects of policy changes on one partition. They contain sequences, which are counted per partition.
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
  uint64_t revision = 1;   // of the policy to which the fields below belong
  int64_t moment_ms = 0;   // when that policy took effect
  Sequence log_since = 0;  // where the change log begins: changes up to here were not logged
  ttl::Floors dead;        // items that had expired when the policy changed

  bool operator==(const PartitionPolicy&) const = default;
};

// The value in the meta family; the partition is in the key.
std::string EncodePartitionPolicy(const PartitionPolicy& policy);
Result<PartitionPolicy> DecodePartitionPolicy(std::string_view bytes);

// Applies all revisions of the history after the policy's, in order. `last_sequence` is the newest sequence of the
// partition. Nothing may have been written to the partition since the first of these changes. Fails: kCorruption if the
// history lacks one of them.
Status PassRevisions(const ttl::PolicyHistory& history, Sequence last_sequence, PartitionPolicy* policy);

}  // namespace lapse::engine
