#include "engine/shard/builds/index_builder.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/log.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {

bool IndexBuilder::RunTurn() {
  const int64_t begun_ns = parts_.steady->NowNs();
  by_share_ = false;
  bool any = false;
  for (const ContainerPtr& container : catalog_->ContainersWithIndexInMaking()) any |= Build(container);
  if (by_share_) {
    const int64_t now_ns = parts_.steady->NowNs();
    const auto worked_ns = static_cast<double>(now_ns - begun_ns);
    pause_until_ns_ = now_ns + static_cast<int64_t>(worked_ns * (1 / options_.share - 1));
  }
  return any;
}

bool IndexBuilder::Build(const ContainerPtr& container) {
  bool any = false;
  bool all_done = true;
  IndexId index = 0;
  for (const auto& partition : container->partitions()) {
    IndexBuildOutcome outcome;
    const Step step = Take(partition.get(), &outcome);
    // When the definition changes between two steps, they are not of one index.
    const bool same = index == 0 || outcome.index == index;
    index = outcome.index;
    all_done &= step == Step::kDone && same && outcome.index != 0;
    any |= outcome.items > 0;
  }
  if (!all_done) return any;
  const Status in_use = catalog_->PutIndexInUse(container, index);
  if (!in_use.ok()) NoteFailure(in_use);
  return in_use.ok();
}

IndexBuilder::Step IndexBuilder::Take(Partition* partition, IndexBuildOutcome* outcome) {
  IndexBuildLimit limit;
  Budget& budget = partition->budget();
  const bool limited = budget.limited();
  if (limited) {
    limit.items_max = std::min(limit.items_max, budget.LeftOver(kIndexBuildMilliRu) / kIndexBuildMilliRu);
    if (limit.items_max <= 0) return Step::kNotYet;
  } else if (parts_.steady->NowNs() < pause_until_ns_) {
    return Step::kNotYet;
  } else {
    by_share_ = true;
  }
  std::promise<Result<IndexBuildOutcome>> promise;
  partition->QueueIndexBuild(limit, [&promise](Result<IndexBuildOutcome> made) { promise.set_value(std::move(made)); });
  Result<IndexBuildOutcome> made = promise.get_future().get();
  if (!made.ok()) {
    // The next turn tries again.
    if (made.status().code() != Code::kNotFound) NoteFailure(made.status());
    return Step::kFailed;
  }
  last_failure_.clear();
  *outcome = *made;
  if (limited) budget.SpendLeftOver(outcome->items * kIndexBuildMilliRu);
  return outcome->done ? Step::kDone : Step::kNotYet;
}

// Once: it may be tried ten times a second.
void IndexBuilder::NoteFailure(const Status& failure) {
  std::string text = failure.ToString();
  if (text == last_failure_) return;
  Log(LogLevel::kWarn, "an index could not be made", {{"error", text}});
  last_failure_ = std::move(text);
}

}  // namespace lapse::engine
