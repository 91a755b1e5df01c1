#include "tests/linearizability/toy_database.h"

#include <algorithm>
#include <utility>

namespace lapse::linearizability {
namespace {

// A bug shows at one in this many chances.
constexpr int64_t kChances = 3;
// While disturbed, one in this many answers is lost.
constexpr int64_t kLostAnswers = 20;

bool AllDone(const std::vector<ActionResult>& results) {
  return std::all_of(results.begin(), results.end(), [](const ActionResult& result) { return result.status < 300; });
}

}  // namespace

class ToyDatabase::ToyConnection : public Connection {
 public:
  explicit ToyConnection(ToyDatabase* database) : database_(database) {}
  Answer Send(const std::string& partition, const std::vector<Action>& actions, bool batch) override {
    return database_->Execute(partition, actions, batch);
  }

 private:
  ToyDatabase* const database_;
};

std::unique_ptr<Connection> ToyDatabase::Connect() {
  return std::make_unique<ToyConnection>(this);
}

int64_t ToyDatabase::NowSeconds() {
  std::lock_guard lock(mutex_);
  return now_s_;
}

std::optional<int64_t> ToyDatabase::MoveClock(int64_t seconds) {
  std::lock_guard lock(mutex_);
  return now_s_ += seconds;
}

void ToyDatabase::Disturb(uint64_t seed) {
  std::lock_guard lock(mutex_);
  disturbed_ = true;
  operations_ = static_cast<int64_t>(seed % kLostAnswers);
}

Status ToyDatabase::Restart(uint64_t) {
  std::lock_guard lock(mutex_);
  disturbed_ = false;
  ++now_s_;
  if (bug_ == Bug::kLostAtRestart) {
    for (auto& [name, partition] : partitions_) partition.state = partition.before;
  }
  return Status::Ok();
}

bool ToyDatabase::Shows(Bug bug) {
  return bug_ == bug && ++chances_ % kChances == 0;
}

Answer ToyDatabase::Execute(const std::string& name, const std::vector<Action>& actions, bool batch) {
  std::lock_guard lock(mutex_);
  Partition& partition = partitions_[name];
  const bool lost = disturbed_ && ++operations_ % kLostAnswers == 0;
  if (lost && operations_ / kLostAnswers % 2 == 0) return {};
  const bool refused = disturbed_ && !lost && operations_ % kLostAnswers == 1;
  if (refused && !Shows(Bug::kRefusedHappens)) return {Answer::Kind::kRefused};
  std::vector<ActionResult> results = Run(actions, batch, &partition);
  if (lost) return {};
  if (refused) return {Answer::Kind::kRefused};
  return {Answer::Kind::kKnown, std::move(results)};
}

std::vector<ActionResult> ToyDatabase::RunRightly(const std::vector<Action>& actions, int64_t now_s,
                                                  PartitionState* state) {
  return model_.Apply(
      actions, now_s, now_s_, [this](size_t) { return "e" + std::to_string(++etags_); }, state);
}

std::vector<ActionResult> ToyDatabase::Run(const std::vector<Action>& actions, bool batch, Partition* partition) {
  const PartitionState before = partition->state;
  PartitionState* const state = &partition->state;
  const Kind kind = actions.front().kind;
  if (kind == Kind::kRead && !batch) {
    PartitionState shown = before;
    if (Shows(Bug::kStaleRead)) shown = partition->before;
    const int64_t late_s = Shows(Bug::kLateExpiry) ? 1 : 0;
    return RunRightly(actions, now_s_ - late_s, &shown);
  }
  if (kind == Kind::kList) {
    PartitionState shown = Shows(Bug::kHalfBatch) ? partition->halfway : before;
    return RunRightly(actions, now_s_, &shown);
  }
  std::vector<Action> done = actions;
  for (Action& action : done) {
    if (!action.if_match.empty() && Shows(Bug::kIgnoredEtag)) action.if_match.clear();
  }
  PartitionState without_end = before;
  if (batch) RunRightly({actions.begin(), actions.end() - 1}, now_s_, &without_end);
  const int64_t early_s = kind == Kind::kPatch && Shows(Bug::kExpiredComesBack) ? 2 : 0;
  std::vector<ActionResult> results = RunRightly(done, now_s_ - early_s, state);
  if (!batch && results.front().status == 409 && kind != Kind::kPatch && Shows(Bug::kDuplicateKey)) {
    results = RunRightly({{Kind::kRead, actions.front().id}}, now_s_, state);
    const bool exists = results.front().status == 200;
    const Version version{"e" + std::to_string(++etags_), now_s_, actions.front().content};
    state->items.insert_or_assign(actions.front().id, version);
    results = {{exists ? 200 : 201, {{actions.front().id, version}}}};
  }
  if (!AllDone(results)) {
    if (batch && Shows(Bug::kFailedBatchStays)) *state = without_end;
    return results;
  }
  partition->before = before;
  if (batch) partition->halfway = without_end;
  const bool changes_one = !batch && (kind == Kind::kPatch || kind == Kind::kReplace);
  if (changes_one && Shows(Bug::kLostUpdate)) *state = before;
  return results;
}

}  // namespace lapse::linearizability
