// For tests: an engine on a RocksDB in a directory of its own, which sweeps and reclaims only on request.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/log.h"
#include "base/random.h"
#include "base/temporary_directory.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::expiry {

using engine::ItemWrite;

constexpr uint64_t kMegabyte = 1 << 20;

class RocksEngineFixture : public ::testing::Test {
 protected:
  RocksEngineFixture() {
    SetLogLevel(LogLevel::kOff);
    Open();
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    for (const char* name : {"c", "other"}) {
      engine::ContainerDefinition definition;
      definition.name = name;
      definition.partition_key = PartitionKey();
      definition.default_ttl = -1;
      EXPECT_TRUE(engine_->catalog_store().CreateContainer("db", definition).ok());
    }
  }
  ~RocksEngineFixture() override {
    Close();
    SetLogLevel(LogLevel::kInfo);
  }

  void Open() {
    store::RocksOptions rocks;
    rocks.path = path();
    rocks.removal.small_bytes = UINT64_MAX;  // all tables are removed at once, so that sizes can be measured
    filter_ = std::make_unique<engine::PurgeFilter>();
    auto shard = store::OpenRocksShard(rocks, engine::EngineFamilies(filter_.get()));
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    shard_ = *std::move(shard);
    engine::EngineOptions options;
    options.background_clock = false;
    options.background_sweeper = false;
    options.wall = &wall_;
    options.steady = &steady_;
    auto engine = engine::Engine::Open(options, {{shard_.get(), filter_.get()}}, &executor_);
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = *std::move(engine);
  }
  void Close() {
    engine_.reset();
    shard_.reset();
  }
  std::string path() const { return (directory_.path() / "shard").string(); }

  engine::ContainerPtr Container(const std::string& name = "c") {
    return *engine_->catalog().FindContainer("db", name);
  }
  static engine::PartitionKeyDefinition PartitionKey() {
    engine::PartitionKeyDefinition definition;
    definition.paths = {doc::Path({"pk"})};
    return definition;
  }
  static engine::ItemAddress AddressOf(const std::string& id) {
    auto key = engine::PartitionKeyComponent::String("pk");
    return {engine::LogicalKeyOf(PartitionKey(), {&key, 1}), engine::StringItemId(id)};
  }

  void Put(ItemWrite::Kind kind, const std::string& id, const std::string& document,
           std::optional<int32_t> own_ttl = std::nullopt, const std::string& container = "c") {
    ItemWrite write;
    write.kind = kind;
    write.address = AddressOf(id);
    write.document = document;
    write.own_ttl = own_ttl;
    Container(container)->Write(std::move(write), [](const Result<engine::ItemWritten>& done) {
      EXPECT_TRUE(done.ok()) << done.status().ToString();
    });
  }

  Code Read(const std::string& id) { return Container()->Read(AddressOf(id)).status().code(); }
  static engine::TakeItem TakeInto(std::vector<std::string>* documents) {
    return [documents](const engine::Item& item, engine::Place) {
      documents->emplace_back(item.document);
      return true;
    };
  }
  std::vector<std::string> Feed() {
    std::vector<std::string> documents;
    EXPECT_TRUE(Container()->ReadFeed({}, TakeInto(&documents)).ok());
    return documents;
  }
  std::vector<std::string> Changes() {
    std::vector<std::string> documents;
    EXPECT_TRUE(Container()->ReadChanges({}, TakeInto(&documents)).ok());
    return documents;
  }

  void PassSeconds(int64_t seconds) {
    wall_.Advance(seconds * 1000);
    steady_.AdvanceMs(seconds * 1000);
  }
  void PurgeAndReclaim() {
    while (engine_->SweepTurn()) continue;
    while (engine_->ReclaimTurn()) continue;
  }
  // Reclaims as when nothing more happens.
  void ReclaimAll() {
    PurgeAndReclaim();
    while (engine_->QuietReclaimTurn()) continue;
  }

  // Items "0" to "79" of an eighth of a megabyte each, which do not compress away.
  static constexpr int kLargeItems = 80;
  void PutLargeItems(const std::string& container, std::optional<int32_t> ttl) {
    for (int i = 0; i < kLargeItems; ++i) {
      std::string document(kMegabyte / 8, 0);
      for (char& c : document) c = static_cast<char>(noise_.Next());
      Put(ItemWrite::Kind::kUpsert, std::to_string(i), document, ttl, container);
    }
  }

  SplitMix64 noise_{1};
  TemporaryDirectory directory_;
  ManualWallClock wall_{1'750'000'000'000};
  ManualSteadyClock steady_;
  InlineExecutor executor_;
  std::unique_ptr<engine::PurgeFilter> filter_;
  std::unique_ptr<store::Shard> shard_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace lapse::expiry
