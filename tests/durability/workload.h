// Writers, and one that moves time and changes the catalog, against a store; and a look at what is there afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/container.h"
#include "tests/durability/durable_store.h"
#include "tests/durability/ledger.h"

namespace lapse::durability {

// Owns: its threads, while it runs, and the ledger of everything. Threads: one at a time.
class Workload {
 public:
  // The store must outlive it.
  Workload(uint64_t seed, DurableStore* store) : random_(seed), store_(store) {}

  // Makes what the writers write to, on an open and empty store.
  Status Prepare();
  // Until `stop` is true; every thread asks before every step.
  void RunUntil(const std::function<bool()>& stop);
  // After the store was opened again.
  void Inspect();

  int64_t acknowledged() const { return acknowledged_; }
  int64_t items_found() const { return items_found_; }
  const std::vector<Finding>& findings() const { return findings_; }
  size_t CountFindings(Fault fault) const;

 private:
  using Random = std::mt19937_64;

  // A container that items are written to.
  struct Target {
    std::string name;
    PolicyHistory policies;
    std::vector<ItemLedger> items;
    std::optional<DefaultTtl> unknown_change;
  };
  // A database that comes and goes.
  enum class Presence { kThere, kGone, kUnknown };

  void Write(Random* random, Target* target, ItemLedger* item);
  void MoveTime(Random* random);
  void ChangePolicy(Random* random);
  void ChangeCatalog(Random* random);
  // What a status says about a change. One that no disk can cause is reported.
  enum class Outcome { kDone, kNotDone, kUnknown };
  Outcome Judge(const Status& status);

  void InspectTime();
  void InspectPolicy(Target* target);
  void InspectItems(Target* target);
  void InspectDatabases();
  void Report(Fault fault, std::string what);

  Random random_;
  DurableStore* const store_;
  std::vector<Target> targets_;
  std::map<std::string, Presence> databases_;
  std::atomic<int64_t> now_s_{0};  // time has got so far, and that is durable
  std::atomic<int64_t> acknowledged_{0};
  int64_t items_found_ = 0;

  std::mutex findings_mutex_;
  std::vector<Finding> findings_;
};

}  // namespace lapse::durability
