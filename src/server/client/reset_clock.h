// `lapse clock reset`: repairs the clock's mark in a data directory that no server has open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "store/rocks/directory/data_directory.h"
#include "store/shard.h"

namespace lapse::server::client {

// The store time of a directory. Owns: the directory, so that no server opens it meanwhile. Threads: one.
class OfflineClock {
 public:
  // Fails: kUnavailable when a server has the directory open, kNotFound when there is no store in it,
  // kInvalidArgument when it is one of the test clock, whose time is what tests have made it.
  static Result<OfflineClock> Open(const std::string& data_dir);

  // Where store time stands: what was to expire by then has expired. Not known when the clock file is damaged, which
  // keeps the server from starting.
  std::optional<int64_t> now_ms() const { return now_ms_; }
  // Lets it start from there. Going back revives what expired in between; going forward expires what was to.
  Status Reset(int64_t to_ms);

 private:
  OfflineClock(std::unique_ptr<store::DataDirectory> directory, std::unique_ptr<store::Shard> shard,
               std::optional<int64_t> now_ms)
      : directory_(std::move(directory)), shard_(std::move(shard)), now_ms_(now_ms) {}

  std::unique_ptr<store::DataDirectory> directory_;
  std::unique_ptr<store::Shard> shard_;  // null when the clock file is damaged
  std::optional<int64_t> now_ms_;
};

}  // namespace lapse::server::client
