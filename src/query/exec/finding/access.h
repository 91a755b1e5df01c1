// Chooses how a page finds its items: by a scan, by index candidates, in index order, or not at all if a count is the
// answer (docs/design/query.md, "Choosing how to find items").
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
#include "engine/catalog/throughput/request_meter.h"
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

// What a page needs from its items.
struct AccessRequest {
  const PageShape* shape = nullptr;
  const plan::ScanCondition* scan = nullptr;  // below the shape's rows
  const PagePosition* start = nullptr;        // null: the first page
  int results_max = 0;
  bool leave_out_undefined = false;  // see PageRules
  // For a scan that an earlier page did not finish: where it resumes, whether it is in index order, and whether this
  // page rereads the items of the rows found so far.
  bool goes_on = false;
  bool goes_on_in_order = false;
  bool rereads_items = false;
  std::string_view after = {};
};

// Threads: one. What it is given must outlive it.
class Access {
 public:
  // The meter has already admitted the page. Null: nothing is charged.
  Access(const PageContext& page, ScannedItem* shown, engine::RequestMeter* meter)
      : page_(page), shown_(shown), meter_(meter) {}

  // Chooses after checking what the indexes have. With `use_index` false it always chooses a scan.
  Status Choose(const AccessRequest& request, bool use_index);

  // Call it before Choose(). Sets the threads that help to find candidates if the page reads all partitions to their
  // end.
  void set_help(Helpers* helpers, const Thresholds& thresholds) {
    helpers_ = helpers;
    thresholds_ = thresholds;
  }

  // The items that the page scans.
  ItemSource* items() const { return items_.get(); }
  // The operators that process the items: those of the plan, without filters that every item passes.
  const plan::Operator* rows() const { return rows_; }
  // If not null, the items come in the order of the page, and the page must say when it has enough.
  OrderedItems* ordered() const { return ordered_; }
  // Whether the items come in the order of the value whose minimum or maximum the query asks for.
  bool first_row_is_enough() const { return first_row_is_enough_; }
  // Which part of the query an index covers.
  IndexSupport support() const { return support_; }
  // A description for people.
  std::string found_by() const;
  // One part of a scan that several threads share. It lies within one partition.
  struct Slice {
    size_t partition = 0;  // its index in the container
    engine::KeyScope scope;
  };
  struct Slices {
    std::vector<Slice> list;  // in scan order; empty if the scan cannot be divided
    int64_t items = 0;        // estimated cost, as a number of scanned items
  };
  // Divides the scan, starting at this position.
  Result<Slices> Divide(const std::string& after);
  // Call it after Divide(). Returns the items of a slice. Threads: any, one for each slice. The arguments must outlive
  // the source.
  std::unique_ptr<ItemSource> ItemsOf(const Slice& slice, ScannedItem* shown, engine::RequestMeter* meter,
                                      const PageWatch& watch) const;
  // If set, this many items give a row each, and the page reads none of them.
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
  engine::RequestMeter* const meter_;
  Helpers* helpers_ = nullptr;
  Thresholds thresholds_;
  const plan::ScanCondition* scan_ = nullptr;
  std::optional<IndexCondition> condition_;
  std::optional<IndexCondition> by_paths_;  // the same without composite indexes; only for ORDER BY
  std::optional<IndexOrder> order_;
  std::unique_ptr<ItemSource> items_;
  OrderedItems* ordered_ = nullptr;
  bool whole_partitions_ = false;             // whether the scope is whole partitions
  const IndexedItems* by_entries_ = nullptr;  // items_ if it is an IndexedItems, else null
  bool first_row_is_enough_ = false;
  const plan::Operator* rows_ = nullptr;
  std::deque<plan::Operator> own_;  // owns the operators of rows_
  std::optional<uint64_t> counted_;
  IndexSupport support_ = IndexSupport::kNone;
};

}  // namespace lapse::query::exec
