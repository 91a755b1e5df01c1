#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"
#include "query/functions/aggregate.h"

namespace lapse::query::exec {

// Gathers rows into groups that have the same keys, and gives a row for each group at the end: the groups in the order
// of their keys. Without keys there is one group, which may be empty.
class AggregateStage : public InnerStage {
 public:
  AggregateStage(const plan::Operator& op, Evaluator* evaluator, Arena* lasting, Stage* next);

  Flow Push() override;
  Flow PushTimes(uint64_t times) override;
  Flow Finish() override;
  void Reset() override;

  // Rows are of this partition from now on (AggregateMemory).
  void BeginPart(uint32_t part) { part_ = part; }

  // What it has seen: for each group its keys, then a partial of each aggregate. They are good until the next row.
  // Nullopt: these are more values than that, or there is no memory for them.
  std::optional<std::vector<Value>> Seen(size_t values_max) const;
  // Goes on from there. False: this is none of this stage.
  bool GoOnFrom(std::span<const Value> seen);

 private:
  // In the lasting arena: the keys and the states of the aggregates follow it.
  struct Group {
    uint64_t hash = 0;
    Group* next = nullptr;  // of those in one bucket
    Value* keys = nullptr;
    char* states = nullptr;
  };

  AggregateMemory memory() const { return {lasting_, evaluator_->context().hash_seed(), part_}; }
  Group* FindGroup();
  Group* NewGroup(uint64_t hash);
  void Grow();
  Flow OutOfMemory();
  Flow Give(const Group& group);

  const plan::Operator& op_;
  Evaluator* const evaluator_;
  Arena* const lasting_;
  uint32_t part_ = 0;
  size_t state_bytes_ = 0;   // of all aggregates of a group
  std::vector<Value> keys_;  // of the row
  std::vector<Group*> groups_;
  std::vector<Group*> buckets_;  // a power of two
};

}  // namespace lapse::query::exec
