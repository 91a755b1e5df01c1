// One client of a round: sends what its dice decide, and notes the answers.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/linearizability/database.h"
#include "tests/linearizability/history.h"
#include "tests/linearizability/round.h"
#include "tests/linearizability/timeline.h"
#include "tests/simulation/dice.h"

namespace lapse::linearizability {

constexpr int kIds = 4;

// Threads: one. The database and the timeline must outlive it.
class Client {
 public:
  Client(int number, uint64_t seed, std::vector<std::string> partitions, Database* database, Timeline* timeline);

  // Sends this many operations, or stops earlier if the server has crashed.
  void Work(int operations);
  // Reads everything.
  void Inspect();

  // The operations that it noted, each with its partition's index in the list.
  std::vector<std::pair<size_t, Operation>> TakeNotes() { return std::move(notes_); }
  const RoundCounts& counts() const { return counts_; }

 private:
  // A version of an item that this client was shown.
  struct Seen {
    size_t partition;
    int id;
    Version version;
  };

  void MoveClock();
  void Send(size_t partition, std::vector<Action> actions, bool batch);
  void Count(const Operation& operation);
  Action RandomAction();
  // A write conditional on the version that the client last saw.
  Action MatchingAction(const Seen& seen);
  std::vector<Action> RandomBatch();
  Content RandomContent();
  int64_t NewValue();

  const int number_;
  const std::vector<std::string> partitions_;
  Database* const database_;
  Timeline* const timeline_;
  simulation::Dice dice_;
  std::unique_ptr<Connection> connection_;
  std::deque<Seen> seen_;  // the latest first
  bool saw_now_ = false;   // the last operation showed something
  int64_t values_ = 0;
  std::vector<std::pair<size_t, Operation>> notes_;
  RoundCounts counts_;
};

}  // namespace lapse::linearizability
