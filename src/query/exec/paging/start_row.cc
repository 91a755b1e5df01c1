#include "query/exec/paging/start_row.h"

#include <algorithm>
#include <vector>

#include "query/exec/positions/key_cut.h"
#include "query/exec/positions/row_keys.h"
#include "query/exec/stages/operator_chain.h"
#include "query/exec/stages/pipeline.h"
#include "query/exec/stages/query_evaluator.h"
#include "query/exec/stages/stage.h"
#include "query/values/copy.h"

namespace lapse::query::exec {
namespace {

// Finds the row whose keys have this hash.
class KeysFinder : public Stage {
 public:
  KeysFinder(const PageShape& shape, const KeysHash& hash, Evaluator* evaluator, Arena* arena)
      : shape_(shape), hash_(hash), evaluator_(evaluator), arena_(arena) {}

  Flow Push() override {
    const std::vector<Value> keys = KeysOfRow(shape_, evaluator_);
    if (evaluator_->failed()) return Flow::kStop;
    if (HashOfKeys(keys) != hash_) return Flow::kMore;
    for (const Value& key : keys) found_.push_back(CopyInto(arena_, key));
    if (arena_->exhausted()) evaluator_->FailForMemory(*arena_);
    return Flow::kStop;
  }
  Flow Finish() override { return Flow::kMore; }
  void Reset() override {}

  const std::vector<Value>& found() const { return found_; }

 private:
  const PageShape& shape_;
  const KeysHash& hash_;
  Evaluator* const evaluator_;
  Arena* const arena_;
  std::vector<Value> found_;  // empty: not found
};

}  // namespace

Result<const PagePosition*> StartRow::Find(const PageShape& shape, plan::Slot slots, const PagePosition& cut,
                                           const PageWatch& watch, const ReadItem& read) {
  if (!shape.of_items) return &cut;
  QueryEvaluator evaluator(slots, settings_);
  evaluator.set_watch(&watch);
  KeysFinder finder(shape, cut.cut->hash, &evaluator, &arena_);
  Pipeline pipeline(WithoutWhatLeavesOut(shape.rows), &evaluator, &evaluator.arena(), &finder);
  LAPSE_RETURN_IF_ERROR(read(cut.tie_break.item, [&](const ItemView* item) {
    evaluator.SetItem(pipeline.item_slot(), item);
    pipeline.Push();
  }));
  LAPSE_RETURN_IF_ERROR(evaluator.status());
  if (finder.found().empty()) return &cut;
  whole_ = cut;
  whole_.cut.reset();
  whole_.keys = finder.found();
  return &whole_;
}

const plan::Operator* StartRow::WithoutWhatLeavesOut(const plan::Operator* last) {
  std::vector<const plan::Operator*> kept;
  for (const plan::Operator* op = last; op != nullptr; op = op->input) {
    const bool leaves_out = op->kind == plan::OperatorKind::kFilter || op->kind == plan::OperatorKind::kDistinct ||
                            op->kind == plan::OperatorKind::kSlice;
    if (!leaves_out) kept.push_back(op);
  }
  return ChainOf(kept, &own_);
}

}  // namespace lapse::query::exec
