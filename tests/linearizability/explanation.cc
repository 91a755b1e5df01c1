#include "tests/linearizability/explanation.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lapse::linearizability {
namespace {

// How many writes of the same items are shown although their answers do not matter.
constexpr size_t kSameItemsMost = 4;

// The reduction searches again for each answer that might be left out. An answer that is undecided at this limit is
// kept.
constexpr CheckLimits kReductionLimits{.steps_max = 10'000};

// Forgets the answer. The operation's effect, or possible effect, keeps its time.
void Forget(Operation* operation) {
  operation->happened = HasChanged(*operation);
  operation->known = false;
  operation->settled = operation->ended;
  operation->settled_s = operation->latest_s;
}

// What was known when the event at `end` had happened. A history that can be explained can be explained up to each of
// its events.
// its events.
History UpTo(const History& history, int64_t end) {
  History part{history.partition, history.start_s};
  for (Operation operation : history.operations) {
    if (operation.invoked > end) continue;
    if (operation.known && operation.ended > end) {
      if (!HasWrite(operation)) continue;
      Forget(&operation);
      operation.happened = false;
    }
    part.operations.push_back(std::move(operation));
  }
  return part;
}

bool IsViolated(const PartitionModel& model, const History& history, const CheckLimits& limits) {
  return Check(model, history, limits) == Verdict::kViolated;
}

History ShortestViolated(const PartitionModel& model, const History& history) {
  std::vector<int64_t> ends;
  for (const Operation& operation : history.operations) {
    if (operation.known) ends.push_back(operation.ended);
  }
  std::sort(ends.begin(), ends.end());
  const auto first = std::partition_point(ends.begin(), ends.end(),
                                          [&](int64_t end) { return !IsViolated(model, UpTo(history, end), {}); });
  return first == ends.end() ? history : UpTo(history, *first);
}

std::set<std::string> EtagsShownBy(const Operation& operation) {
  std::set<std::string> etags;
  for (const ActionResult& result : operation.results) {
    for (const ShownItem& item : result.shown) etags.insert(item.version.etag);
  }
  return etags;
}

// Etags that clients sent and had learnt only from reads, since the write was unknown. Without those reads the version
// would be unknown.
std::set<std::string> EtagsKnownFromReads(const History& history) {
  std::set<std::string> etags;
  for (const Operation& operation : history.operations) {
    for (const Action& action : operation.actions) etags.insert(action.if_match);
  }
  for (const Operation& operation : history.operations) {
    if (!HasChanged(operation)) continue;
    for (const std::string& etag : EtagsShownBy(operation)) etags.erase(etag);
  }
  return etags;
}

bool ShowsOneOf(const Operation& operation, const std::set<std::string>& etags) {
  const std::set<std::string> shown = EtagsShownBy(operation);
  return std::any_of(shown.begin(), shown.end(), [&](const std::string& etag) { return etags.contains(etag); });
}

std::set<int64_t> ShownValues(const History& history) {
  std::set<int64_t> values;
  for (const Operation& operation : history.operations) {
    if (!operation.known) continue;
    for (const ActionResult& result : operation.results) {
      for (const ShownItem& item : result.shown) values.insert(item.version.content.value);
    }
  }
  return values;
}

bool Touches(const Operation& operation, const Operation& last) {
  return std::any_of(operation.actions.begin(), operation.actions.end(), [&](const Action& action) {
    return std::any_of(last.actions.begin(), last.actions.end(),
                       [&](const Action& other) { return action.id == other.id; });
  });
}

// Returns the last operation whose answer matters. If there is none, because the writes as such cannot all have
// happened, returns the last write.
const Operation* LastThatMatters(const History& history) {
  const Operation* last = nullptr;
  for (const Operation& operation : history.operations) {
    const bool later =
        last == nullptr || std::pair(operation.known, operation.ended) > std::pair(last->known, last->ended);
    if (later && (operation.known || operation.happened)) last = &operation;
  }
  return last;
}

bool WritesOneOf(const Operation& operation, const std::set<int64_t>& values) {
  return std::any_of(operation.actions.begin(), operation.actions.end(), [&](const Action& action) {
    return IsWrite(action) && action.kind != Kind::kDelete && values.contains(action.content.value);
  });
}

}  // namespace

History SmallestViolation(const PartitionModel& model, const History& history) {
  History part = ShortestViolated(model, history);
  const std::set<std::string> from_reads = EtagsKnownFromReads(part);
  for (size_t i = part.operations.size(); i-- > 0;) {
    if (!part.operations[i].known || (!HasChanged(part.operations[i]) && ShowsOneOf(part.operations[i], from_reads))) {
      continue;
    }
    History less = part;
    if (HasChanged(part.operations[i])) {
      Forget(&less.operations[i]);
    } else {
      less.operations.erase(less.operations.begin() + static_cast<ptrdiff_t>(i));
    }
    if (IsViolated(model, less, kReductionLimits)) part = std::move(less);
  }
  return part;
}

std::string Explain(const PartitionModel& model, const History& history) {
  const History part = SmallestViolation(model, history);
  const std::set<int64_t> values = ShownValues(part);
  const Operation* const last = LastThatMatters(part);
  std::vector<std::string> lines;
  size_t others = 0;
  size_t same_items = 0;
  // From the end, since recent operations tell more.
  for (auto operation = part.operations.rbegin(); operation != part.operations.rend(); ++operation) {
    const bool star = operation->known || &*operation == last;
    const bool matters = star || WritesOneOf(*operation, values);
    if (!matters && (last == nullptr || !Touches(*operation, *last) || ++same_items > kSameItemsMost)) {
      ++others;
      continue;
    }
    const auto whole = std::find_if(history.operations.begin(), history.operations.end(),
                                    [&](const Operation& one) { return one.invoked == operation->invoked; });
    lines.push_back((star ? "  * " : "    ") + Describe(*whole) + "\n");
  }
  std::string text =
      "no order of the operations on partition " + part.partition + " explains the answers with a star:\n";
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += *line;
  if (std::getenv("LAPSE_LINEAR_WHOLE") != nullptr) {
    text += "  the whole history:\n";
    for (const Operation& operation : history.operations) text += "    " + Describe(operation) + "\n";
  }
  return text + "  (and " + std::to_string(others) + " other writes)\n";
}

}  // namespace lapse::linearizability
