// How a page finds its items: by scan, by entries of an index, in the order of an index, or not at all where a count
// says everything (docs/design/query.md, "Choosing how to find items").
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/helpers.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/throughput/meter.h"
#include "engine/partition/index/index_page.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/finding/indexed_items.h"
#include "query/exec/finding/ordered_items.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/index/index_order.h"
#include "query/exec/items/container_items.h"
#include "query/exec/items/item_source.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/exec/scheduling/thresholds.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// What a page wants of its items.
struct Wanted {
  const PageShape* shape = nullptr;
  const PagePosition* start = nullptr;  // null: the first page
  int results_max = 0;
  bool leave_out_undefined = false;  // see LeavesOutUndefined
  // A walk that an earlier page did not finish: where it goes on, whether it is one in the order of an index, and
  // whether the items of the rows so far are shown again.
  bool goes_on = false;
  bool goes_on_in_order = false;
  bool shows_items_again = false;
  std::string_view after = {};
};

// Which items of a page cost something beside the page itself. It depends on plan and policy, not on how the items were
// found, so that the same page always costs the same.
enum class Priced : uint8_t {
  kLookedAt,  // all that were looked at: no index has what the query asks for
  kMatching,  // those that give a row
  kOnPage,    // those whose rows are on the page
  kNone,      // they are only counted
};

// Threads: one. What it is made of must outlive it.
class Access {
 public:
  // The watch may be null. `pool`: see EvalSettings.
  Access(const engine::Container& container, const engine::KeyScope& scope, ScannedItem* shown, engine::Meter* meter,
         PageWatch* watch, MemoryPool* pool)
      : container_(container), scope_(scope), shown_(shown), meter_(meter), watch_(watch), pool_(pool) {}

  // Asks the meter whether the page is let in, then looks at what the indexes have. `use_index`: false for a scan in
  // any case.
  Status Choose(const Wanted& wanted, bool use_index);

  // Before that: who helps to find items, where that pays. Only for what goes to the end of all partitions.
  void set_help(Helpers* helpers, const Thresholds& thresholds) {
    helpers_ = helpers;
    thresholds_ = thresholds;
  }

  // What is walked over.
  ItemSource* items() const { return items_.get(); }
  // What is done with the items: as the plan has it, or without filters that all of them pass.
  const plan::Operator* rows() const { return rows_; }
  // Not null: the items come in the order of the page, and it has to tell when it has enough.
  OrderedItems* ordered() const { return ordered_; }
  // They come in the order of the value whose least or greatest is asked for: the first row is enough.
  bool first_row_is_enough() const { return first_row_is_enough_; }
  Priced priced() const { return priced_; }
  // The last operator of the plan that is about one item; null: there are no items.
  const plan::Operator* last_of_item() const { return scan_.last; }
  // What the plan says about its items.
  const plan::ScanCondition& scan() const { return scan_; }
  // For people.
  std::string found_by() const;
  // What the page sees; null: nothing was asked of it.
  engine::IndexPage* page() const { return page_.get(); }
  // A walk from this position on, by partitions, each of which may be walked over by another thread.
  struct Share {
    size_t partition = 0;  // its place in the container
    engine::KeyScope scope;
  };
  struct Shares {
    std::vector<Share> list;  // in the order of the walk; empty: it cannot be divided
    int64_t items = 0;        // about as much work as to scan so many
  };
  Result<Shares> Divide(const std::string& after);
  // After that: the items of one of them. Threads: any, if each share has one; what is given must outlive the source.
  std::unique_ptr<ItemSource> ItemsOf(const Share& share, ScannedItem* shown, engine::Meter* meter,
                                      const PageWatch* watch) const;
  // So many items give a row each, and nothing is asked of them.
  std::optional<uint64_t> counted() const { return counted_; }

 private:
  Status Admit(const Wanted& wanted);
  Status OpenPage();
  Status CountEverything();
  Status ChooseIndex(const Wanted& wanted);
  Status ChooseByOrder(const Wanted& wanted);
  Result<bool> TryExtreme(const Wanted& wanted, const KnownPaths& known);
  const IndexCondition* PartInOrder() const;
  Result<bool> HasEntries(const engine::IndexRange& range);
  Result<bool> TryCandidates(IndexedItems::Purpose purpose);
  Result<bool> TryOrder(const Wanted& wanted);
  Result<bool> IsMostOfPartition(uint64_t rows_max) const;
  bool AsksNothingOfItems(const PageShape& shape) const;
  const plan::Operator* WithoutFilters(const plan::Operator* last);

  const engine::Container& container_;
  const engine::KeyScope& scope_;
  ScannedItem* const shown_;
  engine::Meter* const meter_;
  PageWatch* const watch_;
  MemoryPool* const pool_;
  Helpers* helpers_ = nullptr;
  Thresholds thresholds_;
  plan::ScanCondition scan_;
  std::unique_ptr<engine::IndexPage> page_;
  std::optional<IndexCondition> condition_;
  std::optional<IndexCondition> by_paths_;  // the same without composite indexes; only for ORDER BY
  std::optional<IndexOrder> order_;
  std::unique_ptr<ItemSource> items_;
  OrderedItems* ordered_ = nullptr;
  bool whole_partitions_ = false;             // the scope is
  const IndexedItems* by_entries_ = nullptr;  // items_, if they are these
  bool first_row_is_enough_ = false;
  const plan::Operator* rows_ = nullptr;
  std::deque<plan::Operator> own_;  // of rows_
  std::optional<uint64_t> counted_;
  Priced priced_ = Priced::kLookedAt;
};

}  // namespace lapse::query::exec
