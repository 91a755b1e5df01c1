// The cost of a point read inside the engine. Creates a data directory that a server can open, loads items into it
// through the engine, lets compaction settle, warms the caches and reads at random.
//
//   read_cost --dir DIR --items 1000000 --cache 2147483648
//
// `store_ns`: over all items, without the item cache, so that every read looks up head and body in the store's blocks;
// the cache must be large enough for all of them. `hot_ns`: over a fixed number of items, through the item cache.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "bench/measure/engine_items.h"
#include "bench/measure/flags.h"
#include "bench/measure/items.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "doc/json.h"
#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/purge/engine_families.h"
#include "store/rocks/directory/data_directory.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::bench {
namespace {

constexpr uint64_t kHotItems = 10'000;
constexpr size_t kHotCacheBytes = 64 << 20;
constexpr int kRepetitions = 5;

// One engine on the shard. Opened anew for each measurement, with an item cache of the measurement's size.
class OpenEngine {
 public:
  OpenEngine(store::Shard* shard, size_t item_cache_bytes) : commits_("commit", 1) {
    engine::EngineOptions options;
    options.background_sweeper = false;  // nothing expires here, and stopping it would stop compactions for good
    options.durability = store::Durability::kRelaxed;
    options.item_cache_bytes = item_cache_bytes;
    Result<std::unique_ptr<engine::Engine>> opened = engine::Engine::Open(options, {{shard, nullptr}}, &commits_);
    CheckOk(opened.status());
    engine_ = *std::move(opened);
  }

  engine::ContainerPtr MakeContainer() {
    CheckOk(engine_->catalog_store().CreateDatabase("bench", 0, "").status());
    engine::ContainerDefinition definition;
    definition.name = "items";
    definition.partition_key.paths = {doc::Path({"pk"})};
    Result<engine::ContainerPtr> made = engine_->catalog_store().CreateContainer("bench", definition);
    CheckOk(made.status());
    return *made;
  }

  engine::ContainerPtr container() { return *engine_->catalog().FindContainer("bench", "items"); }

 private:
  ThreadPool commits_;
  std::unique_ptr<engine::Engine> engine_;
};

void Load(store::Shard* shard, uint64_t items, size_t item_bytes) {
  OpenEngine engine(shard, 0);
  engine::ContainerPtr container = engine.MakeContainer();
  WriteWindow window;
  for (uint64_t number = 0; number < items; ++number) {
    engine::ItemWrite write;
    write.address = AddressOf(*container, number);
    CheckOk(doc::JsonToBson(ItemJson(number, 0, item_bytes), {}, &write.document));
    window.Enter();
    container->Write(std::move(write), [&window](const Result<engine::ItemWritten>& written) {
      CheckOk(written.status());
      window.Leave();
    });
  }
  window.WaitForNone();
}

void Settle(store::Shard* shard) {
  CheckOk(shard->Compact(engine::kHeadFamily, {}, {}));
  CheckOk(shard->Compact(engine::kBodyFamily, {}, {}));
}

// Returns nanoseconds of CPU per read, the median of several repetitions. Addresses are made outside the measured time.
template <typename Pick>
int64_t MeasureReads(const engine::Container& container, int64_t reads, Pick pick) {
  constexpr int64_t kChunk = 20'000;
  Latencies repetitions;
  uint64_t seed = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    int64_t total_ns = 0, done = 0;
    while (done < reads) {
      std::vector<engine::ItemAddress> addresses;
      for (int64_t i = 0; i < kChunk; ++i) addresses.push_back(AddressOf(container, pick(Mix64(++seed))));
      CpuStopwatch watch;
      for (const engine::ItemAddress& address : addresses) CheckOk(container.Read(address).status());
      total_ns += watch.ns();
      done += kChunk;
    }
    repetitions.Add(total_ns / done);
  }
  return repetitions.Percentile(0.5);
}

int64_t MeasureStore(store::Shard* shard, uint64_t items, int64_t reads) {
  OpenEngine engine(shard, 0);
  engine::ContainerPtr container = engine.container();
  // Brings every block into the cache, in the order of neither family.
  for (uint64_t number = 0; number < items; ++number) CheckOk(container->Read(AddressOf(*container, number)).status());
  return MeasureReads(*container, reads, [items](uint64_t random) { return random % items; });
}

int64_t MeasureHot(store::Shard* shard, uint64_t items, int64_t reads) {
  OpenEngine engine(shard, kHotCacheBytes);
  engine::ContainerPtr container = engine.container();
  uint64_t hot = std::min(items, kHotItems);
  auto pick = [items, hot](uint64_t random) { return Mix64(random % hot) % items; };
  for (uint64_t i = 0; i < hot; ++i) CheckOk(container->Read(AddressOf(*container, pick(i))).status());
  return MeasureReads(*container, reads, pick);
}

void LoadAndMeasure(store::Shard* shard, uint64_t items, size_t item_bytes, int64_t reads) {
  Stopwatch load_time;
  Load(shard, items, item_bytes);
  double load_seconds = load_time.seconds();
  Stopwatch settle_time;
  Settle(shard);
  double settle_seconds = settle_time.seconds();
  int64_t store_ns = MeasureStore(shard, items, reads);
  int64_t hot_ns = MeasureHot(shard, items, reads);
  Report()
      .Add("items", items)
      .Add("store_ns", store_ns)
      .Add("hot_ns", hot_ns)
      .Add("load_seconds", load_seconds)
      .Add("settle_seconds", settle_seconds)
      .Add("disk_bytes", shard->Stats().disk_bytes)
      .Add("store_memory_bytes", shard->Stats().memory_bytes)
      .Add("rss_kb", MemoryOf(getpid()).rss_kb)
      .Print();
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"dir", ""},
               {"items", "10000"},
               {"item-bytes", std::to_string(kItemBytes)},
               {"cache", "3221225472"},  // of the store, in bytes
               {"reads", "200000"}});
  auto items = static_cast<uint64_t>(flags.Number("items"));
  auto item_bytes = static_cast<size_t>(flags.Number("item-bytes"));
  if (items == 0 || item_bytes < kItemBytesMin) Fail("no items, or too small ones");
  Result<std::unique_ptr<store::DataDirectory>> directory = store::DataDirectory::Open(flags.Text("dir"), {});
  CheckOk(directory.status());
  store::RocksOptions rocks;
  rocks.cache_bytes = static_cast<uint64_t>(flags.Number("cache"));
  Result<std::unique_ptr<store::Shard>> shard = (*directory)->OpenShard(rocks, engine::EngineFamilies());
  CheckOk(shard.status());
  // The engine keeps a thread's last read pinned in the store until the thread ends, so it must end before the shard.
  std::thread(LoadAndMeasure, shard->get(), items, item_bytes, flags.Number("reads")).join();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
