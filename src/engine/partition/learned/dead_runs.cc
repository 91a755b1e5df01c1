#include "engine/partition/learned/dead_runs.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/records/index/index_key.h"

namespace lapse::engine {
namespace {

// The smallest key greater than `key`.
std::string Behind(std::string_view key) {
  std::string next(key);
  next.push_back('\0');
  return next;
}

std::string_view IndexOf(std::string_view key) {
  return key.substr(0, sizeof(IndexId));
}

}  // namespace

std::vector<DeadRun> DeadRuns::UsableBy(const Known& page, std::string_view prefix) const {
  std::vector<DeadRun> usable;
  if (empty()) return usable;
  std::lock_guard lock(mutex_);
  ++ticks_;
  for (auto run = runs_.lower_bound(prefix); run != runs_.end() && run->first.starts_with(prefix); ++run) {
    const Rest& rest = run->second;
    if (rest.published <= page.published && rest.commits <= page.commits) usable.push_back({run->first, rest.end});
  }
  return usable;
}

void DeadRuns::NoteUse(std::string_view key) {
  std::lock_guard lock(mutex_);
  ++used_;
  if (const auto run = RunWith(key); run != runs_.end()) runs_.find(run->first)->second.used = ticks_;
}

DeadRuns::Touching DeadRuns::TouchedBy(const DeadRun& one) const {
  Touching touching;
  if (empty()) return touching;
  std::lock_guard lock(mutex_);
  // Backward, from the last run that begins no later than `one` ends.
  for (auto run = runs_.upper_bound(one.end); run != runs_.begin();) {
    --run;
    if (run->second.end < one.begin) break;
    if (touching.count++ == 0) touching.between.end = run->first;
    touching.between.begin = run->second.end;
  }
  return touching;
}

DeadRuns::Runs::const_iterator DeadRuns::RunWith(std::string_view key) const {
  const auto behind = runs_.upper_bound(key);
  if (behind == runs_.begin()) return runs_.end();
  const auto run = std::prev(behind);
  return key < run->second.end ? run : runs_.end();
}

void DeadRuns::Tell(const Keys& keys) {
  if (runs_.empty() && proposed_.empty()) return;
  keys([this](std::string_view key) {
    Divide(key);
    for (Proposal* proposal : proposed_) {
      if (key < proposal->run_.begin || key >= proposal->run_.end) continue;
      if (proposal->puts_.size() < kPutsMax) {
        proposal->puts_.emplace_back(key);
      } else {
        proposal->spoiled_ = true;
      }
    }
  });
  NoteSize();
}

void DeadRuns::Divide(std::string_view key) {
  const auto run = RunWith(key);
  if (run == runs_.end()) return;
  const std::string begin = run->first;
  Rest left = run->second;
  Rest right = run->second;
  Remove(run);
  // The number of entries on each side is unknown, so each gets half.
  left.entries = right.entries = left.entries / 2;
  left.end = key;
  if (begin < left.end) Insert(begin, std::move(left));
  std::string next = Behind(key);
  if (next < right.end) Insert(std::move(next), std::move(right));
  KeepBounds();
}

// Merges the part with all runs it touches. The merged run counts as learned when its newest part was.
void DeadRuns::Add(const Part& part, uint64_t commits) {
  const DeadRun& run = part.run;
  if (run.begin >= run.end) return;
  std::string begin = run.begin;
  Rest rest{run.end, published_.load(std::memory_order_relaxed) + 1, commits, ticks_, part.entries};
  auto behind = runs_.upper_bound(run.end);
  while (behind != runs_.begin()) {
    const auto other = std::prev(behind);
    if (other->second.end < begin) break;
    begin = std::min(begin, other->first);
    rest.end = std::max(rest.end, other->second.end);
    rest.commits = std::max(rest.commits, other->second.commits);
    rest.entries += other->second.entries;
    Remove(other);
  }
  Insert(std::move(begin), std::move(rest));
  ++learned_;
  KeepBounds();
}

void DeadRuns::Insert(std::string begin, Rest rest) {
  bytes_ += begin.size() + rest.end.size();
  runs_.emplace(std::move(begin), std::move(rest));
}

void DeadRuns::Remove(Runs::const_iterator run) {
  bytes_ -= run->first.size() + run->second.end.size();
  runs_.erase(run);
}

void DeadRuns::KeepBounds() {
  while (runs_.size() > kRunsMax || bytes_ > kBytesMax) {
    Remove(std::min_element(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second.used, a.second.entries) < std::tie(b.second.used, b.second.entries);
    }));
  }
}

DeadRuns::Counts DeadRuns::counts() const {
  std::lock_guard lock(mutex_);
  return {learned_, used_, passed_.load(std::memory_order_relaxed), compared_.load(std::memory_order_relaxed)};
}

std::vector<DeadRun> DeadRuns::runs() const {
  std::lock_guard lock(mutex_);
  std::vector<DeadRun> all;
  for (const auto& [begin, rest] : runs_) all.push_back({begin, rest.end});
  return all;
}

DeadRuns::Proposal::Proposal(DeadRuns* runs, DeadRun run, const DeadRun& reach) : runs_(runs), run_(std::move(run)) {
  std::lock_guard lock(runs_->mutex_);
  Runs& known = runs_->runs_;
  auto next = known.upper_bound(run_.begin);
  if (next != known.begin()) {
    const std::string& end = std::prev(next)->second.end;
    if (end < run_.begin && end >= reach.begin) run_.begin = end;
  }
  next = known.lower_bound(run_.end);
  if (next != known.end() && next->first <= reach.end) run_.end = next->first;
  commits_begun_ = runs_->begun_;
  ++runs_->proposals_;
  runs_->proposed_.insert(this);
  runs_->NoteSize();
}

DeadRuns::Proposal::~Proposal() {
  std::lock_guard lock(runs_->mutex_);
  runs_->proposed_.erase(this);
  runs_->NoteSize();
}

void DeadRuns::Proposal::Publish(const std::vector<Part>& parts) {
  std::lock_guard lock(runs_->mutex_);
  runs_->proposed_.erase(this);
  Runs& known = runs_->runs_;
  // A container uses one index at a time, and a later index has a greater number. So runs of earlier indexes are no
  // longer needed.
  while (!known.empty() && IndexOf(known.begin()->first) < IndexOf(run_.begin)) runs_->Remove(known.begin());
  const bool outdated = !known.empty() && IndexOf(known.begin()->first) != IndexOf(run_.begin);
  if (!spoiled_ && !outdated) {
    for (const Part& part : parts) runs_->Add(part, commits_begun_);
    for (const std::string& put : puts_) runs_->Divide(put);
    runs_->published_.fetch_add(1, std::memory_order_release);
  }
  runs_->NoteSize();
}

DeadRuns::Commit::Commit(DeadRuns* runs, Keys puts) : runs_(runs), puts_(std::move(puts)) {
  std::lock_guard lock(runs_->mutex_);
  ++runs_->begun_;
  proposals_ = runs_->proposals_;
  runs_->Tell(puts_);
}

// Tells the puts again if a run was proposed during this commit. That learner may have missed them, both in its
// snapshot and in the first report.
DeadRuns::Commit::~Commit() {
  std::lock_guard lock(runs_->mutex_);
  if (proposals_ != runs_->proposals_) runs_->Tell(puts_);
  runs_->ended_.store(runs_->begun_, std::memory_order_release);
}

}  // namespace lapse::engine
