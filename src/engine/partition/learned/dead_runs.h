// What is known of the entries of dead items: runs of index keys between which there are no others, so that walks need
// not look at each of them again (docs/design/index.md, "Dead runs").
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

// From a key of the family `index` up to another one, which is not part of it.
struct DeadRun {
  std::string begin;
  std::string end;

  friend bool operator==(const DeadRun&, const DeadRun&) = default;
};

// Those of one partition. Threads: any; no lock is held across a disk access. Owns: what it knows, in memory alone, and
// not more than the bounds below.
class DeadRuns {
 public:
  static constexpr size_t kRunsMax = 64;
  static constexpr size_t kBytesMax = 64 << 10;  // of the keys of all runs
  // So many entries may be put into a run before it is published. More spoil it.
  static constexpr size_t kPutsMax = 64;

  // --- For pages.

  // What a page may use. It is asked for before the page takes its moment and its snapshot.
  struct Known {
    uint64_t published = 0;
    uint64_t commits = 0;
  };
  Known Now() const { return {published_.load(std::memory_order_acquire), ended_.load(std::memory_order_acquire)}; }
  // Nothing is known of dead entries, nor looked for.
  bool empty() const { return size_.load(std::memory_order_acquire) == 0; }
  // The runs of keys with this prefix, in their order. Only after the page has its snapshot: of each entry in that,
  // the runs were told before.
  std::vector<DeadRun> UsableBy(const Known& page, std::string_view prefix) const;
  // A walk went past the run with this key. Where there are too many runs, those go that were not used for the longest
  // time, and of these the shortest.
  void NoteUse(std::string_view key);

  // --- For those who learn.

  // Those that have a part of `one`, begin where it ends, or end where it begins.
  struct Touching {
    size_t count = 0;
    DeadRun between;  // from the end of the first one to the begin of the last, if there are two or more
  };
  Touching TouchedBy(const DeadRun& one) const;

  // What is learned.
  struct Part {
    DeadRun run;
    uint64_t entries = 0;  // about so many
  };

  // A run that somebody believes in. From here on the partition's commits tell it what they put; so whoever takes a
  // snapshot now, and finds no other entries there, knows enough. Threads: one.
  class Proposal {
   public:
    // `reach`: with that much around it. The run grows to those next to it, if they are within reach.
    Proposal(DeadRuns* runs, DeadRun run, const DeadRun& reach);
    ~Proposal();
    Proposal(const Proposal&) = delete;
    Proposal& operator=(const Proposal&) = delete;

    // With what it grew by.
    const DeadRun& run() const { return run_; }
    // Parts of it hold what it promised. Once. Those in which something was put meanwhile are divided there.
    void Publish(const std::vector<Part>& parts);

   private:
    friend class DeadRuns;

    DeadRuns* const runs_;
    DeadRun run_;
    uint64_t commits_begun_ = 0;     // when it was made
    std::vector<std::string> puts_;  // guarded by mutex_ of the runs
    bool spoiled_ = false;           // guarded by mutex_ of the runs
  };

  // --- For commits, of which there is one at a time.

  // Calls back with each key of the family `index` that is put.
  using Keys = std::function<void(const std::function<void(std::string_view key)>& take)>;

  // Around the write of a batch.
  class Commit {
   public:
    Commit(DeadRuns* runs, Keys puts);
    ~Commit();
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    DeadRuns* const runs_;
    const Keys puts_;
    uint64_t proposals_ = 0;  // that were made before
  };

  // --- For tests.
  struct Counts {
    uint64_t learned = 0;   // runs, parts and additions
    uint64_t used = 0;      // runs that walks went past
    uint64_t passed = 0;    // dead entries that those who learn looked at
    uint64_t compared = 0;  // entries at a second snapshot, before a run was learned
  };
  Counts counts() const;
  void CountPassed(uint64_t entries) { passed_.fetch_add(entries, std::memory_order_relaxed); }
  void CountCompared(uint64_t entries) { compared_.fetch_add(entries, std::memory_order_relaxed); }
  // All of them, usable or not.
  std::vector<DeadRun> runs() const;

 private:
  struct Rest {
    std::string end;
    uint64_t published = 0;  // pages that know so much may use it,
    uint64_t commits = 0;    // if so many commits had ended before
    uint64_t used = 0;       // when it was last; greater is later
    uint64_t entries = 0;    // about so many
  };
  using Runs = std::map<std::string, Rest, std::less<>>;  // by their begin; apart from each other

  // All with the lock held.
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
  uint64_t proposals_ = 0;        // guarded by mutex_: made so far
  uint64_t begun_ = 0;            // guarded by mutex_: commits
  mutable uint64_t ticks_ = 0;    // guarded by mutex_: with each walk, to say what was used later
  uint64_t used_ = 0;             // guarded by mutex_
  uint64_t learned_ = 0;          // guarded by mutex_
  std::atomic<size_t> size_{0};   // runs and proposals
  std::atomic<uint64_t> published_{0};
  std::atomic<uint64_t> ended_{0};  // commits
  std::atomic<uint64_t> passed_{0};
  std::atomic<uint64_t> compared_{0};
};

}  // namespace lapse::engine
