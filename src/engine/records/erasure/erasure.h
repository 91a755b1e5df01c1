// The deletion of a whole logical partition, stored until the records of its items are removed
// (docs/design/partition-key-delete.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "ttl/policy.h"

namespace lapse::engine {

// All items of the key up to the sequence were deleted at this time. Immutable once made.
struct Erasure {
  std::string prefix;     // container and logical key, the prefix of its head keys and members
  Sequence sequence = 0;  // of the erasure itself, among the partition's changes
  int64_t time_ms = 0;
  // As of that moment: they tell which items had expired by then.
  ttl::Policy policy;
  ttl::Floors dead;

  bool Covers(const ttl::Lifetime& lifetime) const { return lifetime.sequence <= sequence; }
  // For a covered item: returns true if it had expired before, so that it was not there to be deleted.
  bool FoundDead(const ttl::Lifetime& lifetime) const { return ttl::IsDead(lifetime, policy, dead, {}, time_ms); }
};

// [container][partition][logical key][sequence]
std::string ErasureKey(PartitionId partition, std::string_view prefix, Sequence sequence);
// The prefix of the keys of a partition's erasures.
std::string ErasuresOf(PartitionId partition);

// [version 1][time 8][policy][dead floors]
std::string EncodeErasure(const Erasure& erasure);
Result<Erasure> DecodeErasure(std::string_view key, std::string_view value);

}  // namespace lapse::engine
