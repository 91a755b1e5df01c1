// The measurement behind docs/design/item-layout.md: items in one piece, or heads and bodies apart.
//
//   layout --dir DIR --items 1000000
//
// For each layout, with the store's own settings of RocksDB: what a load writes, what point reads and replaces cost,
// and what it takes to give back the space of dead items: all of them, the older half, a random half. A table for
// people on standard error, lines of JSON on standard output.
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "bench/layout/layout_db.h"
#include "bench/layout/layouts.h"
#include "bench/measure/flags.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "doc/json.h"
#include "engine/memory/item_cache.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::bench {
namespace {

// As many writes as 64 connections bring into one commit.
constexpr uint64_t kGroup = 64;
// Reads with the item cache: nine in ten go to a tenth of the items, which about fills the cache.
constexpr uint64_t kHotShare = 10;
// A cached item: its document and its overhead.
constexpr uint64_t kCachedItemBytes = 1400;

struct Setting {
  std::string dir;
  uint64_t items;
  int64_t reads;
  store::RocksOptions store;
};

std::string KeyOf(uint64_t number) {
  auto component = engine::PartitionKeyComponent::String(ItemPartitionKey(number));
  return engine::HeadKey(kContainer, {engine::LogicalKeyOf({}, {&component, 1}), engine::StringItemId(ItemId(number))});
}

std::string DocumentOf(uint64_t number, uint64_t revision) {
  std::string document;
  if (!doc::JsonToBson(ItemJson(number, revision), {}, &document).ok()) Fail("an item is not JSON");
  return document;
}

uint64_t LogicalBytes(uint64_t items) {
  return items * (KeyOf(0).size() + DocumentOf(0, 0).size());
}

double PerByte(const Traffic& traffic, uint64_t bytes) {
  return static_cast<double>(traffic.flushed + traffic.compact_written) / static_cast<double>(bytes);
}

struct WriteCost {
  double ns = 0;             // until the last write is accepted; nothing is synced
  double amplification = 0;  // bytes flushed and compacted per byte of keys and documents
};

// Documents and keys are made outside the measured time. `write` adds one item to the group.
template <typename Number, typename Write>
WriteCost MeasureWrites(LayoutDb& db, uint64_t count, uint64_t revision, Number number_of, Write write) {
  Traffic before = db.traffic();
  int64_t spent_ns = 0;
  for (uint64_t begin = 0; begin < count; begin += kGroup) {
    uint64_t end = std::min(count, begin + kGroup);
    std::vector<std::pair<std::string, std::string>> items;
    for (uint64_t i = begin; i < end; ++i) items.emplace_back(KeyOf(number_of(i)), DocumentOf(number_of(i), revision));
    Stopwatch watch;
    LayoutDb::Group group(&db);
    for (const auto& [key, document] : items) write(key, document, &group);
    group.Write();
    spent_ns += watch.ns();
  }
  db.Settle();
  return {static_cast<double>(spent_ns) / static_cast<double>(count),
          PerByte(db.traffic() - before, LogicalBytes(count))};
}

WriteCost Load(Layout& layout, LayoutDb& db, uint64_t items) {
  uint64_t sequence = 0;
  return MeasureWrites(
      db, items, 0, [](uint64_t i) { return i; },
      [&](const std::string& key, const std::string& document, LayoutDb::Group* group) {
        layout.Put(key, document, ++sequence, group);
      });
}

// Replaces a quarter of the items, at random.
WriteCost ReplaceSome(Layout& layout, LayoutDb& db, uint64_t items) {
  uint64_t sequence = items;
  // A permutation: no group writes an item twice, since its writes do not see each other here.
  auto number_of = [items](uint64_t i) { return (i * 7'368'787 + 11) % items; };
  return MeasureWrites(db, items / 4, 1, number_of,
                       [&](const std::string& key, const std::string& document, LayoutDb::Group* group) {
                         layout.Replace(db, key, document, ++sequence, group);
                       });
}

template <typename Pick, typename Read>
int64_t MeasureReads(int64_t reads, Pick pick, Read read) {
  constexpr int64_t kChunk = 10'000;
  Latencies repetitions;
  uint64_t seed = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    int64_t spent_ns = 0, done = 0;
    for (; done < reads; done += kChunk) {
      std::vector<std::string> keys;
      for (int64_t i = 0; i < kChunk; ++i) keys.push_back(KeyOf(pick(Mix64(++seed))));
      CpuStopwatch watch;
      for (const std::string& key : keys) read(key);
      spent_ns += watch.ns();
    }
    if (repetition > 0) repetitions.Add(spent_ns / done);  // the first repetition warms up
  }
  return repetitions.Percentile(0.5);
}

int64_t ReadUniform(Layout& layout, LayoutDb& db, const Setting& setting) {
  engine::HeadRecord head;
  std::string document;
  auto read = [&](const std::string& key) {
    if (!layout.Read(db, key, &head, &document)) Fail("an item is missing");
  };
  for (uint64_t number = 0; number < setting.items; ++number) read(KeyOf(number));
  return MeasureReads(
      setting.reads, [&](uint64_t random) { return random % setting.items; }, read);
}

int64_t ReadWithItemCache(Layout& layout, LayoutDb& db, const Setting& setting) {
  uint64_t hot = setting.items / kHotShare;
  engine::ItemCache cache(hot * kCachedItemBytes);
  auto read = [&](const std::string& key) {
    engine::ItemCache::Load load;
    if (cache.Find(key, &load) != nullptr) return;
    auto item = std::make_shared<engine::CachedItem>();
    if (!layout.Read(db, key, &item->head, &item->document)) Fail("an item is missing");
    load.Insert(std::move(item));
  };
  auto pick = [&](uint64_t random) {
    bool is_hot = random % 10 != 0;
    return is_hot ? Mix64(random / 10 % hot) % setting.items : random / 10 % setting.items;
  };
  return MeasureReads(setting.reads, pick, read);
}

struct ReclaimCost {
  double seconds = 0;
  Traffic traffic;
  uint64_t bytes_before = 0;
  uint64_t bytes_after = 0;
};

ReclaimCost MeasureReclaim(Layout& layout, const Setting& setting, const std::string& path,
                           DeadBySequence::Pattern pattern) {
  DeadBySequence dead;
  LayoutDb db(path, layout.Families(&dead), setting.store);
  ReclaimCost cost;
  cost.bytes_before = db.TableBytes();
  Traffic before = db.traffic();
  dead.Kill(pattern, setting.items);
  uint64_t dead_below = pattern == DeadBySequence::Pattern::kAll         ? setting.items + 1
                        : pattern == DeadBySequence::Pattern::kOlderHalf ? setting.items / 2
                                                                         : 0;
  Stopwatch watch;
  layout.Reclaim(db, dead_below);
  cost.seconds = watch.seconds();
  cost.traffic = db.traffic() - before;
  cost.bytes_after = db.TableBytes();
  return cost;
}

struct NamedPattern {
  const char* name;
  DeadBySequence::Pattern pattern;
};

constexpr std::array<NamedPattern, 3> kPatterns = {{{"all", DeadBySequence::Pattern::kAll},
                                                    {"older half", DeadBySequence::Pattern::kOlderHalf},
                                                    {"random half", DeadBySequence::Pattern::kRandomHalf}}};

double Mb(uint64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

void PrintReclaim(const Layout& layout, const char* pattern, const ReclaimCost& cost) {
  std::fprintf(stderr, "%-14s reclaim %-12s %8.2f s %9.0f MB read %9.0f MB rewritten, tables %6.0f -> %6.0f MB\n",
               layout.name().data(), pattern, cost.seconds, Mb(cost.traffic.compact_read),
               Mb(cost.traffic.compact_written), Mb(cost.bytes_before), Mb(cost.bytes_after));
  Report()
      .Add("layout", layout.name())
      .Add("reclaim", pattern)
      .Add("seconds", cost.seconds)
      .Add("read_mb", Mb(cost.traffic.compact_read))
      .Add("rewritten_mb", Mb(cost.traffic.compact_written))
      .Add("tables_before_mb", Mb(cost.bytes_before))
      .Add("tables_after_mb", Mb(cost.bytes_after))
      .Print();
}

void PrintCosts(const Layout& layout, const WriteCost& load, int64_t uniform_ns, int64_t cached_ns,
                const WriteCost& replace, uint64_t table_bytes) {
  std::fprintf(stderr,
               "%-14s load %6.0f ns/item, %5.2f bytes written per byte, tables %.0f MB; read %lld ns, with item cache "
               "%lld ns; replace %6.0f ns, %5.2f bytes per byte\n",
               layout.name().data(), load.ns, load.amplification, Mb(table_bytes), static_cast<long long>(uniform_ns),
               static_cast<long long>(cached_ns), replace.ns, replace.amplification);
  Report()
      .Add("layout", layout.name())
      .Add("load_ns", load.ns)
      .Add("load_amplification", load.amplification)
      .Add("tables_mb", Mb(table_bytes))
      .Add("read_ns", uniform_ns)
      .Add("read_cached_ns", cached_ns)
      .Add("replace_ns", replace.ns)
      .Add("replace_amplification", replace.amplification)
      .Print();
}

void Measure(Layout& layout, const Setting& setting) {
  std::string path = setting.dir + "/" + std::string(layout.name());
  auto copy_of = [&path](const NamedPattern& pattern) { return path + "-" + pattern.name; };
  {
    DeadBySequence nothing_dead;
    LayoutDb db(path, layout.Families(&nothing_dead), setting.store);
    WriteCost load = Load(layout, db, setting.items);
    uint64_t table_bytes = db.TableBytes();
    for (const NamedPattern& pattern : kPatterns) db.SaveAs(copy_of(pattern));
    int64_t uniform_ns = ReadUniform(layout, db, setting);
    int64_t cached_ns = ReadWithItemCache(layout, db, setting);
    WriteCost replace = ReplaceSome(layout, db, setting.items);
    PrintCosts(layout, load, uniform_ns, cached_ns, replace, table_bytes);
  }
  for (const NamedPattern& pattern : kPatterns) {
    PrintReclaim(layout, pattern.name, MeasureReclaim(layout, setting, copy_of(pattern), pattern.pattern));
    std::filesystem::remove_all(copy_of(pattern));
  }
  std::filesystem::remove_all(path);
}

int Main(int argc, char** argv) {
  Flags flags(
      argc, argv,
      {{"dir", ""}, {"items", "200000"}, {"reads", "200000"}, {"cache", "3221225472"}, {"write-buffer", "134217728"}});
  Setting setting{flags.Text("dir"), static_cast<uint64_t>(flags.Number("items")), flags.Number("reads"), {}};
  setting.store.cache_bytes = static_cast<uint64_t>(flags.Number("cache"));
  setting.store.write_buffer_bytes = static_cast<uint64_t>(flags.Number("write-buffer"));
  SetLogLevel(LogLevel::kOff);  // RocksDB logs every copy
  if (setting.items < kHotShare) Fail("--items is too small");
  std::filesystem::create_directories(setting.dir);
  std::array<std::unique_ptr<Layout>, 3> layouts = {std::make_unique<Together>(false), std::make_unique<Together>(true),
                                                    std::make_unique<HeadsAndBodies>()};
  for (const std::unique_ptr<Layout>& layout : layouts) Measure(*layout, setting);
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
