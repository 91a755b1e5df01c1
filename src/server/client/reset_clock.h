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

// The store time of a directory. Owns: the directory, so that no server can open it meanwhile. Threads: one.
class OfflineClock {
 public:
  // Fails: kUnavailable if a server has the directory open; kNotFound if it has no store; kInvalidArgument if it
  // belongs to the test clock, whose time tests have set.
  static Result<OfflineClock> Open(const std::string& data_dir);

  // The current store time: every item due by then has expired. Nullopt if the clock file is damaged, which keeps the
  // server from starting.
  std::optional<int64_t> now_ms() const { return now_ms_; }
  // Makes the clock start from there. Going back revives items that expired in between. Going forward expires items
  // that become due.
  Status Reset(int64_t to_ms);

 private:
  OfflineClock(std::unique_ptr<store::DataDirectory> directory, std::unique_ptr<store::Shard> shard,
               std::optional<int64_t> now_ms)
      : directory_(std::move(directory)), shard_(std::move(shard)), now_ms_(now_ms) {}

  std::unique_ptr<store::DataDirectory> directory_;
  std::unique_ptr<store::Shard> shard_;  // null if the clock file is damaged
  std::optional<int64_t> now_ms_;
};

}  // namespace lapse::server::client
