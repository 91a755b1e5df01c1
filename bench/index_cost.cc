// What index entries cost: creates and rewrites of 1 KB items with twelve indexed values, beside the same without an
// index, inside the engine, synced.
//
//   index_cost --dir DIR --items 50000 --rounds 3
//
// Rounds take turns, each in containers of its own, so that both kinds meet the same weather.
#include <cstdint>
#include <string>

#include "base/random.h"
#include "bench/expiry/bench_engine.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/timing.h"

namespace lapse::bench {
namespace {

constexpr int kValues = 12;
constexpr size_t kFillerBytes = 700;

// Some properties have few values, others many. The filler is not indexed.
std::string Document(uint64_t number, uint64_t revision) {
  std::string json = "{\"pk\":\"p" + std::to_string(number % 100) + "\"";
  for (int i = 1; i < kValues; ++i) {
    const uint64_t changes = i <= 2 ? revision : 0;
    const uint64_t value = Mix64(number * kValues + static_cast<uint64_t>(i) + changes * 1'000'003);
    json += ",\"v" + std::to_string(i) + "\":";
    json += i % 2 == 0 ? std::to_string(value % 1'000'000) : "\"text-" + std::to_string(value % 100'000'000) + "\"";
  }
  return json + ",\"filler\":\"" + std::string(kFillerBytes, 'f') + "\"}";
}

engine::IndexingDefinition Everything() {
  engine::IndexingDefinition indexing;
  indexing.paths.push_back({{}, false, true});
  indexing.paths.push_back({{"filler"}, false, false});
  return indexing;
}

engine::ContainerPtr MakeContainer(BenchEngine* bench, const std::string& name, bool indexed) {
  engine::ContainerDefinition definition;
  definition.name = name;
  definition.partition_key.paths = {doc::Path({"pk"})};
  if (indexed) definition.indexing = Everything();
  Result<engine::ContainerPtr> made = bench->engine().catalog_store().CreateContainer("bench", definition);
  CheckOk(made.status());
  return *made;
}

// Writes all items once. CPU time is that of the whole process, including compactions.
void Measure(const engine::ContainerPtr& container, uint64_t items, uint64_t revision, const std::string& what,
             Report* report) {
  WriteWindow window;
  Stopwatch watch;
  const int64_t cpu_begin_ns = OwnCpuNs();
  for (uint64_t number = 0; number < items; ++number) {
    engine::ItemWrite write;
    write.kind = engine::ItemWrite::Kind::kUpsert;
    write.address = AddressOf(*container, number);
    CheckOk(doc::JsonToBson(Document(number, revision), {}, &write.document));
    window.Enter();
    container->Write(std::move(write), [&window](const Result<engine::ItemWritten>& written) {
      CheckOk(written.status());
      window.Leave();
    });
  }
  window.WaitForNone();
  const auto count = static_cast<double>(items);
  report->Add(what + "_per_s", count * 1e9 / static_cast<double>(watch.ns()));
  report->Add(what + "_cpu_us", static_cast<double>(OwnCpuNs() - cpu_begin_ns) / 1e3 / count);
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"dir", ""}, {"items", "50000"}, {"rounds", "3"}});
  BenchEngine bench({.directory = flags.Text("dir"), .durability = store::Durability::kSync});
  const auto items = static_cast<uint64_t>(flags.Number("items"));
  for (int64_t round = 0; round < flags.Number("rounds"); ++round) {
    for (const bool indexed : {false, true}) {
      const std::string name = std::string(indexed ? "indexed-" : "plain-") + std::to_string(round);
      const engine::ContainerPtr container = MakeContainer(&bench, name, indexed);
      Report report;
      report.Add("container", name);
      Measure(container, items, 0, "creates", &report);
      Measure(container, items, 0, "rewrites", &report);
      Measure(container, items, 1, "rewrites_of_two_values", &report);
      report.Print();
    }
  }
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
