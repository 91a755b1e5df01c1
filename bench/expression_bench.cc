// What a filter costs for each item of a scan: the expression of a WHERE over items of about 1 KB with eleven
// properties each. A scan evaluates such an expression for every item it passes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "doc/json.h"
#include "query/exec/eval/evaluator.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::query {
namespace {

constexpr const char* kFilters[] = {
    "c.category = 'bikes'",
    "c.price < 500",
    "c.address.zip = '10115' AND c.price * 2 > 300",
    "STARTSWITH(c.name, 'Item 1') OR CONTAINS(c.description, 'zzz')",
    "c.price BETWEEN 100 AND 200 AND c.category IN ('bikes', 'helmets', 'tyres')",
    "ARRAY_CONTAINS(c.tags, 'red') AND IS_DEFINED(c.stock)",
    "c.name LIKE '%99%'",
    "REGEXMATCH(c.name, '^Item [0-9]*7$')",
    "ST_DISTANCE(c.location, {'type':'Point','coordinates':[13.4, 52.5]}) < 10000",
    "LOWER(c.name) = 'item 77'",
    "DATETIMEPART('yyyy', c.created) = 2024",
};

std::string Item(int number) {
  const std::string n = std::to_string(number);
  std::string json =
      R"({"id":"item-)" + n + R"(","pk":"tenant-)" + std::to_string(number % 10) + R"(","name":"Item )" + n +
      R"(","category":")" + (number % 3 == 0 ? "bikes" : "helmets") + R"(","price":)" + std::to_string(number % 1000) +
      R"(.5,"tags":["blue","red","green"],"address":{"city":"Berlin","zip":"10115"})" +
      R"(,"location":{"type":"Point","coordinates":[13.)" + n + R"(,52.5]},"created":"2024-05-06T07:08:09Z","stock":)" +
      n + R"(,"description":")" + std::string(700, 'x') + R"("})";
  std::string bson;
  if (!doc::JsonToBson(json, {}, &bson).ok()) std::abort();
  return bson;
}

// A plan's filter and the slot of the item.
struct Filter {
  const plan::Expression* expression = nullptr;
  plan::Slot item = 0;
};

Filter FilterOf(const plan::Plan& plan) {
  Filter filter;
  for (const plan::Operator* at = plan.query().last; at != nullptr; at = at->input) {
    if (at->kind == plan::OperatorKind::kFilter) filter.expression = at->expression;
    if (at->kind == plan::OperatorKind::kScan) filter.item = at->slot;
  }
  if (filter.expression == nullptr) std::abort();
  return filter;
}

void BmFilter(benchmark::State& state) {
  const std::string text = std::string("SELECT * FROM c WHERE ") + kFilters[state.range(0)];
  auto tree = sql::Parse(text);
  if (!tree.ok()) std::abort();
  auto plan = sql::Bind(*tree, {});
  if (!plan.ok()) std::abort();
  const Filter filter = FilterOf(*plan);
  std::vector<std::string> items;
  for (int i = 0; i < 1000; ++i) items.push_back(Item(i));
  exec::Evaluator evaluator(plan->slot_count(), {});
  const Arena::Mark mark = evaluator.arena().mark();
  int64_t matches = 0;
  for (auto _ : state) {
    for (const std::string& item : items) {
      evaluator.set_slot(filter.item, Value::Object(item));
      if (evaluator.IsTrue(*filter.expression)) ++matches;
      evaluator.arena().Rewind(mark);
    }
  }
  benchmark::DoNotOptimize(matches);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(items.size()));
  state.SetLabel(kFilters[state.range(0)]);
}
BENCHMARK(BmFilter)->DenseRange(0, static_cast<int64_t>(std::size(kFilters)) - 1);

}  // namespace
}  // namespace lapse::query

BENCHMARK_MAIN();
