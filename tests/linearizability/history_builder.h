// For tests: hand-made histories. The second changes only when told to. Every operation begins after the one before it
// has ended, unless it is declared to begin earlier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/linearizability/history.h"

namespace lapse::linearizability {

inline Action Create(int id, Content content) {
  return {Kind::kCreate, id, content};
}
inline Action Upsert(int id, Content content) {
  return {Kind::kUpsert, id, content};
}
inline Action Replace(int id, Content content, std::string if_match = "") {
  return {Kind::kReplace, id, content, std::move(if_match)};
}
inline Action Patch(int id, Content content, std::string if_match = "") {
  return {Kind::kPatch, id, content, std::move(if_match)};
}
inline Action Delete(int id) {
  return {Kind::kDelete, id};
}
inline Action Read(int id) {
  return {Kind::kRead, id};
}
inline Action List() {
  return {Kind::kList};
}

// Content whose tag is its value, so that no two items have the same tag.
inline Content Tagged(int64_t value, int64_t counter = 0) {
  return {value, counter, value};
}

class HistoryBuilder {
 public:
  static constexpr int64_t kStart_s = 100;

  HistoryBuilder() { history_.start_s = kStart_s; }

  void PassSeconds(int64_t seconds) { now_s_ += seconds; }

  // An item as an answer shows it, with `etag` and the current second.
  ShownItem Shown(int id, Content content, std::string etag) const { return ShownAt(id, content, std::move(etag), 0); }
  ShownItem ShownAt(int id, Content content, std::string etag, int64_t seconds_ago) const {
    return {id, {std::move(etag), now_s_ - seconds_ago, content}};
  }

  HistoryBuilder& Done(const Action& action, int status, std::vector<ShownItem> shown = {}) {
    return Batch({action}, {{status, std::move(shown)}}, false);
  }
  HistoryBuilder& Batch(std::vector<Action> actions, std::vector<ActionResult> results, bool batch = true) {
    Operation& operation = Add(std::move(actions));
    operation.batch = batch;
    operation.results = std::move(results);
    return *this;
  }
  HistoryBuilder& Unknown(const Action& action) {
    Operation& operation = Add({action});
    operation.known = false;
    operation.settled_s = kStart_s + 1000;
    return *this;
  }
  // Makes the last operation begin before the last `others` of those before it ended.
  HistoryBuilder& Beside(size_t others = 1) {
    const Operation& first = history_.operations[history_.operations.size() - 1 - others];
    Operation moved = history_.operations.back();
    moved.invoked = first.invoked;
    moved.earliest_s = first.earliest_s;
    history_.operations.pop_back();
    history_.operations.insert(history_.operations.end() - static_cast<ptrdiff_t>(others), std::move(moved));
    return *this;
  }
  // Stops and starts the server: an unknown operation has happened by now, or never does.
  HistoryBuilder& Restart() {
    ++time_;
    for (Operation& operation : history_.operations) operation.settled = std::min(operation.settled, time_);
    return *this;
  }

  const History& history() const { return history_; }

 private:
  Operation& Add(std::vector<Action> actions) {
    Operation& operation = history_.operations.emplace_back();
    operation.actions = std::move(actions);
    operation.invoked = ++time_;
    operation.ended = ++time_;
    operation.earliest_s = operation.latest_s = operation.settled_s = now_s_;
    return operation;
  }

  History history_{.partition = "p"};
  int64_t time_ = 0;
  int64_t now_s_ = kStart_s;
};

}  // namespace lapse::linearizability
