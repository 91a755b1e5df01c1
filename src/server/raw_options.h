// The options of `lapsed` as they are given, before any value is checked.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "api/account_keys.h"

namespace CLI {
class App;
}

namespace lapse::server {

// Behind the flag of a key: the flag of the file that holds it.
inline constexpr std::string_view kFileSuffix = "-file";
inline constexpr std::string_view kHostNameFlag = "--host-name";

// A key as it was given: the key itself, or its file.
struct RawKey {
  std::string text, file;
};

// The options as given, before any value is checked.
struct RawOptions {
  std::array<RawKey, api::kAccountKeyNames.size()> keys;
  std::string config, data_dir, durability, host, port, threads, tls, tls_cert, tls_key, clock_jump_max,
      clock_jump_max_start, rate_limiting, cache_size, disk_reserve, sweep_share, request_memory, query_memory,
      log_level, consistency, resources_max, sharing_containers_max, logical_partition_max;
  std::vector<std::string> host_names;
  bool in_memory = false;
  bool test_clock = false;
  bool allow_well_known_key = false;
};

// Declares every option, with its help and its default.
void DeclareOptions(CLI::App* app, RawOptions* raw);

// Returns the long names of all options that can be set.
std::vector<std::string> OptionNames(const CLI::App& app);

}  // namespace lapse::server
