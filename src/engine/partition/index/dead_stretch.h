// The entries of dead items that a walk meets one after another in one partition: what dead runs are learned from
// (docs/design/index.md, "Dead runs").
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

// Threads: one. The reader must outlive it. Fails: never; where the store does, nothing is learned.
class DeadStretch {
 public:
  // Called every now and then while a stretch is looked at again. Not ok: it is given up.
  using Look = std::function<Status()>;

  // For a walk over this range: an IndexWalk from its begin to wherever it ends. `entries_min`: see EngineOptions.
  DeadStretch(IndexReader* reader, const IndexRange& range, size_t entries_min, Look look);

  // The walk is at this entry. To be called for each of them.
  void Pass(const EntryWalk& walk);
  // What IndexReader::FindLive says about the entries since the last call: about all of them.
  void Judge(std::span<const std::optional<HeadRecord>> live);
  // The walk goes no further.
  void End();

 private:
  // A stretch is looked at again in pieces of so many entries, so that no page takes much longer for that.
  static constexpr size_t kEntriesMax = 16'384;

  bool forward() const { return range_.direction == IndexRange::Direction::kForward; }
  // Of the entries since the last judgement.
  std::string KeyAt(size_t place) const;
  // A bound right before the key in the direction of the walk, and one right behind it.
  std::string BoundBefore(std::string key) const;
  std::string BoundBehind(std::string key) const;
  // What there is up to `bound` is a stretch, if it is long enough. The next one begins there. It may be empty: where
  // the walk only went past runs, these can become one.
  void Close(std::string bound);
  Status Learn(DeadRuns::Part part, const DeadRun& reach);
  // The parts of a run in which the other snapshot has no entries but those that the page sees.
  Result<std::vector<DeadRuns::Part>> PartsWithoutNew(const DeadRun& run, const store::Snapshot& fresh);

  IndexReader* const reader_;
  DeadRuns* const runs_;
  const IndexRange range_;
  const size_t entries_min_;
  const Look look_;
  const std::string prefix_;
  std::string bytes_;         // of passed entries, without the prefix, one after another
  std::vector<size_t> ends_;  // of each
  std::string from_;          // the bound behind which all entries are dead
  std::string first_;         // those of the stretch
  std::string last_;
  size_t dead_ = 0;  // entries of the stretch
  bool met_live_ = false;
};

}  // namespace lapse::engine
