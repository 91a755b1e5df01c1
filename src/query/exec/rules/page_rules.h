// What an API decides about the pages of its queries, in addition to the plan.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/index/indexing_definition.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/added_properties.h"
#include "query/exec/rules/scanned_item.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {

// Which part of a query an index covers. It follows from the plan and the policy, not from how a page finds its items,
// so the same page always has the same price.
enum class IndexSupport : uint8_t {
  kNone,
  kFilter,  // at least a part of the filter
  kOrder,   // the order of the rows
  kAnswer,  // the whole answer: the query counts its items, or asks for their minimum or maximum
};

// Which items of a page are charged.
enum class ChargedItems : uint8_t {
  kScanned,   // all items that the page reads
  kMatching,  // those that give a row
  kReturned,  // those whose rows are on the page
  kNone,
};

// Prices are in thousandths of a request unit. An API that overrides none of these functions charges nothing. Threads:
// any.
class PageRules {
 public:
  virtual ~PageRules() = default;

  // Returns the object that shows items to one thread of a page. The state belongs to the page, and lives as long as
  // the page.
  virtual std::unique_ptr<ScannedItem> NewItem(const engine::ContainerState& state,
                                               const EvalSettings& settings) const = 0;

  // Whether a page leaves out rows that have no value for their one order key. Fails: with the API's own error, if its
  // rules refuse the order.
  virtual Result<bool> LeavesOutUndefined(const PageShape& /*shape*/, const engine::IndexingDefinition& /*indexing*/,
                                          const AddedProperties& /*added*/) const {
    return false;
  }

  virtual ChargedItems ItemsToCharge(IndexSupport /*support*/) const { return ChargedItems::kNone; }
  // Called once for each charged item.
  virtual int64_t ItemMilliRu(std::string_view /*document*/, const engine::ContainerState& /*state*/) const {
    return 0;
  }
  // Returns the price of the whole page. `paid_elsewhere`: this page ended early, and not at the client's wish, so
  // another page of the same scan pays the fixed price of a page.
  virtual int64_t PageMilliRu(int64_t /*items_milli_ru*/, bool /*paid_elsewhere*/) const { return 0; }
};

}  // namespace lapse::query::exec
