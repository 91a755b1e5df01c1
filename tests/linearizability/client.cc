#include "tests/linearizability/client.h"

#include <optional>

namespace lapse::linearizability {
namespace {

constexpr int kTags = 8;
constexpr int kBatchMost = 4;
constexpr size_t kSeenMost = 6;
constexpr int64_t kValuesPerClient = 1'000'000;

}  // namespace

Client::Client(int number, uint64_t seed, std::vector<std::string> partitions, Database* database, Timeline* timeline)
    : number_(number),
      partitions_(std::move(partitions)),
      database_(database),
      timeline_(timeline),
      dice_(seed),
      connection_(database->Connect()) {}

void Client::Work(int operations) {
  for (int i = 0; i < operations && !database_->crashed(); ++i) {
    if (dice_.OneIn(30)) MoveClock();
    // Mostly at once, when the item may be unchanged; sometimes with a version seen long ago.
    if (!seen_.empty() && (saw_now_ ? dice_.OneIn(2) : dice_.OneIn(10))) {
      const Seen seen = saw_now_ ? seen_.front() : seen_.back();
      Send(seen.partition, {MatchingAction(seen)}, false);
      continue;
    }
    const size_t partition = static_cast<size_t>(dice_.Below(static_cast<int64_t>(partitions_.size())));
    if (dice_.OneIn(5)) {
      Send(partition, RandomBatch(), true);
    } else {
      Send(partition, {RandomAction()}, false);
    }
  }
}

void Client::Inspect() {
  for (size_t partition = 0; partition < partitions_.size(); ++partition) {
    for (int id = 0; id < kIds; ++id) Send(partition, {{Kind::kRead, id}}, false);
    Send(partition, {{Kind::kList}}, false);
  }
}

void Client::MoveClock() {
  const int64_t seconds = 1 + dice_.Below(2);
  const int64_t begun = timeline_->ClockWillMove(seconds);
  const std::optional<int64_t> now_s = database_->MoveClock(seconds);
  const int64_t ended = timeline_->Next();
  if (!now_s.has_value() || database_->crashed()) return;
  timeline_->ClockMoved(begun, ended, *now_s);
  ++counts_.clock_moves;
}

void Client::Send(size_t partition, std::vector<Action> actions, bool batch) {
  database_->BeforeOperation();
  Operation operation{.client = number_, .batch = batch, .actions = std::move(actions)};
  operation.invoked = timeline_->Next();
  Answer answer = connection_->Send(partitions_[partition], operation.actions, batch);
  if (database_->crashed()) answer = {};
  operation.ended = timeline_->Next();
  operation.known = answer.kind == Answer::Kind::kKnown;
  operation.results = std::move(answer.results);
  ++counts_.operations;
  saw_now_ = false;
  if (answer.kind == Answer::Kind::kRefused) {
    ++counts_.refused;
    return;
  }
  Count(operation);
  for (const ActionResult& result : operation.results) {
    for (const ShownItem& item : result.shown) seen_.push_front({partition, item.id, item.version});
    saw_now_ = saw_now_ || !result.shown.empty();
  }
  if (seen_.size() > kSeenMost) seen_.resize(kSeenMost);
  if (operation.known || HasWrite(operation)) notes_.emplace_back(partition, std::move(operation));
}

void Client::Count(const Operation& operation) {
  counts_.unknown += operation.known ? 0 : 1;
  counts_.changes += HasChanged(operation) ? 1 : 0;
  counts_.batches += HasChanged(operation) && operation.batch ? 1 : 0;
  for (const ActionResult& result : operation.results) {
    counts_.conflicts += result.status == 409 ? 1 : 0;
    counts_.missing += result.status == 404 ? 1 : 0;
    counts_.changed_before += result.status == 412 ? 1 : 0;
  }
}

Action Client::RandomAction() {
  const int id = static_cast<int>(dice_.Below(kIds));
  const int64_t dice = dice_.Below(100);
  if (dice < 15) return {Kind::kCreate, id, RandomContent()};
  if (dice < 45) return {Kind::kRead, id};
  if (dice < 55) return {Kind::kReplace, id, RandomContent()};
  if (dice < 70) return {Kind::kUpsert, id, RandomContent()};
  if (dice < 78) return {Kind::kDelete, id};
  if (dice < 92) return {Kind::kPatch, id, {.value = NewValue(), .counter = 1}};
  return {Kind::kList};
}

Action Client::MatchingAction(const Seen& seen) {
  const std::string& etag = seen.version.etag;
  switch (dice_.Below(4)) {
    case 0: return {Kind::kDelete, seen.id, {}, etag};
    case 1: return {Kind::kPatch, seen.id, {.value = NewValue(), .counter = 1, .tag = dice_.Below(kTags)}, etag};
    default: break;
  }
  Content next = seen.version.content;
  next.value = NewValue();
  ++next.counter;
  return {dice_.OneIn(3) ? Kind::kUpsert : Kind::kReplace, seen.id, next, etag};
}

std::vector<Action> Client::RandomBatch() {
  std::vector<Action> actions;
  const int64_t count = 2 + dice_.Below(kBatchMost - 1);
  while (static_cast<int64_t>(actions.size()) < count) {
    Action action = RandomAction();
    // Most batches would fail otherwise. Lists cannot be part of batches.
    if (action.kind == Kind::kList || dice_.OneIn(2)) action = {Kind::kUpsert, action.id, RandomContent()};
    actions.push_back(std::move(action));
  }
  return actions;
}

Content Client::RandomContent() {
  Content content{.value = NewValue()};
  if (!dice_.OneIn(kTags)) content.tag = dice_.Below(kTags);
  switch (dice_.Below(3)) {
    case 0: content.ttl = 1 + dice_.Below(3); break;
    case 1: content.ttl = -1; break;
    default: break;
  }
  return content;
}

int64_t Client::NewValue() {
  return number_ * kValuesPerClient + ++values_;
}

}  // namespace lapse::linearizability
