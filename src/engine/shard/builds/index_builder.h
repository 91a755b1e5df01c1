// Makes the indexes that changes of policy ask for, in the background, on what users leave of each container's request
// units (docs/design/index.md).
#pragma once

#include <cstdint>
#include <string>

#include "engine/catalog/store/catalog.h"
#include "engine/partition/index/index_build.h"
#include "engine/shard/partitions/commit_parts.h"

namespace lapse::engine {

class Partition;

struct IndexBuilderOptions {
  double share = 0.10;  // of one core, for partitions without a budget
};

// Has no thread of its own: the sweeper's calls it, since both live on what is left over. Threads: one at a time.
class IndexBuilder {
 public:
  IndexBuilder(const IndexBuilderOptions& options, Catalog* catalog, const CommitParts& parts)
      : options_(options), catalog_(catalog), parts_(parts) {}

  // One step for every partition in which an index is being made and that can be paid for. An index that is whole is
  // put in use. Answers whether anything was done.
  bool RunTurn();

 private:
  enum class Step : uint8_t { kDone, kNotYet, kFailed };

  bool Build(const ContainerPtr& container);
  Step Take(Partition* partition, IndexBuildOutcome* outcome);
  void NoteFailure(const Status& failure);

  const IndexBuilderOptions options_;
  Catalog* const catalog_;
  const CommitParts parts_;
  int64_t pause_until_ns_ = 0;  // partitions without a budget, on the steady clock
  bool by_share_ = false;       // in this turn
  std::string last_failure_;    // until a step succeeds
};

}  // namespace lapse::engine
