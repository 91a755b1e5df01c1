// The cost of compiling a query: its text to a tree, and the tree to a plan. The queries are those that applications
// send most. The last one is long, like readMany of a hundred items.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/sql/print.h"

namespace lapse::query::sql {
namespace {

std::string ReadMany() {
  std::string text = "SELECT * FROM c WHERE ";
  for (int i = 0; i < 100; ++i) {
    if (i > 0) text += " OR ";
    text += "( c.id = '" + std::to_string(i) + "' AND c[\"pk\"] = 'tenant-" + std::to_string(i) + "' )";
  }
  return text;
}

const std::vector<std::string>& Queries() {
  static const std::vector<std::string> queries = {
      "SELECT * FROM c WHERE c.id = @id",
      "SELECT c.id, c.name, c.price FROM c WHERE c.category = @category AND c.price BETWEEN 10 AND 20 "
      "ORDER BY c.price DESC OFFSET 0 LIMIT 10",
      "SELECT c.category, COUNT(1) AS items, AVG(c.price) AS average FROM c JOIN t IN c.tags "
      "WHERE STARTSWITH(t.name, 'a') AND EXISTS(SELECT VALUE s FROM s IN c.stock WHERE s.count > 0) GROUP BY "
      "c.category",
      ReadMany(),
  };
  return queries;
}

const std::vector<Parameter>& Parameters() {
  static const std::vector<Parameter> parameters = {{"@id", Value::String("5f1f2c9e")},
                                                    {"@category", Value::String("bikes")}};
  return parameters;
}

void BmParse(benchmark::State& state) {
  const std::string& text = Queries()[static_cast<size_t>(state.range(0))];
  for (auto _ : state) {
    auto tree = Parse(text);
    if (!tree.ok()) std::abort();
    benchmark::DoNotOptimize(tree);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BmParse)->DenseRange(0, 3);

void BmParseAndBind(benchmark::State& state) {
  const std::string& text = Queries()[static_cast<size_t>(state.range(0))];
  for (auto _ : state) {
    auto tree = Parse(text);
    if (!tree.ok()) std::abort();
    auto plan = Bind(*tree, Parameters());
    if (!plan.ok()) std::abort();
    benchmark::DoNotOptimize(plan);
  }
}
BENCHMARK(BmParseAndBind)->DenseRange(0, 3);

void BmPrint(benchmark::State& state) {
  auto tree = Parse(Queries()[static_cast<size_t>(state.range(0))]);
  for (auto _ : state) benchmark::DoNotOptimize(Print(tree->query()));
}
BENCHMARK(BmPrint)->DenseRange(0, 3);

}  // namespace
}  // namespace lapse::query::sql

BENCHMARK_MAIN();
