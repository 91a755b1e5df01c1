// How long it takes to change a container's default lifetime, or to turn it on or off, as the container grows.
//
//   policy_change --dir DIR --sizes 10000,1000000
//
// One container is loaded to each size in turn. Changes are synced, as the product makes them. The last one at each
// size kills every item; the next size then has as many items that live.
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bench/expiry/bench_engine.h"
#include "bench/measure/flags.h"
#include "bench/measure/timing.h"
#include "engine/catalog/counts/census.h"

namespace lapse::bench {
namespace {

constexpr size_t kSmallItemBytes = 320;
constexpr int kRepetitions = 15;

struct Change {
  const char* name;
  std::optional<int32_t> default_ttl;
};

// In this order, repeatedly: each change gets its name from the one before it.
constexpr std::array kChanges = {Change{"longer", 200'000}, Change{"off", std::nullopt}, Change{"on", -1},
                                 Change{"shorter", 100'000}};
constexpr Change kDeadly = {"all_die", 1};

int64_t MeasureChange(BenchEngine* bench, const engine::ContainerPtr& container, const Change& change) {
  Stopwatch watch;
  CheckOk(bench->engine()
              .catalog_store()
              .ReplaceContainer("bench", container->state()->definition.name, {change.default_ttl, "", 0, {}}, 0)
              .status());
  return watch.ns();
}

void Measure(BenchEngine* bench, uint64_t items) {
  engine::ContainerPtr container = bench->MakeContainer("items-" + std::to_string(items), 100'000);
  bench->Load(container, {.end = items, .item_bytes = kSmallItemBytes});
  Report report;
  report.Add("items", items);
  std::array<Latencies, kChanges.size()> times;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    for (size_t i = 0; i < kChanges.size(); ++i) times[i].Add(MeasureChange(bench, container, kChanges[i]));
  }
  for (size_t i = 0; i < kChanges.size(); ++i) {
    report.Add(std::string(kChanges[i].name) + "_ns", times[i].Percentile(0.5));
    report.Add(std::string(kChanges[i].name) + "_max_ns", times[i].Percentile(1));
  }
  CheckOk(bench->engine().clock().Advance(10'000));
  report.Add(std::string(kDeadly.name) + "_ns", MeasureChange(bench, container, kDeadly));
  Result<engine::Count> live = engine::Census(*container).Live();
  CheckOk(live.status());
  if (live->items != 0) Fail("the last change should have left nothing alive");
  report.Print();
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"dir", ""}, {"sizes", "10000,1000000"}});
  BenchEngine bench({.directory = flags.Text("dir"), .durability = store::Durability::kSync});
  CheckOk(bench.engine().clock().Freeze());
  std::istringstream sizes(flags.Text("sizes"));
  for (std::string size; std::getline(sizes, size, ',');) Measure(&bench, std::stoull(size));
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
