#include "server/client/reset_clock.h"

#include <memory>

#include "engine/clock_mark.h"
#include "engine/engine.h"
#include "store/rocks/data_directory.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::server::client {
namespace {

// The mark is repaired in directories of either clock; opening one wants to know which.
Result<std::unique_ptr<store::DataDirectory>> OpenOfEitherClock(const std::string& data_dir) {
  store::DataDirectoryOptions options;
  options.create = false;
  Result<std::unique_ptr<store::DataDirectory>> real = store::DataDirectory::Open(data_dir, options);
  if (real.ok() || real.status().code() != Code::kInvalidArgument) return real;
  options.test_clock = true;
  return store::DataDirectory::Open(data_dir, options);
}

}  // namespace

Status ResetClock(const std::string& data_dir, int64_t now_ms) {
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::DataDirectory> directory, OpenOfEitherClock(data_dir));
  store::RocksOptions rocks;
  rocks.path = directory->shard_path();
  rocks.create_if_missing = false;
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<store::Shard> shard, store::OpenRocksShard(rocks, engine::EngineFamilies()));
  return engine::ResetClockMark(shard.get(), now_ms);
}

}  // namespace lapse::server::client
