// Cohorts: how many items of a partition die together (docs/design/expiry.md).
//
// A cohort is the items of one rule with the same second as base, and with sequence numbers from one chunk. Its count
// is kept in the store, with every commit, so that what is dead at any second is known without looking at items. Counts
// of whole spans of seconds beside it keep the way short.
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
// After a reset of the clock sequence numbers go on at the next multiple of 2 to the power of this.
constexpr int kEraBits = 20;

enum class CohortLevel : uint8_t { kSecond = 0, kSpan = 1 };

struct CohortId {
  CohortLevel level = CohortLevel::kSecond;
  ttl::RuleId rule = ttl::kInheritRule;
  int64_t base = 0;    // kSecond: the second; kSpan: the second divided by the span's length
  uint64_t chunk = 0;  // of sequence numbers, see ChunkBits()

  // The cohort of a record. nullopt: it is in none, since neither a default nor an own ttl can kill it.
  static std::optional<CohortId> Of(const ttl::Lifetime& lifetime, CohortLevel level);

  // Chunks of sequence numbers are 2 to the power of this.
  int ChunkBits() const;
  Sequence first_sequence() const { return chunk << ChunkBits(); }
  Sequence last_sequence() const { return first_sequence() + (uint64_t{1} << ChunkBits()) - 1; }
  // Of a cohort of seconds, the span that counts it too.
  CohortId Span() const;
  // Whether that span is this one, as far as sequence numbers tell.
  bool IsWithin(const CohortId& span) const {
    return first_sequence() >= span.first_sequence() && first_sequence() <= span.last_sequence();
  }
  // The first and the last second that belong to it.
  int64_t first_second() const;
  int64_t last_second() const;

  bool operator==(const CohortId&) const = default;
};

// Keys sort by level and rule, then by base, then by chunk.
std::string CohortKey(PartitionId partition, const CohortId& id);
// What all cohorts of a level and rule begin with.
std::string CohortPrefix(PartitionId partition, CohortLevel level, ttl::RuleId rule);
// Where the cohorts with this base or a later one begin.
std::string CohortBound(PartitionId partition, CohortLevel level, ttl::RuleId rule, int64_t base);
Result<CohortId> DecodeCohortKey(std::string_view key);

std::string EncodeCount(const Count& count);
Result<Count> DecodeCount(std::string_view bytes);

}  // namespace lapse::engine
