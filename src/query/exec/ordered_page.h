// The end of a pipeline whose rows come in an order of their own: it keeps the first rows behind the place where the
// page begins, as many as fit the page, and gives them when all were seen.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "query/exec/evaluator.h"
#include "query/exec/page_position.h"
#include "query/exec/page_shape.h"
#include "query/exec/result_sink.h"
#include "query/exec/stage.h"
#include "query/values/arena.h"

namespace lapse::query::exec {

// Threads: one. Memory: that of the rows of one page; that of all rows where results are made distinct that are not
// neighbours in the order.
class OrderedPage : public Stage {
 public:
  struct Limits {
    int results_max;
    size_t memory_bytes_max;
    bool leave_out_undefined;    // rows whose one key is undefined (order_rule.h)
    MemoryPool* pool = nullptr;  // see EvalSettings
  };
  // `from`: where the page begins; null: at the start.
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
  // The last of the rows that the page wants, when it has as many; rows behind it are no longer kept.
  struct LastRow {
    std::span<const Value> keys;
    RowPlace place;
  };
  std::optional<LastRow> last_wanted() const;
  uint64_t wanted() const { return wanted_; }

  // After that: what the items cost that are on the page.
  int64_t given_milli_ru() const { return given_milli_ru_; }

  // Gives the page. Where the next one begins; empty: there is none.
  std::string Give(const TakeResult& take);

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
  bool KeysOf(Row* row);
  Value ValueOf(const plan::Expression& key);
  // The row's result; undefined: the row vanishes.
  Value ResultOf();
  bool LeaveLaterItem(const Row& row);
  void Keep(const Row& row, Value result);
  void LeaveTheLast();
  void Compact();
  bool IsBehindStart(const Row& row) const { return !from_.has_value() || std::is_lt(Compare(*from_, row)); }

  const PageShape& shape_;
  std::optional<Row> from_;  // the last row of the page before
  const uint64_t offset_;
  const std::optional<uint64_t> limit_;
  const Limits limits_;
  Evaluator* const evaluator_;
  bool keep_all_ = false;
  uint64_t wanted_ = 0;  // rows to keep: those of the page, those before it, and one more
  RowPlace place_;
  int64_t item_milli_ru_ = 0;
  int64_t given_milli_ru_ = 0;
  std::unique_ptr<Arena> arena_;  // of the rows that are kept
  size_t compacted_bytes_ = 0;    // held by the arena after it was compacted last
  std::set<Row, Less> rows_;
};

}  // namespace lapse::query::exec
