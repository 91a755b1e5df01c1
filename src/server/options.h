// The server's options. Flags take precedence over the environment, then the configuration file, then the defaults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/account_keys.h"
#include "api/cosmos/wire/consistency.h"
#include "api/cosmos/wire/resource_limits.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/records/definitions/throughput.h"
#include "store/shard.h"
#include "ttl/store_time.h"

namespace lapse::server {

// The key that every tool for the emulator knows. It protects nothing.
constexpr std::string_view kWellKnownKey =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

enum class Tls { kOff, kAuto, kFiles };

struct ServerOptions {
  std::string data_dir = "./lapse-data";
  bool in_memory = false;
  store::Durability durability = store::Durability::kSync;
  int sweep_share_percent = 10;           // of one core, for purging
  size_t disk_reserve_bytes = 512 << 20;  // with less free on the disk, writes are refused; 0: never

  std::string host = "127.0.0.1";
  uint16_t port = 8081;                     // 0: any free port
  int threads = 1;                          // event loops
  size_t request_memory_bytes = 256 << 20;  // for requests and unsent responses of all connections together
  size_t query_memory_bytes = 256 << 20;    // for all queries together

  api::AccountKeys keys{
      .primary = std::string(kWellKnownKey), .secondary = "", .read_only = "", .secondary_read_only = ""};
  api::cosmos::Consistency consistency = api::cosmos::Consistency::kSession;
  api::cosmos::ResourceLimits limits;
  int64_t logical_partition_bytes_max = engine::kLogicalPartitionBytesMax;  // 0: no limit
  // Set if one of the keys is the well-known one and that is not explicitly allowed. Then the data is served only under
  // loopback names, IP addresses and `host_names`.
  bool check_host_names = true;
  std::vector<std::string> host_names;  // lower case

  Tls tls = Tls::kOff;
  std::string tls_cert_file;  // kFiles
  std::string tls_key_file;

  bool test_clock = false;
  ttl::StoreTimeLimits clock_limits;

  engine::RateLimiting rate_limiting = engine::RateLimiting::kExplicit;  // kOff in memory, unless set

  size_t cache_bytes = 256 << 20;  // items and blocks together
  LogLevel log_level = LogLevel::kInfo;
};

// Either options, or a text to print and the exit code: help and version (0), or an error (2).
struct ParsedOptions {
  std::optional<ServerOptions> options;
  int exit_code = 0;
  std::string text;
};

// Looks up a variable. Returns nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment ProcessEnvironment();

// Properties of the machine that options are checked against.
struct Machine {
  // The names of all variables that begin with LAPSE_. One that belongs to no option is refused.
  std::vector<std::string> variables = {};
  uint64_t memory_bytes = std::numeric_limits<uint64_t>::max();
};
Machine ThisMachine();

ParsedOptions ParseOptions(int argc, const char* const* argv, const Environment& environment,
                           const Machine& machine = {});

// "4096", "64K", "256M", "1G", in powers of 1024. Fails: kInvalidArgument with the reason.
Result<size_t> ParseByteSize(std::string_view text);

// "localhost", "::1" or an address in 127.0.0.0/8.
bool IsLoopbackAddress(std::string_view host);

}  // namespace lapse::server
