#include "server/client/reset_clock.h"

#include <optional>

#include "engine/clock_mark.h"
#include "engine/engine.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::server::client {
namespace {

Result<std::unique_ptr<store::DataDirectory>> OpenOfRealClock(const std::string& data_dir) {
  store::DataDirectoryOptions options;
  options.create = false;
  Result<std::unique_ptr<store::DataDirectory>> real = store::DataDirectory::Open(data_dir, options);
  if (real.ok() || real.status().code() != Code::kInvalidArgument) return real;
  // Of the other clock, or something else altogether?
  options.test_clock = true;
  if (!store::DataDirectory::Open(data_dir, options).ok()) return real;
  return Status(Code::kInvalidArgument,
                data_dir +
                    " is a directory of the test clock: its time is what tests have made it, and a reset would "
                    "forget that. Start the server with --test-clock and move it, or begin a new directory");
}

}  // namespace

Result<OfflineClock> OfflineClock::Open(const std::string& data_dir) {
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::DataDirectory> directory, OpenOfRealClock(data_dir));
  store::RocksOptions rocks;
  rocks.path = directory->shard_path();
  rocks.create_if_missing = false;
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::Shard> shard, store::OpenRocksShard(rocks, engine::EngineFamilies()));
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark, engine::LoadClockMark(shard.get()));
  if (!mark) return Status(Code::kNotFound, data_dir + " holds no store time yet");
  return OfflineClock(std::move(directory), std::move(shard), mark->high_water_ms);
}

Status OfflineClock::Reset(int64_t to_ms) {
  return engine::ResetClockMark(shard_.get(), to_ms);
}

}  // namespace lapse::server::client
