// From options as they are given to those that the server runs with: checks every value.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "server/options.h"
#include "server/raw_options.h"

namespace lapse::server {

// `app` tells which options were given. Fails: kInvalidArgument, with a text that begins with the flag it is about.
Result<ServerOptions> ResolveOptions(const RawOptions& raw, const CLI::App& app, uint64_t memory_bytes);

}  // namespace lapse::server
