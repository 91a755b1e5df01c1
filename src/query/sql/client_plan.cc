#include "query/sql/client_plan.h"

#include <algorithm>
#include <utility>

#include "query/sql/aggregate_calls.h"
#include "query/sql/bind.h"
#include "query/sql/client_rewrite.h"
#include "query/sql/error_list.h"
#include "query/sql/implied_names.h"
#include "query/sql/parse.h"
#include "query/sql/print.h"
#include "query/sql/same_syntax.h"

namespace lapse::query::sql {
namespace {

// The largest count that LIMIT accepts.
constexpr uint64_t kCountMax = 0xFFFF'FFFF;

bool IsValueQuery(const Query& query) {
  return query.select == Query::Select::kValue;
}

// Whether the rows come from a sub-query over the container that groups them or removes duplicates. Each partition
// would do that on its own.
bool SourceNeedsMerge(const Query& query) {
  if (query.sources.empty() || query.sources[0].query == nullptr) return false;
  const Query& source = *query.sources[0].query;
  return source.distinct || IsGrouped(source) || SourceNeedsMerge(source);
}

// SELECT COUNT(1) FROM (SELECT DISTINCT ...): clients can count the merged results.
bool CountsDistinct(const Query& query) {
  if (query.distinct || query.items.size() != 1 || query.sources.size() != 1 || query.sources[0].iterates) return false;
  if (query.where != nullptr || !query.group_by.empty() || query.top != nullptr || query.offset != nullptr)
    return false;
  const Expression& item = *query.items[0].expression;
  const bool counts_rows =
      IsAggregate(item) && AggregateKindOf(item) == "Count" && item.children[0]->kind == ExpressionKind::kInteger;
  const Query* const source = query.sources[0].query;
  return counts_rows && source != nullptr && source->distinct && !IsGrouped(*source) && !SourceNeedsMerge(*source);
}

class Planner {
 public:
  Planner(const SyntaxTree& tree, const plan::Plan& bound)
      : query_(tree.query()), bound_(bound.query()), arena_(tree.text().size() * 2 + 2048) {}

  Result<ClientPlan> Plan(bool one_key) {
    LAPSE_RETURN_IF_ERROR(CheckAggregatesStandAlone(query_));
    plan_.has_select_value = IsValueQuery(query_);
    if (!one_key && SourceNeedsMerge(query_)) {
      if (!CountsDistinct(query_)) {
        return PlainError("DISTINCT, GROUP BY and aggregates in a subquery over all items are not supported here.");
      }
      PlanDistinctCount();
      return std::move(plan_);
    }
    PlanSlice(one_key);
    if (query_.distinct) PlanDistinct();
    const bool merges = query_.distinct || IsGrouped(query_);
    if (!one_key || merges) {
      LAPSE_RETURN_IF_ERROR(Rewrite());
    }
    return std::move(plan_);
  }

 private:
  void Need(std::string_view feature) {
    if (std::find(plan_.features.begin(), plan_.features.end(), feature) == plan_.features.end()) {
      plan_.features.push_back(feature);
    }
  }

  void PlanDistinctCount() {
    plan_.distinct = ClientPlan::Distinct::kUnordered;
    plan_.distinct_count = plan_.has_select_value ? std::string() : NamesOfItems(query_)[0];
    plan_.rewritten = Print(*query_.sources[0].query);
    Need("DCount");
    Need("Distinct");
  }

  void PlanSlice(bool one_key) {
    const plan::Operator& last = *bound_.last;
    if (last.kind != plan::OperatorKind::kSlice) return;
    if (query_.top != nullptr) {
      plan_.top = last.limit;
      Need("Top");
    } else if (!one_key || query_.distinct || IsGrouped(query_)) {
      plan_.offset = last.offset;
      plan_.limit = last.limit;
      Need("OffsetAndLimit");
    }
  }

  // If results are sorted by themselves, equal ones are adjacent.
  void PlanDistinct() {
    const bool ordered = IsValueQuery(query_) && query_.order_by.size() == 1 &&
                         SameSyntax(*query_.items[0].expression, *query_.order_by[0].expression);
    plan_.distinct = ordered ? ClientPlan::Distinct::kOrdered : ClientPlan::Distinct::kUnordered;
    Need("Distinct");
  }

  Status Rewrite() {
    if (IsGrouped(query_)) {
      PlanGroups();
      return SetRewritten(CarryGroups(query_, &arena_));
    }
    const bool sliced = plan_.top.has_value() || plan_.limit.has_value();
    const Query whole = query_.distinct ? AllResults(query_) : Sliced();
    if (!query_.order_by.empty()) {
      PlanOrder();
      return SetRewritten(CarrySortKeys(whole, &arena_));
    }
    // TOP alone can stay unchanged.
    const bool changed = query_.distinct ? sliced : plan_.limit.has_value();
    return changed ? SetRewritten(whole) : Status::Ok();
  }

  Query Sliced() {
    if (!plan_.limit.has_value()) return query_;
    return FirstResults(query_, std::min(*plan_.offset + *plan_.limit, kCountMax), &arena_);
  }

  void PlanGroups() {
    const std::vector<std::string> names = NamesOfItems(query_);
    size_t aggregates = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      const Expression& item = *query_.items[i].expression;
      const std::string_view kind = IsAggregate(item) ? AggregateKindOf(item) : std::string_view();
      if (!kind.empty()) {
        ++aggregates;
        Need("Aggregate");
      }
      if (kind == "CountIf") Need("CountIf");
      if (kind == "MakeList" || kind == "MakeSet") Need("ListAndSetAggregate");
      if (!plan_.has_select_value) {
        plan_.outputs.push_back({names[i], kind});
      } else if (!kind.empty()) {
        plan_.aggregates.push_back(kind);
      }
    }
    for (const Expression* key : query_.group_by) plan_.group_by.push_back(Print(*key));
    if (!plan_.group_by.empty()) {
      Need("GroupBy");
    } else if (!plan_.has_select_value) {
      Need("NonValueAggregate");
    }
    if (aggregates > 1) Need("MultipleAggregates");
  }

  void PlanOrder() {
    const plan::Operator* sort = bound_.last;
    while (sort->kind != plan::OperatorKind::kSort) sort = sort->input;
    for (size_t i = 0; i < query_.order_by.size(); ++i) {
      const Expression& key = *query_.order_by[i].expression;
      plan_.order_by.push_back({Print(key), sort->sort_keys[i].direction != plan::SortKey::Direction::kAscending});
      // Only vector distances are calls, and no partition has them in order before it has seen all items.
      if (key.kind == ExpressionKind::kCall) plan_.has_non_streaming_order_by = true;
    }
    Need(query_.order_by.size() > 1 ? "MultipleOrderBy" : "OrderBy");
    if (plan_.has_non_streaming_order_by) Need("NonStreamingOrderBy");
  }

  // Clients send this text back, so it must obey the limits of the language.
  Status SetRewritten(const Query& query) {
    plan_.rewritten = Print(query);
    std::string filled = plan_.rewritten;
    if (const size_t hole = filled.rfind(kFilterHole); hole != std::string::npos) {
      filled.replace(hole, kFilterHole.size(), "true");
    }
    return Parse(filled).status();
  }

  const Query& query_;
  const plan::Query& bound_;
  TreeArena arena_;
  ClientPlan plan_;
};

}  // namespace

Result<ClientPlan> PlanForClients(const SyntaxTree& tree, const plan::Plan& bound, bool one_key) {
  return Planner(tree, bound).Plan(one_key);
}

}  // namespace lapse::query::sql
