// The deletion of a whole logical partition, as it is stored until the records of its items are gone
// (docs/design/partition-key-delete.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "ttl/policy.h"

namespace lapse::engine {

// What the key has up to the sequence number was deleted at this time. Immutable once made.
struct Erasure {
  std::string prefix;     // container and logical key, as head keys and members begin with them
  Sequence sequence = 0;  // its own among the changes of the partition
  int64_t time_ms = 0;
  // Of that moment: they tell what had expired by then.
  ttl::Policy policy;
  ttl::Floors dead;

  bool Covers(const ttl::Lifetime& lifetime) const { return lifetime.sequence <= sequence; }
  // Of an item that it covers: it had expired before, so it was not there to be deleted.
  bool FoundDead(const ttl::Lifetime& lifetime) const { return ttl::IsDead(lifetime, policy, dead, {}, time_ms); }
};

// [container][partition][logical key][sequence]
std::string ErasureKey(PartitionId partition, std::string_view prefix, Sequence sequence);
// What the keys of a partition's erasures begin with.
std::string ErasuresOf(PartitionId partition);

// [version 1][time 8][policy][dead floors]
std::string EncodeErasure(const Erasure& erasure);
Result<Erasure> DecodeErasure(std::string_view key, std::string_view value);

}  // namespace lapse::engine
