// The cost of parsing and writing JSON, for one item of about 1 KB with ten properties.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/measure/json_item.h"
#include "doc/json.h"
#include "doc/path.h"

namespace lapse::doc {
namespace {

std::string ItemBson() {
  std::string bson;
  if (!JsonToBson(bench::JsonItem(), {}, &bson).ok()) std::abort();
  return bson;
}

void BmJsonToBson(benchmark::State& state) {
  std::string json = bench::JsonItem();
  std::string bson;
  for (auto _ : state) {
    bson.clear();
    if (!JsonToBson(json, {}, &bson).ok()) std::abort();
    benchmark::DoNotOptimize(bson.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(json.size()));
}
BENCHMARK(BmJsonToBson);

void BmObjectToJson(benchmark::State& state) {
  std::string bson = ItemBson();
  std::string json;
  for (auto _ : state) {
    json.clear();
    ObjectToJson(bson, &json);
    benchmark::DoNotOptimize(json.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(json.size()));
}
BENCHMARK(BmObjectToJson);

void BmValidate(benchmark::State& state) {
  std::string bson = ItemBson();
  for (auto _ : state) benchmark::DoNotOptimize(Validate(bson, 128).ok());
}
BENCHMARK(BmValidate);

void BmFindPath(benchmark::State& state) {
  std::string bson = ItemBson();
  Path path({"address", "zip"});
  for (auto _ : state) benchmark::DoNotOptimize(FindPath(bson, path).missing());
}
BENCHMARK(BmFindPath);

}  // namespace
}  // namespace lapse::doc

BENCHMARK_MAIN();
