// Runs of index keys that hold nothing but entries of dead items. Walks skip them instead of looking at each entry
// again (docs/design/index.md, "Dead runs").
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::engine {

// A range of keys of the family `index`, from `begin` (inclusive) to `end` (exclusive).
struct DeadRun {
  std::string begin;
  std::string end;

  friend bool operator==(const DeadRun&, const DeadRun&) = default;
};

// The dead runs of one partition. Threads: any; no lock is held across a disk access. Owns: the runs, in memory only,
// within the bounds below.
class DeadRuns {
 public:
  static constexpr size_t kRunsMax = 64;
  static constexpr size_t kBytesMax = 64 << 10;  // of the keys of all runs
  // A proposal tolerates this many puts into its run. One more spoils it.
  static constexpr size_t kPutsMax = 64;

  // --- For pages.

  // Determines which runs a page may use. Take it before the page takes its moment and its snapshot.
  struct Known {
    uint64_t published = 0;
    uint64_t commits = 0;
  };
  Known Now() const { return {published_.load(std::memory_order_acquire), ended_.load(std::memory_order_acquire)}; }
  // Returns true if there are neither runs nor proposals.
  bool empty() const { return size_.load(std::memory_order_acquire) == 0; }
  // Returns the runs of keys with this prefix that the page may use, in key order. Call it only after the page has
  // taken its snapshot: by then every entry in the snapshot has been reported to the runs.
  std::vector<DeadRun> UsableBy(const Known& page, std::string_view prefix) const;
  // Records that a walk skipped the run that contains this key. When there are too many runs, the least recently used
  // ones are evicted, and the shortest first among equals.
  void NoteUse(std::string_view key);

  // --- For learners.

  // The runs that overlap `one` or are adjacent to it.
  struct Touching {
    size_t count = 0;
    DeadRun between;  // from the end of the first run to the begin of the last, if there are at least two
  };
  Touching TouchedBy(const DeadRun& one) const;

  // A run that is learned.
  struct Part {
    DeadRun run;
    uint64_t entries = 0;  // approximate
  };

  // A run that a learner proposes. From its construction on, every commit of the partition reports its puts to it. So
  // if a snapshot taken after that shows no other entries in the run, the learner knows enough. Threads: one.
  class Proposal {
   public:
    // Extends the run to the neighbouring runs on either side, if they are within `reach`.
    Proposal(DeadRuns* runs, DeadRun run, const DeadRun& reach);
    ~Proposal();
    Proposal(const Proposal&) = delete;
    Proposal& operator=(const Proposal&) = delete;

    // The proposed run, with its extensions.
    const DeadRun& run() const { return run_; }
    // Adds these parts of the run to the known ones. A part is divided wherever a key was put meanwhile. Call it at
    // most once.
    void Publish(const std::vector<Part>& parts);

   private:
    friend class DeadRuns;

    DeadRuns* const runs_;
    DeadRun run_;
    uint64_t commits_begun_ = 0;     // commits begun when the proposal was made
    std::vector<std::string> puts_;  // guarded by mutex_ of the runs
    bool spoiled_ = false;           // guarded by mutex_ of the runs
  };

  // --- For commits, one at a time.

  // Calls `take` with each key of the family `index` that the batch puts.
  using Keys = std::function<void(const std::function<void(std::string_view key)>& take)>;

  // Must live for as long as a batch is being written.
  class Commit {
   public:
    Commit(DeadRuns* runs, Keys puts);
    ~Commit();
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    DeadRuns* const runs_;
    const Keys puts_;
    uint64_t proposals_ = 0;  // made before this commit
  };

  // --- For tests.
  struct Counts {
    uint64_t learned = 0;   // runs, parts and additions
    uint64_t used = 0;      // runs that walks skipped
    uint64_t passed = 0;    // dead entries that learners looked at
    uint64_t compared = 0;  // entries read at a second snapshot to verify a run
  };
  Counts counts() const;
  void CountPassed(uint64_t entries) { passed_.fetch_add(entries, std::memory_order_relaxed); }
  void CountCompared(uint64_t entries) { compared_.fetch_add(entries, std::memory_order_relaxed); }
  // All runs, usable or not.
  std::vector<DeadRun> runs() const;

 private:
  struct Rest {
    std::string end;
    uint64_t published = 0;  // a page may use the run if its Known is at least this,
    uint64_t commits = 0;    // and at least this
    uint64_t used = 0;       // tick of the last use
    uint64_t entries = 0;    // approximate
  };
  using Runs = std::map<std::string, Rest, std::less<>>;  // by begin; disjoint and not adjacent

  // All of these require mutex_.
  Runs::const_iterator RunWith(std::string_view key) const;
  void Tell(const Keys& keys);
  void Divide(std::string_view key);
  void Add(const Part& part, uint64_t commits);
  void Insert(std::string begin, Rest rest);
  void Remove(Runs::const_iterator run);
  void KeepBounds();
  void NoteSize() { size_.store(runs_.size() + proposed_.size(), std::memory_order_release); }

  mutable std::mutex mutex_;
  Runs runs_;                     // guarded by mutex_
  std::set<Proposal*> proposed_;  // guarded by mutex_
  size_t bytes_ = 0;              // guarded by mutex_
  uint64_t proposals_ = 0;        // guarded by mutex_; made so far
  uint64_t begun_ = 0;            // guarded by mutex_; commits begun
  mutable uint64_t ticks_ = 0;    // guarded by mutex_; one per UsableBy, orders uses
  uint64_t used_ = 0;             // guarded by mutex_
  uint64_t learned_ = 0;          // guarded by mutex_
  std::atomic<size_t> size_{0};   // runs and proposals
  std::atomic<uint64_t> published_{0};
  std::atomic<uint64_t> ended_{0};  // commits ended
  std::atomic<uint64_t> passed_{0};
  std::atomic<uint64_t> compared_{0};
};

}  // namespace lapse::engine
