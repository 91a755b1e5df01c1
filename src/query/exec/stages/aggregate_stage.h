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

// Groups rows by their keys, and returns a row for each group at the end, in the order of the keys. Without keys there
// is one group, which may be empty.
class AggregateStage : public InnerStage {
 public:
  AggregateStage(const plan::Operator& op, Evaluator* evaluator, Arena* lasting, Stage* next);

  Flow Push() override;
  Flow PushTimes(uint64_t times) override;
  Flow Finish() override;
  void Reset() override;

  // Assigns the rows that follow to this partition (AggregateMemory).
  void BeginPart(uint32_t part) { part_ = part; }

  // Returns the state: for each group its keys, then a partial of each aggregate. The values are valid until the next
  // row. Returns nullopt if there are more than `values_max`, or no memory for them.
  std::optional<std::vector<Value>> Seen(size_t values_max) const;
  // Resumes from a state. Returns false if it is not a state of this stage.
  bool GoOnFrom(std::span<const Value> seen);

 private:
  // Lives in the lasting arena, followed by its keys and the states of its aggregates.
  struct Group {
    uint64_t hash = 0;
    Group* next = nullptr;  // in the same bucket
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
