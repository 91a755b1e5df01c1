// A stretch of consecutive entries of dead items, as a walk over one partition meets it. Dead runs are learned from
// stretches (docs/design/index.md, "Dead runs").
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/partition/index/entry_walk.h"
#include "engine/partition/index/index_reader.h"
#include "engine/partition/index/index_walk.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

// Threads: one. The reader must outlive it. Fails: never; after an error of the store, nothing is learned.
class DeadStretch {
 public:
  // Called from time to time while a stretch is verified. If it fails, the stretch is abandoned.
  using Look = std::function<Status()>;

  // For an IndexWalk from the begin of `range` to wherever the walk ends. `entries_min`: see EngineOptions.
  DeadStretch(IndexReader* reader, const IndexRange& range, size_t entries_min, Look look);

  // Notes the entry that the walk is at. To be called for each entry.
  void Pass(const EntryWalk& walk);
  // Takes the result of IndexReader::FindLive for all entries passed since the last call.
  void Judge(std::span<const std::optional<HeadRecord>> live);
  // The walk has ended.
  void End();

 private:
  // Stretches are verified in pieces of this size, so that no page takes much longer because of it.
  static constexpr size_t kEntriesMax = 16'384;

  bool forward() const { return range_.direction == IndexRange::Direction::kForward; }
  // The key of an entry passed since the last Judge.
  std::string KeyAt(size_t place) const;
  // The bounds right before and right behind the key, in the direction of the walk.
  std::string BoundBefore(std::string key) const;
  std::string BoundBehind(std::string key) const;
  // Ends the stretch at `bound`, and learns it if it is long enough. The next stretch begins there. An empty stretch
  // counts, too: the runs that the walk skipped can be merged over it.
  void Close(std::string bound);
  Status Learn(DeadRuns::Part part, const DeadRun& reach);
  // Returns the parts of the run in which `fresh` has only entries that the page sees, too.
  Result<std::vector<DeadRuns::Part>> PartsWithoutNew(const DeadRun& run, const store::Snapshot& fresh);

  IndexReader* const reader_;
  DeadRuns* const runs_;
  const IndexRange range_;
  const size_t entries_min_;
  const Look look_;
  const std::string prefix_;
  std::string bytes_;         // passed entries without the prefix, concatenated
  std::vector<size_t> ends_;  // of each entry in bytes_
  std::string from_;          // the bound behind which all entries so far are dead
  std::string first_;         // keys of the first and last entry of the stretch
  std::string last_;
  size_t dead_ = 0;  // entries of the stretch
  bool met_live_ = false;
};

}  // namespace lapse::engine
