// What a partition remembers of its index beside the store. It makes queries quicker, and nothing else depends on it: a
// restart begins without it.
#pragma once

#include "base/clock.h"
#include "engine/memory/known_lists.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/partition/learned/seen_tally.h"

namespace lapse::engine {

// Threads: any. A transaction tells all of them that it commits, and the first two what entries it puts.
struct IndexMemory {
  IndexMemory(KnownListsMemory* memory, const SteadyClock* steady) : known_lists(memory, steady) {}

  DeadRuns dead_runs;
  KnownLists known_lists;
  SeenTally seen_tally;

  // What a page may use. It is asked for before the page takes its moment and its snapshot.
  struct Start {
    DeadRuns::Known runs;
    KnownLists::Start lists;
    uint64_t commits = 0;  // for seen_tally
  };
  Start Begin() const { return {dead_runs.Now(), known_lists.Begin(), seen_tally.Begin()}; }
};

}  // namespace lapse::engine
