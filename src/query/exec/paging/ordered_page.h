// The end of a pipeline whose rows have an order. Keeps the first rows after the start of the page, as many as fit the
// page, and returns them after the last row.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/paging/result_sink.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/positions/row_cutoff.h"
#include "query/exec/stages/stage.h"
#include "query/values/arena.h"

namespace lapse::query::exec {

// Threads: one. Memory: the rows of one page. It keeps all rows if it removes duplicate results that are not neighbours
// in the order.
class OrderedPage : public Stage, public RowCutoff {
 public:
  struct Limits {
    int results_max;
    size_t memory_bytes_max;
    bool leave_out_undefined;    // omit rows whose one key is undefined (PageRules)
    MemoryPool* pool = nullptr;  // see EvalSettings
  };
  // `from`: the page begins after this row, which must outlive it; null: the first page. If its keys are cut and do not
  // tell whether a row is before it, the page takes the row: a duplicate is better than a loss.
  OrderedPage(const PageShape& shape, const PagePosition* from, const Limits& limits, Evaluator* evaluator);

  void BeginItem(engine::ItemNumber item, int64_t milli_ru) {
    tie_break_ = {item, 0};
    item_milli_ru_ = milli_ru;
  }
  Flow Push() override;
  Flow Finish() override { return Flow::kMore; }
  void Reset() override {}

  // An ordered page never ends before an item.
  static constexpr bool full() { return false; }
  std::optional<LastRow> last_row() const override;
  uint64_t rows_max() const override { return rows_max_; }

  // Takes the rows of another page with the same shape and start over other items, as if they had been pushed.
  void TakeFrom(const OrderedPage& other);

  // How far the rows are complete. Rows after the edge may be missing, and its own row too if `itself` is set. The next
  // page finds them.
  struct Edge {
    std::vector<Value> keys;
    TieBreak tie_break;
    bool itself = false;
  };
  // The state of a page whose scan is not finished. It holds items rather than rows: the next page reads them as they
  // are then.
  struct State {
    std::vector<engine::ItemNumber> items;  // of the rows, ascending, without duplicates
    std::vector<Value> keys;                // the keys of all rows in sequence if keys decide; otherwise empty
    std::optional<Edge> edge;
  };
  // Whether the state is enough to resume. It is not if the page keeps all results.
  bool can_resume() const { return !keep_all_; }
  State state() const;
  // Resumes from a state in three steps: GoOnWithin() with its edge, Push() for its items, then LookFor() with its
  // keys. If the item of a result has changed, a later item may have the same result, so the edge moves before it.
  void GoOnWithin(const std::optional<Edge>& edge);
  void LookFor(std::span<const Value> keys);

  // Call it after Give(). The charge for the items on the page.
  int64_t given_milli_ru() const { return given_milli_ru_; }

  // Returns the rows of the page to `take`. Returns the continuation, which is empty if there are no more rows.
  std::string Give(const TakeResult& take);
  // Whether no row could be returned because the first one may be missing. The scan must restart.
  bool is_in_doubt() const { return in_doubt_; }

 private:
  struct Row {
    std::vector<Value> keys;
    TieBreak tie_break;
    Value result;
    int64_t milli_ru = 0;  // charge for its item
  };
  struct Less {
    const OrderedPage* page;
    bool operator()(const Row& one, const Row& other) const { return std::is_lt(page->Compare(one, other)); }
  };

  std::strong_ordering Compare(const Row& one, const Row& other) const;
  // Returns the row's result. If it is undefined, the row is dropped.
  Value ResultOf();
  void CountWithinGroup(const std::vector<Value>& keys);
  bool IsStart(const Row& row) const;
  void FoundStart(const Row& row);
  // Whether the row is among the first ones so far.
  bool Accepts(const Row& row);
  bool DropLaterItem(const Row& row);
  void Keep(Row row, Value result);
  void DropLast();
  void Compact();
  std::string AtEdge(const Row* last, uint64_t offset_left, std::optional<uint64_t> limit_left);
  bool IsBehindEdge(const Row& row) const;
  bool IsBehindStart(const Row& row) const;

  const PageShape& shape_;
  const PagePosition* const from_;  // the last row of the previous page; null: at the start
  // The full keys of the start row, if its position has them cut and the row was found. Until then all rows are kept if
  // they belong to no items, which means that all are in memory anyway.
  std::optional<std::vector<Value>> start_keys_;
  std::unique_ptr<Arena> start_arena_;
  bool looks_for_start_ = false;
  std::optional<Edge> edge_;
  bool in_doubt_ = false;
  const uint64_t offset_;
  const std::optional<uint64_t> limit_;
  const Limits limits_;
  Evaluator* const evaluator_;
  bool keep_all_ = false;
  uint64_t rows_max_ = 0;  // rows to keep: those of the page, those before it, and one more
  TieBreak tie_break_;
  std::vector<Value> group_;  // keys of the current group, if a group may give several rows
  int64_t item_milli_ru_ = 0;
  int64_t given_milli_ru_ = 0;
  std::unique_ptr<Arena> arena_;  // for the rows that are kept
  size_t compacted_bytes_ = 0;    // bytes in the arena after its last compaction
  std::set<Row, Less> rows_;
};

}  // namespace lapse::query::exec
