#include "tests/durability/durable_store.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "engine/shard/purge/engine_families.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::durability {
namespace {

constexpr int kCommitThreads = 3;
constexpr char kContainer[] = "c";

}  // namespace

Status DurableStore::Open(store::Durability durability, Clock clock) {
  store::RocksOptions rocks;
  rocks.path = (directory_.path() / "shard").string();
  rocks.file_system = disk_;
  // Small pieces, so that power cuts and full disks happen in the middle of a removal.
  rocks.removal = {.allowance = {}, .piece_bytes = 4096, .small_bytes = 4096};
  rocks.cache_bytes = 1 << 20;
  rocks.write_buffer_bytes = 1 << 20;  // so that there are tables and new logs
  rocks.free_bytes_min = kDiskReserve_bytes;
  rocks.accept_lost_log_tail = durability == store::Durability::kRelaxed;
  purge_filter_ = std::make_unique<engine::PurgeFilter>();
  LAPSE_ASSIGN_OR_RETURN(shard_, store::OpenRocksShard(rocks, engine::EngineFamilies(purge_filter_.get())));

  commits_ = std::make_unique<ThreadPool>("commit", kCommitThreads);
  engine::EngineOptions options;
  options.durability = durability;
  options.background_clock = clock == Clock::kBackground;
  options.background_sweeper = false;
  options.item_cache_bytes = 1 << 16;
  options.wall = &wall_;
  options.steady = &steady_;
  options.rate_limiting = engine::RateLimiting::kOff;  // so that the next turn sweeps everything that has expired
  LAPSE_ASSIGN_OR_RETURN(engine_, engine::Engine::Open(options, {{shard_.get(), purge_filter_.get()}}, commits_.get()));
  return Status::Ok();
}

void DurableStore::Close() {
  engine_.reset();
  commits_.reset();
  shard_.reset();
}

void DurableStore::MakeContainer(int32_t default_ttl, int64_t change_log_retention_s) {
  EXPECT_TRUE(engine_->catalog_store().CreateDatabase(kDatabase, 0, "").ok());
  engine::ContainerDefinition definition;
  definition.name = kContainer;
  definition.default_ttl = default_ttl;
  definition.change_log_retention_s = change_log_retention_s;
  definition.partition_key.paths = {doc::Path({"pk"})};
  EXPECT_TRUE(engine_->catalog_store().CreateContainer(kDatabase, std::move(definition)).ok());
}

engine::ContainerPtr DurableStore::container() {
  return *engine_->catalog().FindContainer(kDatabase, kContainer);
}

void DurableStore::LosePower(uint64_t seed, store::UnsyncedBytes unsynced) {
  Close();
  disk_->DropUnsynced(seed, unsynced);
}

void DurableStore::PassSeconds(int64_t seconds) {
  const int64_t until_s = engine_->clock().NowMs() / 1000 + seconds;
  wall_.Advance(seconds * 1000);
  steady_.AdvanceMs(seconds * 1000);
  // Another thread may be turning the second over at this moment.
  while (engine_->clock().NowMs() / 1000 < until_s) std::this_thread::yield();
}

}  // namespace lapse::durability
