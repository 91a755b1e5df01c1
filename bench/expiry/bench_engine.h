// An engine on a directory of its own, with time that the benchmark controls, and items loaded through it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/executor.h"
#include "bench/measure/engine_items.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"
#include "doc/json.h"
#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::bench {

struct BenchEngineOptions {
  std::string directory;
  uint64_t cache_bytes = 256 << 20;
  store::Durability durability = store::Durability::kRelaxed;
  // False: the benchmark runs the sweeps itself, without pauses.
  bool background_sweeper = true;
};

class BenchEngine {
 public:
  explicit BenchEngine(const BenchEngineOptions& bench) : commits_("commit", 2) {
    const std::vector<store::FamilyOptions> families = engine::EngineFamilies(&filter_);
    store::RocksOptions rocks;
    rocks.path = bench.directory;
    rocks.cache_bytes = bench.cache_bytes;
    Result<std::unique_ptr<store::Shard>> shard = store::OpenRocksShard(rocks, families);
    CheckOk(shard.status());
    shard_ = *std::move(shard);

    engine::EngineOptions options;
    options.test_clock = true;
    options.durability = bench.durability;
    options.background_sweeper = bench.background_sweeper;
    if (!bench.background_sweeper) options.sweeper.share = 1;
    Result<std::unique_ptr<engine::Engine>> opened =
        engine::Engine::Open(options, {{shard_.get(), &filter_}}, &commits_);
    CheckOk(opened.status());
    engine_ = *std::move(opened);
    CheckOk(engine_->catalog_store().CreateDatabase("bench", 0, "").status());
  }

  engine::Engine& engine() { return *engine_; }
  store::Shard& shard() { return *shard_; }

  // `indexed`: every path, as in a container created without a policy.
  engine::ContainerPtr MakeContainer(const std::string& name, std::optional<int32_t> default_ttl,
                                     int64_t change_log_retention_s = 0, bool indexed = false) {
    engine::ContainerDefinition definition;
    if (indexed) definition.indexing.paths.push_back({{}, false, true});
    definition.name = name;
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    definition.change_log_retention_s = change_log_retention_s;
    Result<engine::ContainerPtr> made = engine_->catalog_store().CreateContainer("bench", definition);
    CheckOk(made.status());
    return *made;
  }

  static engine::ItemWrite WriteOf(const engine::Container& container, uint64_t number, uint64_t revision,
                                   size_t item_bytes = kItemBytes) {
    engine::ItemWrite write;
    write.kind = engine::ItemWrite::Kind::kUpsert;
    write.address = AddressOf(container, number);
    CheckOk(doc::JsonToBson(ItemJson(number, revision, item_bytes), {}, &write.document));
    return write;
  }

  struct LoadOptions {
    uint64_t first = 0;
    uint64_t end = 0;
    size_t item_bytes = kItemBytes;
    // Gives an item's own ttl by its number; null: all items inherit.
    std::function<std::optional<int32_t>(uint64_t)> own_ttl = nullptr;
  };
  void Load(const engine::ContainerPtr& container, const LoadOptions& load) {
    WriteWindow window;
    for (uint64_t number = load.first; number < load.end; ++number) {
      engine::ItemWrite write = WriteOf(*container, number, 0, load.item_bytes);
      if (load.own_ttl != nullptr) write.own_ttl = load.own_ttl(number);
      window.Enter();
      container->Write(std::move(write), [&](const Result<engine::ItemWritten>& written) {
        CheckOk(written.status());
        window.Leave();
      });
    }
    window.WaitForNone();
  }

  // Counts the records that a container has in a family of the engine.
  int64_t CountRecords(const engine::Container& container, store::FamilyId family) {
    store::IterateOptions bounds;
    const std::shared_ptr<const engine::ContainerState> state = container.state();
    if (family == engine::kIndexFamily && !state->index.has_value()) return 0;
    bounds.lower = engine::ContainerPrefix(family == engine::kIndexFamily ? state->index->id : container.id());
    bounds.upper = PrefixEnd(bounds.lower);
    bounds.fill_cache = false;
    int64_t records = 0;
    const std::unique_ptr<store::Iterator> walk = shard_->NewIterator(family, bounds);
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++records;
    CheckOk(walk->status());
    return records;
  }

  // Flushes the buffers and waits until compactions are done.
  void Settle() {
    for (store::FamilyId family : engine::kItemFamilies) CheckOk(shard_->Compact(family, {}, {}));
  }

 private:
  engine::PurgeFilter filter_;
  std::unique_ptr<store::Shard> shard_;
  ThreadPool commits_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace lapse::bench
