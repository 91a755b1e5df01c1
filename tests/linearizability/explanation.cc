#include "tests/linearizability/explanation.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace lapse::linearizability {
namespace {

// Each step of the reduction searches again.
constexpr CheckLimits kLimits{.steps_max = 30'000};

// The answer is forgotten; what may have happened, happens at the same time as before.
void Forget(Operation* operation) {
  operation->known = false;
  operation->results.clear();
  operation->settled = operation->ended;
  operation->settled_s = operation->latest_s;
}

// What was known when the event at `end` had happened. A history that can be explained can be explained up to each of
// its events.
History UpTo(const History& history, int64_t end) {
  History part{history.partition, history.start_s};
  for (Operation operation : history.operations) {
    if (operation.invoked > end) continue;
    if (operation.known && operation.ended > end) {
      if (!HasWrite(operation)) continue;
      Forget(&operation);
    }
    part.operations.push_back(std::move(operation));
  }
  return part;
}

bool IsViolated(const PartitionModel& model, const History& history) {
  return Check(model, history, kLimits) == Verdict::kViolated;
}

History ShortestViolated(const PartitionModel& model, const History& history) {
  std::vector<int64_t> ends;
  for (const Operation& operation : history.operations) {
    if (operation.known) ends.push_back(operation.ended);
  }
  std::sort(ends.begin(), ends.end());
  const auto first = std::partition_point(
      ends.begin(), ends.end(), [&](int64_t end) { return !IsViolated(model, UpTo(history, end)); });
  return first == ends.end() ? history : UpTo(history, *first);
}

std::set<int64_t> ShownValues(const History& history) {
  std::set<int64_t> values;
  for (const Operation& operation : history.operations) {
    for (const ActionResult& result : operation.results) {
      for (const ShownItem& item : result.shown) values.insert(item.version.content.value);
    }
  }
  return values;
}

bool WritesOneOf(const Operation& operation, const std::set<int64_t>& values) {
  return std::any_of(operation.actions.begin(), operation.actions.end(), [&](const Action& action) {
    return IsWrite(action) && action.kind != Kind::kDelete && values.contains(action.content.value);
  });
}

}  // namespace

History SmallestViolation(const PartitionModel& model, const History& history) {
  History part = ShortestViolated(model, history);
  for (size_t i = part.operations.size(); i-- > 0;) {
    if (!part.operations[i].known) continue;
    History less = part;
    if (HasChanged(part.operations[i])) {
      Forget(&less.operations[i]);
    } else {
      less.operations.erase(less.operations.begin() + static_cast<ptrdiff_t>(i));
    }
    if (IsViolated(model, less)) part = std::move(less);
  }
  return part;
}

std::string Explain(const PartitionModel& model, const History& history) {
  const History part = SmallestViolation(model, history);
  const std::set<int64_t> values = ShownValues(part);
  std::string text = "no order of these operations on partition " + part.partition + " explains their answers:\n";
  size_t others = 0;
  for (const Operation& operation : part.operations) {
    if (!operation.known && !WritesOneOf(operation, values)) {
      ++others;
      continue;
    }
    const auto whole = std::find_if(history.operations.begin(), history.operations.end(),
                                    [&](const Operation& one) { return one.invoked == operation.invoked; });
    text += "  " + Describe(*whole) + "\n";
  }
  return text + "and no choice among " + std::to_string(others) + " other writes helps\n";
}

}  // namespace lapse::linearizability
