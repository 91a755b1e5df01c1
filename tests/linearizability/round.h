// Runs some clients on a few logical partitions, with restarts in between, and returns the resulting histories.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/linearizability/database.h"
#include "tests/linearizability/history.h"

namespace lapse::linearizability {

struct RoundOptions {
  uint64_t seed = 1;  // also names the partitions
  int clients = 6;
  int partitions = 4;
  int phases = 3;       // all but the last one are disturbed and end with a restart
  int operations = 40;  // of each client in each phase
};

// How often each event happened: a run in which nothing goes wrong proves little.
struct RoundCounts {
  int64_t operations = 0;
  int64_t changes = 0;  // acknowledged writes
  int64_t batches = 0;  // acknowledged batches
  int64_t conflicts = 0;
  int64_t missing = 0;
  int64_t changed_before = 0;  // 412
  int64_t refused = 0;
  int64_t unknown = 0;
  int64_t clock_moves = 0;
  int64_t crashes = 0;

  void Add(const RoundCounts& other);
  std::string Describe() const;
};

struct Round {
  std::string failure;  // why the round could not be carried out; empty: it was
  std::vector<History> histories;
  RoundCounts counts;
};

Round RunRound(const RoundOptions& options, Database* database);

// Checks every history. Returns the first violation as text; empty: none.
std::string Judge(const Round& round, const Database& database);

}  // namespace lapse::linearizability
