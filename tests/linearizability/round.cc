#include "tests/linearizability/round.h"

#include <algorithm>
#include <cstddef>
#include <latch>
#include <memory>
#include <thread>
#include <utility>

#include "tests/linearizability/checker.h"
#include "tests/linearizability/client.h"
#include "tests/linearizability/explanation.h"
#include "tests/linearizability/timeline.h"
#include "tests/simulation/dice.h"

namespace lapse::linearizability {
namespace {

class Running {
 public:
  Running(const RoundOptions& options, Database* database)
      : options_(options), database_(database), dice_(options.seed), timeline_(database->NowSeconds()) {
    for (int i = 0; i < options.partitions; ++i) {
      partitions_.push_back("round" + std::to_string(options.seed) + "-" + std::to_string(i));
      round_.histories.push_back({.partition = partitions_.back(), .start_s = database->NowSeconds()});
    }
  }

  Round Go() {
    for (int phase = 0; phase < options_.phases; ++phase) {
      const bool last = phase + 1 == options_.phases;
      if (!last) database_->Disturb(dice_.Seed());
      RunClients();
      if (!last && !Restart()) return std::move(round_);
    }
    Inspect();
    for (History& history : round_.histories) {
      std::sort(history.operations.begin(), history.operations.end(),
                [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
      for (Operation& operation : history.operations) timeline_.Place(&operation);
    }
    return std::move(round_);
  }

 private:
  std::unique_ptr<Client> NewClient() {
    return std::make_unique<Client>(++clients_, dice_.Seed(), partitions_, database_, &timeline_);
  }

  void RunClients() {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < options_.clients; ++i) clients.push_back(NewClient());
    std::vector<std::thread> threads;
    threads.reserve(clients.size());
    std::latch all_are_there(static_cast<ptrdiff_t>(clients.size()));
    for (const auto& client : clients) {
      threads.emplace_back([&, this] {
        all_are_there.arrive_and_wait();
        client->Work(options_.operations);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& client : clients) Collect(client.get());
  }

  void Inspect() {
    const std::unique_ptr<Client> client = NewClient();
    client->Inspect();
    Collect(client.get());
  }

  void Collect(Client* client) {
    for (auto& [partition, operation] : client->TakeNotes()) {
      round_.histories[partition].operations.push_back(std::move(operation));
    }
    round_.counts.Add(client->counts());
  }

  bool Restart() {
    round_.counts.crashes += database_->crashed() ? 1 : 0;
    const int64_t begun = timeline_.Next();
    const Status restarted = database_->Restart(dice_.Seed());
    if (!restarted.ok()) {
      round_.failure = "the server does not start again: " + restarted.ToString();
      return false;
    }
    const int64_t now_s = database_->NowSeconds();
    const int64_t ended = timeline_.Next();
    timeline_.ClockMoved(begun, ended, now_s);
    timeline_.Restarted(ended);
    return true;
  }

  const RoundOptions options_;
  Database* const database_;
  simulation::Dice dice_;
  Timeline timeline_;
  std::vector<std::string> partitions_;
  int clients_ = 0;
  Round round_;
};

}  // namespace

void RoundCounts::Add(const RoundCounts& other) {
  operations += other.operations;
  changes += other.changes;
  batches += other.batches;
  conflicts += other.conflicts;
  missing += other.missing;
  changed_before += other.changed_before;
  refused += other.refused;
  unknown += other.unknown;
  clock_moves += other.clock_moves;
  crashes += other.crashes;
}

std::string RoundCounts::Describe() const {
  std::string text;
  for (const auto& [count, what] : {std::pair{operations, "operations"},
                                    {changes, "changes"},
                                    {batches, "batches"},
                                    {conflicts, "conflicts"},
                                    {missing, "not found"},
                                    {changed_before, "412"},
                                    {refused, "refused"},
                                    {unknown, "unknown"},
                                    {clock_moves, "moves of the clock"},
                                    {crashes, "crashes"}}) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  }
  return text;
}

Round RunRound(const RoundOptions& options, Database* database) {
  return Running(options, database).Go();
}

std::string Judge(const Round& round, const Database& database) {
  if (!round.failure.empty()) return round.failure;
  const PartitionModel model(database.default_ttl());
  for (const History& history : round.histories) {
    switch (Check(model, history)) {
      case Verdict::kExplained: break;
      case Verdict::kViolated: return Explain(model, history);
      case Verdict::kUndecided:
        return "partition " + history.partition + ": not decided, " + std::to_string(history.operations.size()) +
               " operations are too many\n";
    }
  }
  return "";
}

}  // namespace lapse::linearizability
