// A seeded run of random operations against the engine and the model at once: writes of every kind, alone
// and in groups, of one operation and of several that stand or fall together, whole partition keys that are deleted,
// reads, feeds, policy changes, budgets
// that run out, sweeps and compactions at any moment, clocks that step forward and back, restarts, crashes, and a store
// that fails. One seed is one exact sequence: a difference is reported with its seed and can be replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lapse::simulation {

// Seeds of a test that is not told how many to run.
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
  int expired_seen = 0;  // items that the model saw expire: a run that never expires anything tests nothing
  int restarts = 0;
  int faults = 0;
  int groups = 0;              // commits that several writes shared
  int put_back = 0;            // commits that got too large for all that were to share them
  int rolled_back = 0;         // writes of several operations that failed in the middle
  int patched = 0;             // operations that changed parts of an item
  int reads_in_writes = 0;     // operations that only read
  int unique_conflicts = 0;    // writes that wanted the values of another item
  int keys_erased = 0;         // partition keys that were deleted with all of their items
  int erased_waiting = 0;      // turns of the sweeper after which something of these was left
  int dead_runs_used = 0;      // by queries that were checked
  int learned_in_commits = 0;  // walks that learned while a commit was about to be written
  int throttled = 0;           // requests
  int sweeps_waiting = 0;      // turns of the sweeper after which something was due that could not be paid
};

SimulationReport RunSimulation(const SimulationOptions& options);

}  // namespace lapse::simulation
