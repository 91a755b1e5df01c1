// What an API decides about the pages of its queries, beside the plan.
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

// What of a query an index has. It follows from the plan and the policy, not from how a page finds its items, so that
// the same page always has the same price.
enum class IndexSupport : uint8_t {
  kNone,
  kFilter,  // a part of the filter at least
  kOrder,   // the order of the rows
  kAnswer,  // all that the query asks of its items: it counts them, or wants their least or greatest value
};

// Which items of a page are charged.
enum class ChargedItems : uint8_t {
  kScanned,   // all that the page reads
  kMatching,  // those that give a row
  kReturned,  // those whose rows are on the page
  kNone,
};

// Prices are in thousandths of a request unit. An API that overrides none of them charges nothing.
// Threads: any.
class PageRules {
 public:
  virtual ~PageRules() = default;

  // Shows the items of a page to one of its threads. The state is that of the page, and lives as long as the page.
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
  // The whole page. `paid_elsewhere`: another page of the same scan pays what each page pays, since this one ended
  // early and not by the client's wish.
  virtual int64_t PageMilliRu(int64_t /*items_milli_ru*/, bool /*paid_elsewhere*/) const { return 0; }
};

}  // namespace lapse::query::exec
