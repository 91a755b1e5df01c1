#include "query/exec/stages/aggregate_stage.h"

#include <algorithm>
#include <compare>
#include <new>

#include "query/exec/eval/row_memory.h"
#include "query/functions/aggregates.h"
#include "query/values/compare.h"
#include "query/values/copy.h"
#include "query/values/hash.h"

namespace lapse::query::exec {
namespace {

constexpr size_t kFirstBuckets = 64;

}  // namespace

AggregateStage::AggregateStage(const plan::Operator& op, Evaluator* evaluator, Arena* lasting, Stage* next)
    : InnerStage(next), op_(op), evaluator_(evaluator), lasting_(lasting), keys_(op.group_keys.size()) {
  for (const plan::AggregateCall& call : op_.aggregates) state_bytes_ += call.aggregate->state_bytes;
}

void AggregateStage::Reset() {
  groups_.clear();
  buckets_.clear();
  InnerStage::Reset();
}

Flow AggregateStage::Push() {
  for (size_t i = 0; i < keys_.size(); ++i) keys_[i] = evaluator_->Evaluate(*op_.group_keys[i].expression);
  if (evaluator_->failed()) return Flow::kStop;
  Group* group = FindGroup();
  if (group == nullptr) return OutOfMemory();
  char* state = group->states;
  for (const plan::AggregateCall& call : op_.aggregates) {
    const Aggregate& what = *call.aggregate;
    what.add(memory(), state, evaluator_->Evaluate(*call.argument));
    state += what.state_bytes;
  }
  if (lasting_->exhausted()) return OutOfMemory();
  return evaluator_->failed() ? Flow::kStop : Flow::kMore;
}

std::optional<std::vector<Value>> AggregateStage::Seen(size_t values_max) const {
  std::vector<Value> seen;
  if (groups_.size() * (keys_.size() + op_.aggregates.size()) > values_max) return std::nullopt;
  for (const Group* group : groups_) {
    seen.insert(seen.end(), group->keys, group->keys + keys_.size());
    const char* state = group->states;
    for (const plan::AggregateCall& call : op_.aggregates) {
      seen.push_back(call.aggregate->partial(memory(), state));
      state += call.aggregate->state_bytes;
    }
  }
  if (lasting_->exhausted()) return std::nullopt;
  return seen;
}

bool AggregateStage::GoOnFrom(std::span<const Value> seen) {
  const size_t each = keys_.size() + op_.aggregates.size();
  if (each == 0 ? !seen.empty() : seen.size() % each != 0) return false;
  for (; !seen.empty(); seen = seen.subspan(each)) {
    std::copy_n(seen.begin(), keys_.size(), keys_.begin());
    Group* const group = FindGroup();
    if (group == nullptr) {
      OutOfMemory();
      return true;
    }
    char* state = group->states;
    for (size_t i = 0; i < op_.aggregates.size(); ++i) {
      const Aggregate& what = *op_.aggregates[i].aggregate;
      if (!what.merge(memory(), state, seen[keys_.size() + i])) return false;
      state += what.state_bytes;
    }
  }
  if (lasting_->exhausted()) OutOfMemory();
  return true;
}

// A count takes many rows at once.
Flow AggregateStage::PushTimes(uint64_t times) {
  const bool counts = std::all_of(op_.aggregates.begin(), op_.aggregates.end(),
                                  [](const plan::AggregateCall& call) { return call.aggregate == &functions::kCount; });
  if (!counts || !op_.group_keys.empty()) return Stage::PushTimes(times);
  Group* group = groups_.empty() ? NewGroup(0) : groups_.front();
  if (group == nullptr) return OutOfMemory();
  char* state = group->states;
  for (const plan::AggregateCall& call : op_.aggregates) {
    if (!evaluator_->Evaluate(*call.argument).IsUndefined()) {
      call.aggregate->merge(memory(), state, Value::Int64(static_cast<int64_t>(times)));
    }
    state += call.aggregate->state_bytes;
  }
  return evaluator_->failed() ? Flow::kStop : Flow::kMore;
}

Flow AggregateStage::Finish() {
  if (groups_.empty() && op_.group_keys.empty() && NewGroup(0) == nullptr) return OutOfMemory();
  std::sort(groups_.begin(), groups_.end(), [this](const Group* one, const Group* other) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      const std::strong_ordering order = OrderOf(one->keys[i], other->keys[i]);
      if (std::is_neq(order)) return std::is_lt(order);
    }
    return false;
  });
  for (const Group* group : groups_) {
    const RowMemory memory_of_row(evaluator_);
    if (Give(*group) == Flow::kStop) return Flow::kStop;
  }
  return InnerStage::Finish();
}

Flow AggregateStage::Give(const Group& group) {
  for (size_t i = 0; i < keys_.size(); ++i) evaluator_->set_slot(op_.group_keys[i].slot, group.keys[i]);
  const char* state = group.states;
  for (const plan::AggregateCall& call : op_.aggregates) {
    const Aggregate& what = *call.aggregate;
    evaluator_->set_slot(call.slot, what.result(memory(), state));
    state += what.state_bytes;
  }
  if (lasting_->exhausted()) return OutOfMemory();
  return next_->Push();
}

AggregateStage::Group* AggregateStage::FindGroup() {
  uint64_t hash = 0;
  for (const Value& key : keys_) hash = hash * 31 + HashOf(key, evaluator_->context().hash_seed());
  if (!buckets_.empty()) {
    for (Group* group = buckets_[hash & (buckets_.size() - 1)]; group != nullptr; group = group->next) {
      if (group->hash == hash && std::equal(keys_.begin(), keys_.end(), group->keys, SameValue)) return group;
    }
  }
  return NewGroup(hash);
}

AggregateStage::Group* AggregateStage::NewGroup(uint64_t hash) {
  const size_t keys_bytes = keys_.size() * sizeof(Value);
  char* memory_of_group = lasting_->Allocate(sizeof(Group) + keys_bytes + state_bytes_);
  if (memory_of_group == nullptr) return nullptr;
  auto* group = new (memory_of_group) Group();
  group->hash = hash;
  group->keys = reinterpret_cast<Value*>(memory_of_group + sizeof(Group));
  group->states = memory_of_group + sizeof(Group) + keys_bytes;
  for (size_t i = 0; i < keys_.size(); ++i) new (group->keys + i) Value(CopyInto(lasting_, keys_[i]));
  char* state = group->states;
  for (const plan::AggregateCall& call : op_.aggregates) {
    const Aggregate& what = *call.aggregate;
    what.begin(memory(), state);
    state += what.state_bytes;
  }
  if (lasting_->exhausted()) return nullptr;
  groups_.push_back(group);
  if (groups_.size() > buckets_.size()) {
    Grow();
  } else {
    Group*& bucket = buckets_[hash & (buckets_.size() - 1)];
    group->next = bucket;
    bucket = group;
  }
  return group;
}

void AggregateStage::Grow() {
  buckets_.assign(std::max(kFirstBuckets, 2 * buckets_.size()), nullptr);
  for (Group* group : groups_) {
    Group*& bucket = buckets_[group->hash & (buckets_.size() - 1)];
    group->next = bucket;
    bucket = group;
  }
}

Flow AggregateStage::OutOfMemory() {
  if (!evaluator_->failed()) evaluator_->FailForMemory(*lasting_);
  return Flow::kStop;
}

}  // namespace lapse::query::exec
