#include "api/cosmos/query/query_plan_json.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/hex.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

using query::sql::ClientPlan;

class PlanWriter {
 public:
  explicit PlanWriter(std::string* json) : json_(*json) {}

  void Put(const ClientPlan& plan, std::span<const QueryRange> ranges) {
    json_ += R"({"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"distinctType":)";
    PutText(DistinctName(plan.distinct));
    PutCount("top", plan.top);
    PutCount("offset", plan.offset);
    PutCount("limit", plan.limit);
    PutList("orderBy", plan.order_by, [&](const auto& key) { PutText(key.descending ? "Descending" : "Ascending"); });
    PutList("orderByExpressions", plan.order_by, [&](const auto& key) { PutText(key.expression); });
    PutList("groupByExpressions", plan.group_by, [&](const auto& key) { PutText(key); });
    PutList("groupByAliases", plan.outputs, [&](const auto& output) { PutText(output.alias); });
    PutList("aggregates", plan.aggregates, [&](const auto& aggregate) { PutText(aggregate); });
    PutOutputs(plan);
    PutName("rewrittenQuery");
    PutText(plan.rewritten);
    PutFlag("hasSelectValue", plan.has_select_value);
    PutDistinctCount(plan);
    PutFlag("hasNonStreamingOrderBy", plan.has_non_streaming_order_by);
    json_ += '}';
    PutList("queryRanges", ranges, [&](const QueryRange& range) { PutRange(range); });
    json_ += '}';
  }

 private:
  static std::string_view DistinctName(ClientPlan::Distinct distinct) {
    switch (distinct) {
      case ClientPlan::Distinct::kNone: return "None";
      case ClientPlan::Distinct::kOrdered: return "Ordered";
      case ClientPlan::Distinct::kUnordered: return "Unordered";
    }
    return "None";
  }

  void PutText(std::string_view text) { doc::StringToJson(text, &json_); }

  void PutName(std::string_view name) {
    json_ += ',';
    PutText(name);
    json_ += ':';
  }

  void PutFlag(std::string_view name, bool value) {
    PutName(name);
    json_ += value ? "true" : "false";
  }

  void PutCount(std::string_view name, const std::optional<uint64_t>& count) {
    PutName(name);
    json_ += count.has_value() ? std::to_string(*count) : "null";
  }

  template <typename List, typename PutOne>
  void PutList(std::string_view name, const List& list, PutOne put) {
    PutName(name);
    json_ += '[';
    bool first = true;
    for (const auto& one : list) {
      if (!first) json_ += ',';
      first = false;
      put(one);
    }
    json_ += ']';
  }

  void PutOutputs(const ClientPlan& plan) {
    PutName("groupByAliasToAggregateType");
    json_ += '{';
    for (const ClientPlan::Output& output : plan.outputs) {
      if (&output != plan.outputs.data()) json_ += ',';
      PutText(output.alias);
      json_ += ':';
      if (output.aggregate.empty()) {
        json_ += "null";
      } else {
        PutText(output.aggregate);
      }
    }
    json_ += '}';
  }

  void PutDistinctCount(const ClientPlan& plan) {
    PutName("dCountInfo");
    if (!plan.distinct_count.has_value()) {
      json_ += "null";
      return;
    }
    json_ += R"({"dCountAlias":)";
    PutText(*plan.distinct_count);
    json_ += '}';
  }

  void PutRange(const QueryRange& range) {
    json_ += R"({"min":")" + HexUpper(range.min) + R"(","max":")" + HexUpper(range.max) + R"(","isMinInclusive":true)";
    PutFlag("isMaxInclusive", range.IsPoint());
    json_ += '}';
  }

  std::string& json_;
};

bool Lists(std::string_view list, std::string_view feature) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (TrimBlanks(list.substr(0, comma)) == feature) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

void AppendQueryPlan(const ClientPlan& plan, std::span<const QueryRange> ranges, std::string* json) {
  PlanWriter(json).Put(plan, ranges);
}

Status CheckFeatures(const ClientPlan& plan, std::string_view supported) {
  if (supported.empty()) return Status::Ok();
  for (std::string_view feature : plan.features) {
    if (Lists(supported, feature)) continue;
    return {Code::kInvalidArgument,
            "Query contained " + std::string(feature) + ", which the calling client does not support."};
  }
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
