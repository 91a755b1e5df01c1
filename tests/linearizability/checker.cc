#include "tests/linearizability/checker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lapse::linearizability {
namespace {

// Whether the operation certainly has a place in the order.
bool IsNeeded(const Operation& operation) {
  return operation.known || operation.happened;
}

// An etag names one version: all that it is shown with must have the same content.
bool EtagsNameOneVersion(const History& history) {
  std::map<std::string, ShownItem> named;
  for (const Operation& operation : history.operations) {
    if (!operation.known) continue;
    for (const ActionResult& result : operation.results) {
      for (const ShownItem& item : result.shown) {
        const auto [found, added] = named.emplace(item.version.etag, item);
        if (!added && found->second != item) return false;
      }
    }
  }
  return true;
}

class Search {
 public:
  Search(const PartitionModel& model, const History& history, const CheckLimits& limits)
      : model_(model), operations_(history.operations), steps_left_(limits.steps_max) {
    done_.assign(operations_.size(), '0');
    for (const Operation& operation : operations_) needed_left_ += IsNeeded(operation) ? 1 : 0;
  }

  Verdict Run(const PartitionState& start) {
    if (GoOn(start, 0)) return Verdict::kExplained;
    return steps_left_ > 0 ? Verdict::kViolated : Verdict::kUndecided;
  }

 private:
  // Whether the remaining operations can be explained from here. `last_invoked` is the latest invocation in the order.
  bool GoOn(const PartitionState& state, int64_t last_invoked) {
    if (needed_left_ == 0) return true;
    if (--steps_left_ <= 0 || !visited_.insert(done_ + state.Text()).second) return false;
    struct Way {
      size_t operation;
      std::vector<PartitionState> states;
    };
    std::vector<Way> ways;
    const std::vector<size_t> all_next = Next(last_invoked);
    const int64_t first_settled = FirstSettled(all_next);
    for (const size_t next : all_next) {
      std::vector<PartitionState> states = model_.After(state, operations_[next]);
      // An operation that fits here and changes nothing rules out no order, so the other candidates need not be tried
      // here, unless it would then be too late for one of them.
      const bool changes_nothing = states.size() == 1 && states.front() == state;
      if (changes_nothing && operations_[next].invoked <= first_settled) return Take(next, state, last_invoked);
      if (!states.empty()) ways.push_back({next, std::move(states)});
    }
    return std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
      return std::any_of(way.states.begin(), way.states.end(),
                         [&](const PartitionState& after) { return Take(way.operation, after, last_invoked); });
    });
  }

  bool Take(size_t next, const PartitionState& after, int64_t last_invoked) {
    const Operation& operation = operations_[next];
    done_[next] = '1';
    needed_left_ -= IsNeeded(operation) ? 1 : 0;
    const bool explained = GoOn(after, std::max(last_invoked, operation.invoked));
    needed_left_ += IsNeeded(operation) ? 1 : 0;
    done_[next] = '0';
    return explained;
  }

  // The candidates for the next place, the likeliest first: by the time they ended, with those that may not have
  // happened last.
  std::vector<size_t> Next(int64_t last_invoked) const {
    int64_t first_end = kNever;
    for (size_t i = 0; i < operations_.size(); ++i) {
      if (done_[i] == '0' && IsNeeded(operations_[i])) first_end = std::min(first_end, operations_[i].ended);
    }
    std::vector<size_t> next;
    for (size_t i = 0; i < operations_.size() && operations_[i].invoked < first_end; ++i) {
      if (done_[i] == '1') continue;
      if (!IsNeeded(operations_[i]) && operations_[i].settled < last_invoked) continue;
      next.push_back(i);
    }
    std::sort(next.begin(), next.end(), [this](size_t a, size_t b) {
      const Operation& left = operations_[a];
      const Operation& right = operations_[b];
      return std::pair(!IsNeeded(left), left.ended) < std::pair(!IsNeeded(right), right.ended);
    });
    return next;
  }

  // The position from which on the first of the candidates that may not have happened no longer can.
  int64_t FirstSettled(const std::vector<size_t>& next) const {
    int64_t first = kNever;
    for (const size_t i : next) {
      if (!IsNeeded(operations_[i])) first = std::min(first, operations_[i].settled);
    }
    return first;
  }

  const PartitionModel& model_;
  const std::vector<Operation>& operations_;
  std::string done_;  // '1' for each operation that is in the order
  size_t needed_left_ = 0;
  int64_t steps_left_;
  std::unordered_set<std::string> visited_;
};

}  // namespace

Verdict Check(const PartitionModel& model, const History& history, const CheckLimits& limits) {
  if (!EtagsNameOneVersion(history)) return Verdict::kViolated;
  return Search(model, history, limits).Run({.now_s = history.start_s});
}

}  // namespace lapse::linearizability
