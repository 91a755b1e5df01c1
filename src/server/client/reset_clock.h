// `lapse clock reset`: repairs the clock's mark in a data directory that no server has open.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace lapse::server::client {

// Fails: kUnavailable when a server has the directory open, kNotFound when there is no store in it.
Status ResetClock(const std::string& data_dir, int64_t now_ms);

}  // namespace lapse::server::client
