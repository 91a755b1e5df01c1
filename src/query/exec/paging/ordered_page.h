// The end of a pipeline whose rows come in an order of their own: it keeps the first rows behind the place where the
// page begins, as many as fit the page, and gives them when all were seen.
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

// Threads: one. Memory: that of the rows of one page; that of all rows where results are made distinct that are not
// neighbours in the order.
class OrderedPage : public Stage, public RowCutoff {
 public:
  struct Limits {
    int results_max;
    size_t memory_bytes_max;
    bool leave_out_undefined;    // rows whose one key is undefined (PageRules)
    MemoryPool* pool = nullptr;  // see EvalSettings
  };
  // `from`: where the page begins, which must outlive it; null: at the start. If its keys are cut and do not tell
  // whether a row is before it, the row is taken: rather twice than never.
  OrderedPage(const PageShape& shape, const PagePosition* from, const Limits& limits, Evaluator* evaluator);

  void BeginItem(engine::ItemNumber item, int64_t milli_ru) {
    place_ = {item, 0};
    item_milli_ru_ = milli_ru;
  }
  Flow Push() override;
  Flow Finish() override { return Flow::kMore; }
  void Reset() override {}

  // It never ends before an item.
  static constexpr bool full() { return false; }
  std::optional<LastRow> last_row() const override;
  uint64_t rows_max() const override { return rows_max_; }

  // Takes the rows of another page of the same shape from the same place, over other items, as if they had been pushed.
  void TakeFrom(const OrderedPage& other);

  // How far the rows are known. Those behind the edge, and its own row if `itself` says so, may be missing, and are
  // left to the next page.
  struct Edge {
    std::vector<Value> keys;
    RowPlace place;
    bool itself = false;
  };
  // What has to be remembered of a page whose walk is not finished. Items, and not rows: the page that goes on shows
  // them as they are then.
  struct Kept {
    std::vector<engine::ItemNumber> items;  // whose rows are kept, ascending, each once
    std::vector<Value> keys;                // of all rows, one after another, where keys decide; otherwise empty
    std::optional<Edge> edge;
  };
  // Whether that is enough to go on: not where all results are held.
  bool can_be_kept() const { return !keep_all_; }
  Kept kept() const;
  // Goes on: first with the edge, then the items are pushed again, then it is looked whether all keys are still there.
  // Where the item behind a result is another one by now, a further item may have the same result.
  void GoOnWithin(const std::optional<Edge>& edge);
  void LookFor(std::span<const Value> keys);

  // After that: what the items cost that are on the page.
  int64_t given_milli_ru() const { return given_milli_ru_; }

  // Gives the page. Where the next one begins; empty: there is none.
  std::string Give(const TakeResult& take);
  // Nothing could be given, since the first row of all may be missing: the page has to be walked for once more.
  bool is_in_doubt() const { return in_doubt_; }

 private:
  struct Row {
    std::vector<Value> keys;
    RowPlace place;
    Value result;
    int64_t milli_ru = 0;  // of its item
  };
  struct Less {
    const OrderedPage* page;
    bool operator()(const Row& one, const Row& other) const { return std::is_lt(page->Compare(one, other)); }
  };

  std::strong_ordering Compare(const Row& one, const Row& other) const;
  // The row's result; undefined: the row vanishes.
  Value ResultOf();
  void CountWithinGroup(const std::vector<Value>& keys);
  bool IsStart(const Row& row) const;
  void FoundStart(const Row& row);
  // Whether it is among those that are kept so far.
  bool IsWanted(const Row& row);
  bool LeaveLaterItem(const Row& row);
  void Keep(Row row, Value result);
  void LeaveTheLast();
  void Compact();
  std::string AtEdge(const Row* last, uint64_t offset_left, std::optional<uint64_t> limit_left);
  bool IsBehindEdge(const Row& row) const;
  bool IsBehindStart(const Row& row) const;

  const PageShape& shape_;
  const PagePosition* const from_;  // behind the last row of the page before; null: at the start
  // The keys of its row, where they are cut and the row was met. Until then all rows are kept, if they are of no items
  // and so all in memory.
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
  RowPlace place_;
  std::vector<Value> group_;  // the keys of the one that rows are of, if it may give several
  int64_t item_milli_ru_ = 0;
  int64_t given_milli_ru_ = 0;
  std::unique_ptr<Arena> arena_;  // of the rows that are kept
  size_t compacted_bytes_ = 0;    // held by the arena after it was compacted last
  std::set<Row, Less> rows_;
};

}  // namespace lapse::query::exec
