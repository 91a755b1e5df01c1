// For tests: an engine on an in-memory shard, with clocks that move only when told to, and all work on the test's
// thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/mem/mem_shard.h"

namespace lapse::engine {

class EngineFixture : public ::testing::Test {
 protected:
  static constexpr int64_t kStart_s = 1'750'000'000;
  static constexpr int64_t kHour_s = 3600;

  // See EngineOptions.
  explicit EngineFixture(const Derivation* derivation = nullptr)
      : derivation_(derivation), wall_(kStart_s * 1000), shard_(store::NewMemShard(EngineFamilies(&purge_filter_))) {
    Restart();
  }

  void Restart() {
    engine_.reset();
    EngineOptions options;
    options.durability = durability_;
    options.background_clock = false;
    options.background_sweeper = false;
    options.derivation = derivation_;
    options.item_cache_bytes = 1 << 20;
    options.known_list_items_min = 1;
    options.wall = &wall_;
    options.steady = &steady_;
    options.rate_limiting = rate_limiting_;
    options.logical_partition_bytes_max = logical_partition_bytes_max_;
    options.dead_run_entries_min = dead_run_entries_min_;
    options.group_bytes_max = group_bytes_max_;
    auto opened = Engine::Open(options, {{shard_.get(), &purge_filter_}}, &executor_);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    engine_ = *std::move(opened);
  }

  void PassSeconds(int64_t seconds) {
    wall_.Advance(seconds * 1000);
    steady_.AdvanceMs(seconds * 1000);
  }

  // Advances the wall clock in steps too small to count as a jump. Hardly any time passes for a page.
  void StepWallSeconds(int64_t seconds) {
    for (int64_t step = 0; seconds > 0; seconds -= step) {
      step = std::min<int64_t>(seconds, 3000);
      wall_.Advance(step * 1000);
      steady_.AdvanceMs(1001);
      engine_->clock().NowMs();
    }
  }

  ContainerPtr MakeContainer(std::string_view name, std::optional<int32_t> default_ttl, int throughput = 0,
                             int64_t change_log_retention_s = 0) {
    if (!engine_->catalog().FindDatabase("db").ok()) {
      EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    }
    ContainerDefinition definition;
    definition.name = name;
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    definition.throughput = throughput;
    definition.change_log_retention_s = change_log_retention_s;
    auto made = engine_->catalog_store().CreateContainer("db", definition);
    EXPECT_TRUE(made.ok()) << made.status().ToString();
    return made.ok() ? *made : nullptr;
  }

  ContainerPtr Find(std::string_view name) { return *engine_->catalog().FindContainer("db", name); }

  Status SetDefaultTtl(std::string_view name, std::optional<int32_t> default_ttl) {
    const int64_t retention_s = Find(name)->state()->definition.change_log_retention_s;
    return engine_->catalog_store().ReplaceContainer("db", name, {default_ttl, "", retention_s, {}}, 0).status();
  }

  static ItemAddress Address(const Container& container, std::string_view pk, std::string_view id) {
    PartitionKeyComponent component = PartitionKeyComponent::String(std::string(pk));
    return {LogicalKeyOf(container.partition_key(), {&component, 1}), StringItemId(id)};
  }

  static Result<ItemWritten> Write(const ContainerPtr& container, ItemWrite write) {
    std::optional<Result<ItemWritten>> outcome;
    container->Write(std::move(write), [&](Result<ItemWritten> done) { outcome = std::move(done); });
    return *std::move(outcome);
  }

  static Result<ItemWritten> Put(const ContainerPtr& container, ItemWrite::Kind kind, std::string_view id,
                                 std::string document, std::optional<int32_t> own_ttl = std::nullopt) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    write.document = std::move(document);
    write.own_ttl = own_ttl;
    return Write(container, std::move(write));
  }

  static Result<ItemWritten> Create(const ContainerPtr& container, std::string_view id, std::string document,
                                    std::optional<int32_t> own_ttl = std::nullopt) {
    return Put(container, ItemWrite::Kind::kCreate, id, std::move(document), own_ttl);
  }

  // Returns the document, or the name of the error.
  static std::string Read(const ContainerPtr& container, std::string_view id) {
    auto item = container->Read(Address(*container, "pk", id));
    return item.ok() ? std::string(item->document) : std::string(CodeName(item.status().code()));
  }

  // Appends the documents of a page to a list.
  static TakeItem Collect(std::vector<std::string>* documents) {
    return [documents](const Item& item, Place) {
      documents->emplace_back(item.document);
      return true;
    };
  }
  static bool TakeAny(const Item&, Place) { return true; }

  static std::vector<std::string> Feed(const ContainerPtr& container, FeedOptions options = {}) {
    std::vector<std::string> documents;
    do {
      auto page = container->ReadFeed(options, Collect(&documents));
      EXPECT_TRUE(page.ok()) << page.status().ToString();
      if (!page.ok()) break;
      options.after = page->resume_after;
    } while (!options.after.empty());
    return documents;
  }

  // Returns every key and value of the shard.
  std::vector<std::string> Contents() {
    std::vector<std::string> contents;
    for (store::FamilyId family = 0; family < EngineFamilies().size(); ++family) {
      std::unique_ptr<store::Iterator> records = shard_->NewIterator(family, {});
      for (records->SeekToFirst(); records->Valid(); records->Next()) {
        // The clock's mark changes independently.
        if (family == kMetaFamily && records->key() == ClockKey()) continue;
        contents.push_back(std::to_string(family) + " " + std::string(records->key()) + "=" +
                           std::string(records->value()));
      }
    }
    return contents;
  }

  const Derivation* const derivation_;
  ManualWallClock wall_;
  ManualSteadyClock steady_;
  InlineExecutor executor_;
  store::Durability durability_ = store::Durability::kSync;
  // Takes effect at the next start.
  RateLimiting rate_limiting_ = RateLimiting::kExplicit;
  int64_t logical_partition_bytes_max_ = kLogicalPartitionBytesMax;
  size_t dead_run_entries_min_ = EngineOptions{}.dead_run_entries_min;
  size_t group_bytes_max_ = EngineOptions{}.group_bytes_max;
  PurgeFilter purge_filter_;
  std::unique_ptr<store::Shard> shard_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace lapse::engine
