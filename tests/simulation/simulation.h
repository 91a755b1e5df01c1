// A seeded run of random operations against engine and model at once. It has writes of every kind: alone and in groups,
// of one operation and of several that succeed or fail together, and deletions of whole partition keys. It also has
// reads, feeds, policy changes, exhausted budgets, sweeps and compactions at any moment, clocks that step forward and
// back, restarts, crashes, and a store that fails. One seed is one exact sequence: a difference is reported with its
// seed and can be replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lapse::simulation {

// The number of seeds, unless a test is told how many to run.
constexpr uint64_t kFewSeeds = 20;

struct SimulationOptions {
  uint64_t seed = 1;
  int operations = 3000;
  bool store_faults = false;
  int shards = 1;
  bool rate_limiting = false;
  size_t group_bytes_max = 8 << 20;  // see engine::CommitOptions
  bool one_hash = false;             // all values of a unique key have the same hash
};

struct SimulationReport {
  std::string difference;  // empty: engine and model agreed throughout
  int operations = 0;
  int expired_seen = 0;  // items that the model saw expire; a run without any tests nothing
  int restarts = 0;
  int faults = 0;
  int groups = 0;              // commits that several writes shared
  int put_back = 0;            // commits that became too large for all the writes that were to share them
  int rolled_back = 0;         // writes of several operations that failed in the middle
  int patched = 0;             // operations that changed parts of an item
  int reads_in_writes = 0;     // operations that only read
  int unique_conflicts = 0;    // writes that wanted unique values of another item
  int keys_erased = 0;         // partition keys that were deleted with all of their items
  int erased_waiting = 0;      // turns of the sweeper that left some of these items
  int dead_runs_used = 0;      // by queries that were checked
  int learned_in_commits = 0;  // scans that learned dead runs while a commit was about to be written
  int throttled = 0;           // requests
  int sweeps_waiting = 0;      // turns of the sweeper that left expired items because they could not be paid for
};

SimulationReport RunSimulation(const SimulationOptions& options);

}  // namespace lapse::simulation
