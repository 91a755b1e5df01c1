#include "engine/shard/builds/index_builder.h"

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "base/log.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {

void IndexBuilder::Ask(std::weak_ptr<Partition> partition) {
  std::lock_guard lock(mutex_);
  asked_.push_back(std::move(partition));
}

bool IndexBuilder::RunTurn() {
  std::vector<std::weak_ptr<Partition>> asked;
  {
    std::lock_guard lock(mutex_);
    asked.swap(asked_);
  }
  for (std::weak_ptr<Partition>& weak : asked) {
    if (const auto partition = weak.lock()) builds_[partition->id()].partition = weak;
  }
  if (builds_.empty()) return false;
  const int64_t begun_ns = steady_->NowNs();
  by_share_ = false;
  bool any = false;
  for (auto build = builds_.begin(); build != builds_.end();) {
    const std::shared_ptr<Partition> partition = build->second.partition.lock();
    const auto state = partition == nullptr ? nullptr : partition->container().state();
    const bool in_force = state != nullptr && state->standing != ContainerState::Standing::kDropped;
    if (!in_force || !state->index_in_making.has_value()) {
      build = builds_.erase(build);
      continue;
    }
    any |= Advance(partition.get(), &build->second);
    ++build;
  }
  if (by_share_) {
    const int64_t now_ns = steady_->NowNs();
    const auto worked_ns = static_cast<double>(now_ns - begun_ns);
    pause_until_ns_ = now_ns + static_cast<int64_t>(worked_ns * (1 / options_.share - 1));
  }
  return any;
}

bool IndexBuilder::Advance(Partition* partition, Build* build) {
  bool any = false;
  const auto state = partition->container().state();
  if (!state->index_in_making.has_value() || build->whole != state->index_in_making->id) {
    const std::optional<IndexBuildOutcome> outcome = Step(partition);
    if (!outcome.has_value()) return false;
    any = outcome->items > 0;
    if (outcome->index == 0 || !outcome->done) return any;
    build->whole = outcome->index;
  }
  return on_whole_(*partition, build->whole) || any;
}

std::optional<IndexBuildOutcome> IndexBuilder::Step(Partition* partition) {
  IndexBuildLimit limit;
  SpareUnits& spare = partition->spare_units();
  const bool limited = spare.limited();
  if (limited) {
    limit.items_max = std::min(limit.items_max, spare.LeftOver(kIndexBuildMilliRu) / kIndexBuildMilliRu);
    if (limit.items_max <= 0) return std::nullopt;
  } else if (steady_->NowNs() < pause_until_ns_) {
    return std::nullopt;
  } else {
    by_share_ = true;
  }
  std::promise<Result<IndexBuildOutcome>> promise;
  partition->QueueIndexBuild(limit, [&promise](Result<IndexBuildOutcome> made) { promise.set_value(std::move(made)); });
  Result<IndexBuildOutcome> made = promise.get_future().get();
  if (!made.ok()) {
    // The next turn tries again.
    if (made.status().code() != Code::kNotFound) NoteFailure(made.status());
    return std::nullopt;
  }
  last_failure_.clear();
  if (limited) spare.SpendLeftOver(made->items * kIndexBuildMilliRu);
  return *made;
}

// Logs a failure once, since the step may be retried ten times a second.
void IndexBuilder::NoteFailure(const Status& failure) {
  std::string text = failure.ToString();
  if (text == last_failure_) return;
  Log(LogLevel::kWarn, "an index could not be built", {{"error", text}});
  last_failure_ = std::move(text);
}

}  // namespace lapse::engine
