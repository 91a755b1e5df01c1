// Writers that now and then purge what has expired, and a thread that moves time and changes the catalog, against a
// store; and a check of what is there afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/records/ids/count.h"
#include "tests/durability/durable_store.h"
#include "tests/durability/ledger.h"

namespace lapse::durability {

// Owns: its threads, while it runs, and the ledger of all items. Threads: one at a time.
class Workload {
 public:
  // The store must outlive it.
  Workload(uint64_t seed, DurableStore* store);

  // Creates what the writers write to, on an open and empty store.
  Status Prepare();
  // Runs until `stop` returns true; every thread asks it before every step.
  void RunUntil(const std::function<bool()>& stop);
  // Checks the store after it was opened again. Purges what has expired, and checks once more.
  void Inspect();

  int64_t acknowledged() const { return acknowledged_; }
  int64_t items_found() const { return items_found_; }
  // Items that a sweep had purged when the store was opened again.
  int64_t items_purged() const { return items_purged_; }
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  using Random = std::mt19937_64;

  // A container that items are written to.
  struct Target {
    std::string name;
    int64_t log_retention_s;  // 0: no change log
    PolicyHistory policies;
    std::vector<ItemLedger> items;
    std::optional<DefaultTtl> unknown_change;
  };
  // What was read from a container.
  struct Holdings {
    std::multiset<std::string> documents;
    engine::Count Count() const;
  };
  // The state of a database that is created and dropped repeatedly.
  enum class Presence { kThere, kGone, kUnknown };

  Status AddTarget(const std::string& name, DefaultTtl default_ttl, int throughput, int64_t log_retention_s);
  void Write(Random* random, Target* target, ItemLedger* item);
  void MoveTime(int64_t seconds);
  // Purges some items, unless another thread is purging.
  void Purge(Random* random);
  // With one target: pauses the writers for a moment, while some or all items expire and are purged. Then whole files
  // of bodies may be dead.
  void DieOut(Random* random);
  void ChangePolicy(Random* random);
  void ChangeCatalog(Random* random);
  // What a status says about a change. A status that no disk can cause is reported.
  enum class Outcome { kDone, kNotDone, kUnknown };
  Outcome Judge(const Status& status);

  void InspectTime();
  void InspectPolicy(Target* target);
  Holdings InspectItems(Target* target);
  void InspectCounts(const Target& target, const Holdings& holdings);
  void InspectLog(const Target& target, const Holdings& holdings);
  void InspectDatabases();
  void Report(Fault fault, std::string what);

  Random random_;
  DurableStore* const store_;
  const bool one_target_;  // with inheriting items only, so that whole files die
  std::vector<Target> targets_;
  std::map<std::string, Presence> databases_;
  std::atomic<int64_t> now_s_{0};  // a lower bound of the current time that is durable
  std::atomic<int64_t> acknowledged_{0};
  int64_t items_found_ = 0;
  int64_t items_purged_ = 0;

  std::shared_mutex writing_;  // shared by the writers
  std::mutex purging_;         // one at a time

  std::mutex findings_mutex_;
  std::vector<Finding> findings_;
};

}  // namespace lapse::durability
