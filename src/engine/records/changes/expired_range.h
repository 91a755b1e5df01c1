// Expiries of items that expired together, as one record of the change log (docs/design/expiry.md).
//
// The record identifies the items by rule, base and sequence. Their documents stay in the body family for as long as
// the record is in the log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "ttl/lifetime.h"

namespace lapse::engine {

// Every sequence from first_item to last_item maps to its own sequence among the expiries, whether it belongs to an
// item or not. So an item's place in the log is computed, and a page that begins in the middle of the range seeks to
// its first item.
struct ExpiredRange {
  ttl::RuleId rule = ttl::kInheritRule;
  int64_t base_ms = 0;
  Sequence first_item = 0;
  Sequence last_item = 0;
  Sequence last_sequence = 0;  // of the expiries; in the key
  Lsn last_lsn = 0;
  int64_t died_ms = 0;    // when the items became invisible
  int64_t logged_ms = 0;  // when the record was written

  Sequence SequenceOf(Sequence item) const { return last_sequence - (last_item - item); }
  Lsn LsnOf(Sequence item) const { return last_lsn - (last_item - item); }
  // Returns the first item whose expiry is behind `after` in the log.
  Sequence FirstItemAfter(Sequence after) const {
    const Sequence before_all = SequenceOf(first_item) - 1;
    return after <= before_all ? first_item : first_item + (after - before_all);
  }
};

std::string EncodeExpiredRange(const ExpiredRange& range);
Status DecodeExpiredRange(std::string_view key, std::string_view value, ExpiredRange* range);

}  // namespace lapse::engine
