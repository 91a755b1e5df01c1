// An aggregate over rows: a state that takes values one by one. Like a function, it is a row without a name.
//
// A state is plain bytes in an arena: it needs no destructor, and groups by the thousand cost no allocation each. What
// it has seen can be taken out as a value (`partial`) and put into another state (`merge`): that of another partition,
// of another page of the same query, or of another process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

// Where states are, and what they keep. It lives as long as the groups do, unlike the arena of a row.
struct AggregateMemory {
  Arena* arena;
  uint64_t hash_seed;
  // The partition that rows come from. Numbers that are rounded are added up for each partition by itself, then in the
  // order of partitions: so it does not matter whether one state has seen all of them, or several that were merged.
  uint32_t part = 0;
};

struct Aggregate {
  size_t state_bytes;  // eight-byte aligned
  void (*begin)(const AggregateMemory& memory, void* state);
  void (*add)(const AggregateMemory& memory, void* state, Value value);
  // A value that `merge` understands, never undefined. It is in the arena, and good until the next `add` or `merge`.
  Value (*partial)(const AggregateMemory& memory, const void* state);
  // False: this is no partial of this aggregate; nothing has changed then.
  bool (*merge)(const AggregateMemory& memory, void* state, Value partial);
  // Good as long as a partial is.
  Value (*result)(const AggregateMemory& memory, const void* state);
};

}  // namespace lapse::query
