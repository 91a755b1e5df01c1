// Builds the indexes that policy changes ask for. Runs in the background, on the request units that users leave of each
// container's throughput (docs/design/index.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/partition/index/index_build.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {

struct IndexBuilderOptions {
  double share = 0.10;  // of one core, for partitions without a budget
};

// Visits only partitions in which an index is being built. Has no thread of its own: the sweeper's thread calls it,
// since both spend what users left over. Threads: any may call Ask; RunTurn is for one at a time.
class IndexBuilder {
 public:
  // Called when an index is complete in one partition, perhaps repeatedly, until the index is in use. Returns whether
  // anything was done.
  using OnWhole = std::function<bool(const Partition& partition, IndexId index)>;

  IndexBuilder(const IndexBuilderOptions& options, const SteadyClock* steady) : options_(options), steady_(steady) {}
  // To be called before the first turn.
  void set_on_whole(OnWhole on_whole) { on_whole_ = std::move(on_whole); }

  // Registers a partition in which an index is to be built.
  void Ask(std::weak_ptr<Partition> partition);

  // Takes one step in every partition that has an index being built and can pay for a step. Returns whether anything
  // was done.
  bool RunTurn();

 private:
  struct Build {
    std::weak_ptr<Partition> partition;
    IndexId whole = 0;  // the index that is complete in this partition
  };

  bool Advance(Partition* partition, Build* build);
  // Returns nullopt if the step could not be paid for, or failed.
  std::optional<IndexBuildOutcome> Step(Partition* partition);
  void NoteFailure(const Status& failure);

  const IndexBuilderOptions options_;
  const SteadyClock* const steady_;
  OnWhole on_whole_;
  int64_t pause_until_ns_ = 0;  // for partitions without a budget, on the steady clock
  bool by_share_ = false;       // whether a partition without a budget had a step this turn
  std::string last_failure_;    // until a step succeeds
  std::map<PartitionId, Build> builds_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<Partition>> asked_;  // guarded by mutex_
};

}  // namespace lapse::engine
