// Chooses how a page finds its items: by scan, by candidates of an index, in the order of an index, or not at all if a
// count is the answer (docs/design/query.md, "Choosing how to find items").
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
#include "engine/catalog/throughput/meter.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/finding/indexed_items.h"
#include "query/exec/finding/ordered_items.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/index/index_order.h"
#include "query/exec/items/container_items.h"
#include "query/exec/items/item_source.h"
#include "query/exec/items/page_context.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/page_rules.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/exec/scheduling/thresholds.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// What a page asks of its items.
struct AccessRequest {
  const PageShape* shape = nullptr;
  const plan::ScanCondition* scan = nullptr;  // of the shape's rows
  const PagePosition* start = nullptr;        // null: the first page
  int results_max = 0;
  bool leave_out_undefined = false;  // see PageRules
  // A scan that an earlier page did not finish: where it goes on, whether it is in the order of an index, and whether
  // the page reads the items of the rows so far again.
  bool goes_on = false;
  bool goes_on_in_order = false;
  bool rereads_items = false;
  std::string_view after = {};
};

// Threads: one. What it is given must outlive it.
class Access {
 public:
  // The meter has let the page in; null: nothing is charged.
  Access(const PageContext& page, ScannedItem* shown, engine::Meter* meter)
      : page_(page), shown_(shown), meter_(meter) {}

  // Looks at what the indexes have, and chooses. `use_index`: false for a scan in any case.
  Status Choose(const AccessRequest& request, bool use_index);

  // Before Choose(): threads that help to find candidates, if the page reads all partitions to their end.
  void set_help(Helpers* helpers, const Thresholds& thresholds) {
    helpers_ = helpers;
    thresholds_ = thresholds;
  }

  // What the page scans.
  ItemSource* items() const { return items_.get(); }
  // The operators that the items go through: those of the plan, without filters that all of the items pass.
  const plan::Operator* rows() const { return rows_; }
  // Not null: the items come in the order of the page, which must say when it has enough.
  OrderedItems* ordered() const { return ordered_; }
  // The items come in the order of the value whose least or greatest the query wants.
  bool first_row_is_enough() const { return first_row_is_enough_; }
  // What of the query an index has.
  IndexSupport support() const { return support_; }
  // For people.
  std::string found_by() const;
  // One partition of a scan that several threads share.
  struct Slice {
    size_t partition = 0;  // its index in the container
    engine::KeyScope scope;
  };
  struct Slices {
    std::vector<Slice> list;  // in the order of the scan; empty: it cannot be divided
    int64_t items = 0;        // takes about as long as to scan this many
  };
  // Divides the scan from this position on.
  Result<Slices> Divide(const std::string& after);
  // After Divide(): the items of a slice. Threads: any, one for each slice. What is given must outlive the source.
  std::unique_ptr<ItemSource> ItemsOf(const Slice& slice, ScannedItem* shown, engine::Meter* meter,
                                      const PageWatch& watch) const;
  // This many items give a row each, and the page reads none of them.
  std::optional<uint64_t> counted() const { return counted_; }

 private:
  Status CountEverything();
  Status ChooseIndex(const AccessRequest& request);
  Status ChooseByOrder(const AccessRequest& request);
  Result<bool> TryExtreme(const AccessRequest& request, const KnownPaths& known);
  const IndexCondition* PartInOrder() const;
  Result<bool> HasEntries(const engine::IndexRange& range);
  Result<bool> TryCandidates(IndexedItems::Purpose purpose);
  Result<bool> TryOrder(const AccessRequest& request);
  Result<bool> IsMostOfPartition(uint64_t rows_max) const;
  bool AsksNothingOfItems(const PageShape& shape) const;
  const plan::Operator* WithoutFilters(const plan::Operator* last);

  const PageContext& page_;
  ScannedItem* const shown_;
  engine::Meter* const meter_;
  Helpers* helpers_ = nullptr;
  Thresholds thresholds_;
  const plan::ScanCondition* scan_ = nullptr;
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
  IndexSupport support_ = IndexSupport::kNone;
};

}  // namespace lapse::query::exec
