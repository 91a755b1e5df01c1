#include "server/client/reset_clock.h"

#include <optional>

#include "engine/engine.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::server::client {
namespace {

Result<std::unique_ptr<store::DataDirectory>> OpenOfRealClock(const std::string& data_dir) {
  store::DataDirectoryOptions options;
  options.create = false;
  Result<std::unique_ptr<store::DataDirectory>> real = store::DataDirectory::Open(data_dir, options);
  if (real.ok() || real.status().code() != Code::kInvalidArgument) return real;
  // Does it belong to the other clock, or is it something else altogether?
  options.test_clock = true;
  if (!store::DataDirectory::Open(data_dir, options).ok()) return real;
  return Status(Code::kInvalidArgument,
                data_dir +
                    " is a directory of the test clock: its time is what tests have made it, and a reset would "
                    "forget that. Start the server with --test-clock and move it, or begin a new directory");
}

Result<std::unique_ptr<store::Shard>> OpenShardOf(store::DataDirectory* directory) {
  store::RocksOptions rocks;
  rocks.create_if_missing = false;
  return directory->OpenShard(rocks, engine::EngineFamilies());
}

}  // namespace

Result<OfflineClock> OfflineClock::Open(const std::string& data_dir) {
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::DataDirectory> directory, OpenOfRealClock(data_dir));
  if (directory->CheckClock().code() == Code::kCorruption) {
    return OfflineClock(std::move(directory), nullptr, std::nullopt);
  }
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::Shard> shard, OpenShardOf(directory.get()));
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark,
                         engine::ClockMark(shard.get(), directory->clock_slot()).Load());
  if (!mark) return Status(Code::kNotFound, data_dir + " holds no store time yet");
  return OfflineClock(std::move(directory), std::move(shard), mark->high_water_ms);
}

Status OfflineClock::Reset(int64_t to_ms) {
  if (shard_ == nullptr) {
    LAPSE_RETURN_IF_ERROR(directory_->RemakeClock());
    LAPSE_ASSIGN_OR_RETURN(shard_, OpenShardOf(directory_.get()));
  }
  LAPSE_RETURN_IF_ERROR(engine::BeginClockEra(shard_.get()));
  // The real clock has no other state.
  return engine::ClockMark(shard_.get(), directory_->clock_slot()).Save({.high_water_ms = to_ms});
}

}  // namespace lapse::server::client
