// An aggregate over rows: a state that takes values one by one. Like a function, it is an entry without a name.
//
// A state is plain bytes in an arena. It needs no destructor, and thousands of groups cost no allocation each. The
// state
// can be exported as a value (`partial`) and merged into another state (`merge`): of another partition, of another page
// of the same query, or in another process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

// Where states live, with what they keep. It lasts as long as the groups, unlike the arena of a row.
struct AggregateMemory {
  Arena* arena;
  uint64_t hash_seed;
  // The partition that rows come from. Rounded numbers are added up per partition, then in the order of partitions. So
  // one state over all rows and several merged states give the same sum.
  uint32_t part = 0;
};

struct Aggregate {
  size_t state_bytes;  // eight-byte aligned
  void (*begin)(const AggregateMemory& memory, void* state);
  void (*add)(const AggregateMemory& memory, void* state, Value value);
  // Returns a value that `merge` understands, never undefined. It lives in the arena, and is valid until the next `add`
  // or `merge`.
  Value (*partial)(const AggregateMemory& memory, const void* state);
  // Returns false, changing nothing, if `partial` is not a partial of this aggregate.
  bool (*merge)(const AggregateMemory& memory, void* state, Value partial);
  // Valid as long as a partial is.
  Value (*result)(const AggregateMemory& memory, const void* state);
};

}  // namespace lapse::query
