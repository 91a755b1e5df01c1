// A partition's in-memory knowledge about its index. It only makes queries faster: it is lost on a restart, and nothing
// depends on it.
#pragma once

#include "base/clock.h"
#include "engine/memory/known_lists.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/partition/learned/seen_tally.h"

namespace lapse::engine {

// Threads: any. A transaction reports its commit to all members, and the entries it puts to `dead_runs` and
// `known_lists`.
struct IndexMemory {
  IndexMemory(KnownListsMemory* memory, const SteadyClock* steady) : known_lists(memory, steady) {}

  DeadRuns dead_runs;
  KnownLists known_lists;
  SeenTally seen_tally;

  // Determines what a page may use. Take it before the page takes its moment and its snapshot.
  struct Start {
    DeadRuns::Known runs;
    KnownLists::Start lists;
    uint64_t commits = 0;  // for seen_tally
  };
  Start Begin() const { return {dead_runs.Now(), known_lists.Begin(), seen_tally.Begin()}; }
};

}  // namespace lapse::engine
