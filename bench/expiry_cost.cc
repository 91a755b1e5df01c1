// What it costs to purge items and to give their space back, and how that grows with their number.
//
//   expiry_cost --dir DIR --items 1000000 --item-bytes 1024 --dies all
//
// `--dies`: all; older, the half that was written first; random, every second item at random, those that die and those
// that live side by side in the same files. Nothing else runs meanwhile. CPU time is that of the whole process, with
// its commits and compactions.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "base/random.h"
#include "bench/expiry/bench_engine.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/timing.h"
#include "engine/catalog/counts/census.h"
#include "engine/shard/reclaim/reclaimer.h"

namespace lapse::bench {
namespace {

constexpr int32_t kTtl_s = 3600;

// Wall time, CPU time and bytes written since its construction.
class Cost {
 public:
  void AddTo(const std::string& name, Report* report) const {
    report->Add(name + "_ns", watch_.ns());
    report->Add(name + "_cpu_ns", OwnCpuNs() - cpu_ns_);
    report->Add(name + "_written_bytes", BytesWritten() - written_);
  }

 private:
  Stopwatch watch_;
  int64_t cpu_ns_ = OwnCpuNs();
  int64_t written_ = BytesWritten();
};

// Half of the items are dead once the lifetime of the first has passed, or all of them.
void LoadDying(BenchEngine* bench, const engine::ContainerPtr& container, const std::string& dies,
               BenchEngine::LoadOptions load) {
  const int64_t lifetime_ms = kTtl_s * int64_t{1000};
  engine::StoreClock& clock = bench->engine().clock();
  if (dies == "older") {
    BenchEngine::LoadOptions younger = load;
    load.end = younger.first = load.end / 2;
    bench->Load(container, load);
    CheckOk(clock.Advance(lifetime_ms / 2));
    bench->Load(container, younger);
    CheckOk(clock.Advance(lifetime_ms / 2 - 1000));
  } else {
    if (dies == "random") load.own_ttl = [](uint64_t number) { return Mix64(number) % 2 == 0 ? kTtl_s : 2 * kTtl_s; };
    bench->Load(container, load);
    CheckOk(clock.Advance(lifetime_ms - 1000));
  }
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"dir", ""}, {"items", "1000000"}, {"item-bytes", std::to_string(kItemBytes)}, {"dies", "all"}});
  const auto items = static_cast<uint64_t>(flags.Number("items"));
  const std::string dies = flags.Text("dies");
  if (dies != "all" && dies != "older" && dies != "random") Fail("--dies is all, older or random");
  BenchEngine bench({.directory = flags.Text("dir"), .background_sweeper = false});
  CheckOk(bench.engine().clock().Freeze());
  engine::ContainerPtr container = bench.MakeContainer("dying", kTtl_s);
  Report report;
  {
    Cost load;
    LoadDying(&bench, container, dies, {.end = items, .item_bytes = static_cast<size_t>(flags.Number("item-bytes"))});
    load.AddTo("load", &report);
  }
  bench.Settle();
  report.Add("dies", dies).Add("items", items).Add("bytes_before", bench.shard().Stats().disk_bytes);

  CheckOk(bench.engine().clock().Advance(1000));
  Result<engine::Count> dead = engine::Census(*container).Expired();
  CheckOk(dead.status());
  report.Add("dead", dead->items);
  Cost sweep;
  while (bench.engine().SweepTurn()) continue;
  sweep.AddTo("sweep", &report);
  Cost reclaim;
  while (bench.engine().ReclaimTurn()) continue;
  reclaim.AddTo("reclaim", &report);
  report.Add("bytes_after", bench.shard().Stats().disk_bytes);
  report.Print();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
