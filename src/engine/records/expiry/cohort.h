// Cohorts: how many items of a partition expire together (docs/design/expiry.md).
//
// A cohort is the items of one rule with the same second as base and with sequences from one chunk. Every commit
// updates its count in the store, so the number of dead items at any second is known without reading items. Counts of
// whole spans of seconds keep the number of reads small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"
#include "ttl/lifetime.h"

namespace lapse::engine {

constexpr int kSpanBits = 12;  // a span is 4,096 seconds
// Sequences continue at the next multiple of 2 to the power of this after a clock reset.
constexpr int kEraBits = 20;

enum class CohortLevel : uint8_t { kSecond = 0, kSpan = 1 };

struct CohortId {
  CohortLevel level = CohortLevel::kSecond;
  ttl::RuleId rule = ttl::kInheritRule;
  int64_t base = 0;    // kSecond: the second; kSpan: the second divided by the span's length
  uint64_t chunk = 0;  // of sequence numbers, see ChunkBits()

  // Returns the cohort of a record, or nullopt if it is in none, because neither a default nor its own ttl can expire
  // it.
  static std::optional<CohortId> Of(const ttl::Lifetime& lifetime, CohortLevel level);

  // A chunk has 2 to the power of this sequences.
  int ChunkBits() const;
  Sequence first_sequence() const { return chunk << ChunkBits(); }
  Sequence last_sequence() const { return first_sequence() + (uint64_t{1} << ChunkBits()) - 1; }
  // For a cohort of one second: the span that also counts it.
  CohortId Span() const;
  // Returns true if that span can be this one, judging by sequences alone.
  bool IsWithin(const CohortId& span) const {
    return first_sequence() >= span.first_sequence() && first_sequence() <= span.last_sequence();
  }
  // The first and the last second of the cohort.
  int64_t first_second() const;
  int64_t last_second() const;

  bool operator==(const CohortId&) const = default;
};

// Keys sort by level and rule, then by base, then by chunk.
std::string CohortKey(PartitionId partition, const CohortId& id);
// The prefix of all cohorts of a level and rule.
std::string CohortPrefix(PartitionId partition, CohortLevel level, ttl::RuleId rule);
// The lower bound of the cohorts with this base or a later one.
std::string CohortBound(PartitionId partition, CohortLevel level, ttl::RuleId rule, int64_t base);
Result<CohortId> DecodeCohortKey(std::string_view key);

std::string EncodeCount(const Count& count);
Result<Count> DecodeCount(std::string_view bytes);

}  // namespace lapse::engine
