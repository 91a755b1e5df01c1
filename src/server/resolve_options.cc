#include "server/resolve_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/base64.h"
#include "server/key_file.h"
#include "server/usage_text.h"
#include "ttl/ttl_value.h"

namespace lapse::server {
namespace {

constexpr int kThreadsMax = 256;
constexpr size_t kCacheMin_bytes = 1 << 20;
// Room for a few of the largest requests.
constexpr size_t kRequestMemoryMin_bytes = 16 << 20;
constexpr size_t kQueryMemoryMin_bytes = 64 << 20;
constexpr size_t kHostNameMax_bytes = 253;  // of a name in the DNS
// A full write buffer that is flushed and the log that RocksDB allocates ahead.
constexpr size_t kDiskReserveMin_bytes = 256 << 20;
// For a key that must protect access from other machines: as long as the hash it is used with.
constexpr size_t kKeyMin_bytes = 32;

constexpr std::string_view kCacheSizes = "a size of at least 1M, such as 256M or 2G";
constexpr std::string_view kReserveSizes = "a size of at least 256M, such as 512M or 2G, or 0";
constexpr std::string_view kRequestMemorySizes = "a size of at least 16M, such as 256M or 1G";
constexpr std::string_view kLogicalPartitionSizes = "a size up to 8T, such as 20G, or 0";
constexpr std::string_view kQueryMemorySizes = "a size of at least 64M, such as 256M or 1G";

Status WrongValue(const char* flag, std::string_view value, std::string_view expected) {
  return WrongUsage(std::string(flag) + " must be " + std::string(expected) + ", not '" + std::string(value) + "'");
}

Result<size_t> ParseSize(const char* flag, std::string_view text, std::string_view expected) {
  Result<size_t> bytes = ParseByteSize(text);
  if (bytes.ok()) return bytes;
  return WrongUsage(std::string(flag) + " must be " + std::string(expected) + ": " + bytes.status().message());
}

// Parses a size of memory, up to `machine_bytes`.
Result<size_t> ParseMemory(const char* flag, std::string_view text, std::string_view expected, size_t min_bytes,
                           uint64_t machine_bytes) {
  LAPSE_ASSIGN_OR_RETURN(size_t bytes, ParseSize(flag, text, expected));
  if (bytes < min_bytes) return WrongValue(flag, text, expected);
  if (bytes <= machine_bytes) return bytes;
  return WrongUsage(std::string(flag) + " must fit into the memory of this machine, which has " +
                    std::to_string(machine_bytes) + " bytes: '" + std::string(text) + "' does not");
}

Result<int> ParseNumber(const char* flag, std::string_view text, int min, int max) {
  int number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= min && number <= max) return number;
  return WrongValue(flag, text, "a number from " + std::to_string(min) + " to " + std::to_string(max));
}

Result<int64_t> ParseLimit(const char* flag, std::string_view text) {
  Result<int64_t> limit_ms = ttl::ParseDurationMs(text);
  if (limit_ms.ok() && *limit_ms > 0) return limit_ms;
  return WrongValue(flag, text, "a duration such as 90s, 1h or 30d");
}

// The message never contains the key itself.
Status CheckKey(const char* flag, std::string_view key, std::string_view host) {
  if (key.empty()) return WrongUsage(std::string(flag) + " must not be empty: give a key in base64, or leave it out");
  std::string bytes;
  if (!FromBase64(key, &bytes) || bytes.empty()) return WrongUsage(std::string(flag) + " must be base64");
  if (IsLoopbackAddress(host) || bytes.size() >= kKeyMin_bytes) return Status::Ok();
  return WrongUsage(std::string(flag) + " has " + std::to_string(bytes.size()) + " bytes: to listen on " +
                    std::string(host) + " it needs at least " + std::to_string(kKeyMin_bytes) +
                    " ('openssl rand -base64 48' makes one)");
}

Status ResolveStore(const RawOptions& raw, bool data_dir_given, uint64_t memory_bytes, ServerOptions* options) {
  options->data_dir = raw.data_dir;
  options->in_memory = raw.in_memory;
  if (raw.in_memory && data_dir_given) return WrongUsage("--in-memory keeps nothing: it cannot go with --data-dir");
  if (raw.data_dir.empty()) return WrongUsage("--data-dir must not be empty");
  if (raw.durability == "sync") {
    options->durability = store::Durability::kSync;
  } else if (raw.durability == "relaxed") {
    options->durability = store::Durability::kRelaxed;
  } else {
    return WrongValue("--durability", raw.durability, "sync or relaxed");
  }
  LAPSE_ASSIGN_OR_RETURN(options->cache_bytes,
                         ParseMemory("--cache-size", raw.cache_size, kCacheSizes, kCacheMin_bytes, memory_bytes));
  LAPSE_ASSIGN_OR_RETURN(options->disk_reserve_bytes, ParseSize("--disk-reserve", raw.disk_reserve, kReserveSizes));
  if (options->disk_reserve_bytes > 0 && options->disk_reserve_bytes < kDiskReserveMin_bytes) {
    return WrongValue("--disk-reserve", raw.disk_reserve, kReserveSizes);
  }
  LAPSE_ASSIGN_OR_RETURN(options->sweep_share_percent, ParseNumber("--sweep-share", raw.sweep_share, 1, 100));
  return Status::Ok();
}

// An empty key is a mistake, such as an unset variable. It must not fall back to the well-known key.
Result<std::string> ResolveKey(const std::string& flag, const RawKey& raw, const CLI::App& app,
                               const std::string& host) {
  const std::string file_flag = flag + std::string(kFileSuffix);
  if (app.count(file_flag) == 0) {
    LAPSE_RETURN_IF_ERROR(CheckKey(flag.c_str(), raw.text, host));
    return raw.text;
  }
  if (app.count(flag) > 0) return WrongUsage(flag + " and " + file_flag + " cannot go together");
  Result<std::string> key = ReadKeyFile(raw.file);
  if (!key.ok()) return WrongUsage(file_flag + ": " + key.status().message());
  LAPSE_RETURN_IF_ERROR(CheckKey(file_flag.c_str(), *key, host));
  return key;
}

Status ResolveKeys(const RawOptions& raw, const CLI::App& app, ServerOptions* options) {
  for (size_t i = 0; i < api::kAccountKeyNames.size(); ++i) {
    const std::string flag = "--" + std::string(api::kAccountKeyNames[i].name);
    if (app.count(flag) == 0 && app.count(flag + std::string(kFileSuffix)) == 0) continue;
    LAPSE_ASSIGN_OR_RETURN(options->keys.*api::kAccountKeyNames[i].key, ResolveKey(flag, raw.keys[i], app, raw.host));
  }
  // Two keys must differ, or a client that has one would have the other as well.
  for (size_t i = 1; i < api::kAccountKeyNames.size(); ++i) {
    const std::string& key = options->keys.*api::kAccountKeyNames[i].key;
    for (size_t j = 0; j < i && !key.empty(); ++j) {
      if (key != options->keys.*api::kAccountKeyNames[j].key) continue;
      return WrongUsage("--" + std::string(api::kAccountKeyNames[i].name) + " must differ from --" +
                        std::string(api::kAccountKeyNames[j].name));
    }
  }
  return Status::Ok();
}

bool IsHostName(std::string_view name) {
  constexpr std::string_view kChars = "abcdefghijklmnopqrstuvwxyz0123456789-._";
  return !name.empty() && name.size() <= kHostNameMax_bytes && name.find_first_not_of(kChars) == std::string_view::npos;
}

// Returns names in lower case. Each text is a name, or several separated by commas and optional blanks.
Result<std::vector<std::string>> ParseHostNames(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (std::string text : texts) {
    for (char& c : text) c = LowerAscii(c);
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      names.emplace_back(TrimBlanks(std::string_view(text).substr(begin, end - begin)));
      if (!IsHostName(names.back())) return WrongValue("--host-name", text, "a host name without a port");
      begin = end + 1;
    }
  }
  return names;
}

Status ResolveListener(const RawOptions& raw, uint64_t memory_bytes, ServerOptions* options) {
  options->host = raw.host;
  if (raw.host.empty()) return WrongUsage("--host must not be empty");
  LAPSE_ASSIGN_OR_RETURN(int port, ParseNumber("--port", raw.port, 0, std::numeric_limits<uint16_t>::max()));
  LAPSE_ASSIGN_OR_RETURN(options->threads, ParseNumber("--threads", raw.threads, 1, kThreadsMax));
  options->port = static_cast<uint16_t>(port);
  LAPSE_ASSIGN_OR_RETURN(
      options->request_memory_bytes,
      ParseMemory("--request-memory", raw.request_memory, kRequestMemorySizes, kRequestMemoryMin_bytes, memory_bytes));
  LAPSE_ASSIGN_OR_RETURN(options->query_memory_bytes, ParseMemory("--query-memory", raw.query_memory, kQueryMemorySizes,
                                                                  kQueryMemoryMin_bytes, memory_bytes));
  LAPSE_ASSIGN_OR_RETURN(options->host_names, ParseHostNames(raw.host_names));
  const bool well_known =
      std::any_of(api::kAccountKeyNames.begin(), api::kAccountKeyNames.end(),
                  [&](const api::AccountKeyName& name) { return options->keys.*name.key == kWellKnownKey; });
  options->check_host_names = well_known && !raw.allow_well_known_key;
  if (options->check_host_names && !IsLoopbackAddress(raw.host)) {
    return WrongUsage("everybody knows the emulators' key: to listen on " + raw.host +
                      " give --account-key, or --allow-well-known-key if this is wanted");
  }
  return Status::Ok();
}

Status ResolveTls(const RawOptions& raw, ServerOptions* options) {
  if (raw.tls_cert.empty() != raw.tls_key.empty()) return WrongUsage("--tls-cert and --tls-key go together");
  bool files = !raw.tls_cert.empty();
  if (!raw.tls.empty() && raw.tls != "auto" && raw.tls != "off") return WrongValue("--tls", raw.tls, "auto or off");
  if (!raw.tls.empty() && files) return WrongUsage("--tls " + raw.tls + " cannot go with --tls-cert and --tls-key");
  options->tls = files ? Tls::kFiles : raw.tls == "auto" ? Tls::kAuto : Tls::kOff;
  options->tls_cert_file = raw.tls_cert;
  options->tls_key_file = raw.tls_key;
  return Status::Ok();
}

Status ResolveClock(const RawOptions& raw, ServerOptions* options) {
  options->test_clock = raw.test_clock;
  LAPSE_ASSIGN_OR_RETURN(options->clock_limits.jump_max_ms, ParseLimit("--clock-jump-max", raw.clock_jump_max));
  LAPSE_ASSIGN_OR_RETURN(options->clock_limits.start_jump_max_ms,
                         ParseLimit("--clock-jump-max-start", raw.clock_jump_max_start));
  return Status::Ok();
}

Status ResolveRateLimiting(const RawOptions& raw, ServerOptions* options) {
  using engine::RateLimiting;
  const std::string_view standard = raw.in_memory ? "off" : "explicit";
  const std::string_view mode = raw.rate_limiting.empty() ? standard : raw.rate_limiting;
  if (mode == "off") {
    options->rate_limiting = RateLimiting::kOff;
  } else if (mode == "explicit") {
    options->rate_limiting = RateLimiting::kExplicit;
  } else if (mode == "on") {
    options->rate_limiting = RateLimiting::kOn;
  } else {
    return WrongValue("--rate-limiting", mode, "on, off or explicit");
  }
  return Status::Ok();
}

Status ResolveConsistency(const RawOptions& raw, ServerOptions* options) {
  using api::cosmos::Consistency;
  constexpr std::array<std::pair<std::string_view, Consistency>, 5> kLevels = {
      {{"strong", Consistency::kStrong},
       {"bounded", Consistency::kBoundedStaleness},
       {"session", Consistency::kSession},
       {"prefix", Consistency::kConsistentPrefix},
       {"eventual", Consistency::kEventual}}};
  for (const auto& [name, level] : kLevels) {
    if (raw.consistency != name) continue;
    options->consistency = level;
    return Status::Ok();
  }
  return WrongValue("--consistency", raw.consistency, "strong, bounded, session, prefix or eventual");
}

Status ResolveLimits(const RawOptions& raw, ServerOptions* options) {
  constexpr int kMost = 1'000'000;
  LAPSE_ASSIGN_OR_RETURN(const int resources, ParseNumber("--resources-max", raw.resources_max, 0, kMost));
  LAPSE_ASSIGN_OR_RETURN(const int sharing,
                         ParseNumber("--sharing-containers-max", raw.sharing_containers_max, 0, kMost));
  options->limits = {.resources_max = static_cast<size_t>(resources),
                     .sharing_containers_max = static_cast<size_t>(sharing)};
  constexpr size_t kLogicalPartitionMost = size_t{8} << 40;
  constexpr const char* kFlag = "--logical-partition-max";
  LAPSE_ASSIGN_OR_RETURN(const size_t bytes, ParseSize(kFlag, raw.logical_partition_max, kLogicalPartitionSizes));
  if (bytes > kLogicalPartitionMost) return WrongValue(kFlag, raw.logical_partition_max, kLogicalPartitionSizes);
  options->logical_partition_bytes_max = static_cast<int64_t>(bytes);
  return Status::Ok();
}

}  // namespace

Result<ServerOptions> ResolveOptions(const RawOptions& raw, const CLI::App& app, uint64_t memory_bytes) {
  ServerOptions options;
  LAPSE_RETURN_IF_ERROR(ResolveStore(raw, app.count("--data-dir") > 0, memory_bytes, &options));
  LAPSE_RETURN_IF_ERROR(ResolveKeys(raw, app, &options));
  LAPSE_RETURN_IF_ERROR(ResolveListener(raw, memory_bytes, &options));
  LAPSE_RETURN_IF_ERROR(ResolveTls(raw, &options));
  LAPSE_RETURN_IF_ERROR(ResolveClock(raw, &options));
  LAPSE_RETURN_IF_ERROR(ResolveRateLimiting(raw, &options));
  LAPSE_RETURN_IF_ERROR(ResolveConsistency(raw, &options));
  LAPSE_RETURN_IF_ERROR(ResolveLimits(raw, &options));
  if (!ParseLogLevel(raw.log_level, &options.log_level)) {
    return WrongValue("--log-level", raw.log_level, "trace, debug, info, warn, error or off");
  }
  return options;
}

Result<size_t> ParseByteSize(std::string_view text) {
  constexpr std::array<std::pair<char, int>, 4> kUnits = {{{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}}};
  const std::string quoted = "'" + std::string(text) + "'";
  const Status too_large = WrongUsage(quoted + " is more than a computer can count");
  if (text.starts_with('-')) return WrongUsage(quoted + " is negative");
  size_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return too_large;
  if (error != std::errc()) return WrongUsage(quoted + " is not a number");
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit.empty()) return number;
  for (const auto& [letter, shift] : kUnits) {
    if (unit.size() != 1 || UpperAscii(unit[0]) != letter) continue;
    if (number > std::numeric_limits<size_t>::max() >> shift) return too_large;
    return number << shift;
  }
  return WrongUsage(quoted + " has an unknown unit; the units are K, M, G and T");
}

bool IsLoopbackAddress(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  // Accept only numbers and dots, or "127.example.org" would pass.
  return host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3 &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace lapse::server
