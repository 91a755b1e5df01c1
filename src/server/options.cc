#include "server/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "base/ascii.h"
#include "base/base64.h"
#include "server/config_file.h"
#include "server/key_file.h"
#include "server/spelling.h"
#include "server/usage_text.h"
#include "server/version.h"
#include "ttl/ttl_value.h"

namespace lapse::server {
namespace {

constexpr int kThreadsMax = 256;
// More event loops than this wait for the store rather than for a core.
constexpr int kThreadsDefaultMax = 4;
constexpr size_t kCacheMin_bytes = 1 << 20;
// Room for a few of the largest requests.
constexpr size_t kRequestMemoryMin_bytes = 16 << 20;
constexpr size_t kQueryMemoryMin_bytes = 64 << 20;
constexpr size_t kHostNameMax_bytes = 253;  // of a name in the DNS
// A full write buffer that is flushed and the log that RocksDB allocates ahead.
constexpr size_t kDiskReserveMin_bytes = 256 << 20;
constexpr int kUsageExitCode = 2;
// For a key that must protect access from other machines: as long as the hash it is used with.
constexpr size_t kKeyMin_bytes = 32;

constexpr std::string_view kFooter =
    "Every option is also an environment variable (--data-dir is LAPSE_DATA_DIR, switches take true or false)\n"
    "and a line of the configuration file (data-dir = \"/var/lib/lapse\"). Flags take precedence over the\n"
    "environment, and the environment over the file. Keys in variables or files do not show in the list of\n"
    "processes. 'lapse keys reload' rereads the keys in files.\n";

// For each of api::kAccountKeyNames. Each key has a second flag, for a file that holds it.
constexpr std::array<const char*, api::kAccountKeyNames.size()> kKeyHelp = {
    "The key that clients sign with. Default: the emulators' well-known key",
    "A second key, valid like the first, so that one can be replaced while clients use the other",
    "A key that is valid for reads only",
    "A second read-only key, valid like the first",
};
constexpr std::string_view kFileSuffix = "-file";

constexpr std::string_view kHostNameFlag = "--host-name";

constexpr std::string_view kVariablePrefix = "LAPSE_";
// Variables of the client `lapse`, which shares the server's environment.
constexpr std::array<std::string_view, 2> kClientVariables = {"LAPSE_ENDPOINT", "LAPSE_CA"};

constexpr std::string_view kCacheSizes = "a size of at least 1M, such as 256M or 2G";
constexpr std::string_view kReserveSizes = "a size of at least 256M, such as 512M or 2G, or 0";
constexpr std::string_view kRequestMemorySizes = "a size of at least 16M, such as 256M or 1G";
constexpr std::string_view kLogicalPartitionSizes = "a size up to 8T, such as 20G, or 0";
constexpr std::string_view kQueryMemorySizes = "a size of at least 64M, such as 256M or 1G";

// A key as it was given: the key itself, or its file.
struct RawKey {
  std::string text, file;
};

// The options as given, before any value is checked.
struct RawOptions {
  std::array<RawKey, kKeyHelp.size()> keys;
  std::string config, data_dir, durability, host, port, threads, tls, tls_cert, tls_key, clock_jump_max,
      clock_jump_max_start, rate_limiting, cache_size, disk_reserve, sweep_share, request_memory, query_memory,
      log_level, consistency, resources_max, sharing_containers_max, logical_partition_max;
  std::vector<std::string> host_names;
  bool in_memory = false;
  bool test_clock = false;
  bool allow_well_known_key = false;
};

int DefaultThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kThreadsDefaultMax);
}

void AddText(CLI::App* app, const std::string& name, std::string* value, std::string standard, const char* kind,
             const char* help) {
  *value = std::move(standard);
  app->add_option(name, *value, help)->type_name(kind)->take_last()->capture_default_str();
}

void AddSwitch(CLI::App* app, const std::string& name, bool* value, const char* help) {
  app->add_flag(name, *value, help)->take_last();
}

void Declare(CLI::App* app, RawOptions* raw) {
  AddText(app, "--data-dir", &raw->data_dir, "./lapse-data", "DIR", "The data directory, created if it does not exist");
  AddSwitch(app, "--in-memory", &raw->in_memory, "Keep data in memory only: all of it is lost when the server stops");
  AddText(app, "--durability", &raw->durability, "sync", "sync|relaxed",
          "sync: a write is on disk before the response. relaxed: a crash of the machine may lose the last writes");
  AddText(app, "--cache-size", &raw->cache_size, "256M", "SIZE", "Memory for cached items and blocks, e.g. 64M, 2G");
  AddText(app, "--disk-reserve", &raw->disk_reserve, "512M", "SIZE",
          "Refuse writes, but not reads, if the disk has less free space than this. At least 256M, or 0: no reserve");
  AddText(app, "--sweep-share", &raw->sweep_share, "10", "PERCENT",
          "The largest share of one core for purging expired items of containers without provisioned throughput");

  AddText(app, "--host", &raw->host, "127.0.0.1", "ADDRESS", "The address to listen on");
  AddText(app, "--port", &raw->port, "8081", "PORT", "The port to listen on. 0: any free port");
  AddText(app, "--threads", &raw->threads, std::to_string(DefaultThreads()), "N", "Threads that serve connections");
  AddText(app, "--request-memory", &raw->request_memory, "256M", "SIZE",
          "Memory for incoming requests and unsent responses of all connections together. Beyond it: 503");
  AddText(app, "--query-memory", &raw->query_memory, "256M", "SIZE",
          "Memory for all running queries together. Beyond it: 503. A single query may use some 64M");
  app->add_option(std::string(kHostNameFlag), raw->host_names,
                  "With the well-known key: a further name under which clients reach the server, in addition to "
                  "loopback names and IP addresses. May be repeated, or be a list separated by commas")
      ->type_name("NAME")
      ->allow_extra_args(false);

  for (size_t i = 0; i < api::kAccountKeyNames.size(); ++i) {
    const std::string flag = "--" + std::string(api::kAccountKeyNames[i].name);
    AddText(app, flag, &raw->keys[i].text, "", "BASE64", kKeyHelp[i]);
    AddText(app, flag + std::string(kFileSuffix), &raw->keys[i].file, "", "FILE", "The file that contains this key");
  }
  AddSwitch(app, "--allow-well-known-key", &raw->allow_well_known_key,
            "Listen beyond loopback, and serve under any name, although the key is public (for containers in CI)");

  AddText(app, "--tls", &raw->tls, "", "auto|off",
          "auto: make a self-signed certificate, which GET /_explorer/emulator.pem returns");
  AddText(app, "--tls-cert", &raw->tls_cert, "", "FILE",
          "The certificate chain, PEM. TLS and plain HTTP share the port");
  AddText(app, "--tls-key", &raw->tls_key, "", "FILE", "The certificate's private key, PEM");

  AddSwitch(app, "--test-clock", &raw->test_clock,
            "Let POST /_lapse/clock freeze and advance time. This is a permanent property of the data directory");
  AddText(app, "--clock-jump-max", &raw->clock_jump_max, "1h", "DURATION",
          "Do not follow a wall clock that jumps further ahead than this until 'lapse clock accept'");
  AddText(app, "--clock-jump-max-start", &raw->clock_jump_max_start, "30d", "DURATION",
          "The same limit for the time that passed while the server was down");

  AddText(app, "--rate-limiting", &raw->rate_limiting, "", "on|off|explicit",
          "explicit: limit only containers and databases created with a throughput (429). on: also limit all others, "
          "to 400 RU/s. off: no limits. Default: explicit, or off with --in-memory");

  AddText(
      app, "--consistency", &raw->consistency, "session", "LEVEL",
      "The account's level: strong, bounded, session, prefix or eventual. Requests may ask for a weaker one. Reads at "
      "strong and bounded cost double. At any level all reads see the last write");

  AddText(app, "--resources-max", &raw->resources_max, "0", "N",
          "The most databases and containers together. One more: 403. 0: no limit. The service has 500");
  AddText(app, "--sharing-containers-max", &raw->sharing_containers_max, "0", "N",
          "The most containers that share one database's throughput. One more: 403. 0: no limit. The service has 25");
  AddText(app, "--logical-partition-max", &raw->logical_partition_max, "20G", "SIZE",
          "The size limit of one logical partition. A write that would exceed it: 403. 0: no limit");

  AddText(app, "--log-level", &raw->log_level, "info", "LEVEL", "trace, debug, info, warn, error or off");
  AddText(app, "--config", &raw->config, "", "FILE", "Read options from this file, one 'name = value' per line");
}

std::string EnvironmentName(const std::string& long_name) {
  std::string name(kVariablePrefix);
  for (char c : long_name) name.push_back(c == '-' ? '_' : UpperAscii(c));
  return name;
}

// A list is not merged: one from the environment or the file adds nothing to one with higher precedence.
bool IsGivenList(std::string_view long_name, const std::vector<std::string>& given) {
  const std::string flag = "--" + std::string(long_name);
  if (flag != kHostNameFlag) return false;
  return std::any_of(given.begin(), given.end(),
                     [&](const std::string& one) { return one == flag || one.starts_with(flag + "="); });
}

// An empty variable counts as not set, unless it is for a key.
bool IsKey(std::string_view long_name) {
  return std::any_of(api::kAccountKeyNames.begin(), api::kAccountKeyNames.end(),
                     [&](const api::AccountKeyName& key) { return key.name == long_name; });
}

// Returns the long names of all options that can be set.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (!names.empty() && names[0] != "help" && names[0] != "version") all.push_back(names[0]);
  }
  return all;
}

// Returns the environment as flags, to go before the real ones: the last one given counts.
std::vector<std::string> EnvironmentAsFlags(const CLI::App& app, const Environment& environment,
                                            const std::vector<std::string>& given) {
  std::vector<std::string> flags;
  for (const std::string& name : OptionNames(app)) {
    if (IsGivenList(name, given)) continue;
    std::optional<std::string> value = environment(EnvironmentName(name));
    if (!value) continue;
    if (!value->empty()) {
      flags.push_back("--" + name + "=" + *value);
    } else if (IsKey(name)) {
      flags.insert(flags.end(), {"--" + name, ""});
    }
  }
  return flags;
}

Status WrongValue(const char* flag, std::string_view value, std::string_view expected) {
  return WrongUsage(std::string(flag) + " must be " + std::string(expected) + ", not '" + std::string(value) + "'");
}

// A variable with our prefix that sets nothing is a mistake, which would otherwise go unnoticed.
Status CheckVariables(const CLI::App& app, const std::vector<std::string>& variables) {
  std::vector<std::string> known(kClientVariables.begin(), kClientVariables.end());
  for (const std::string& name : OptionNames(app)) known.push_back(EnvironmentName(name));
  for (const std::string& variable : variables) {
    if (std::find(known.begin(), known.end(), variable) != known.end()) continue;
    return WrongUsage("no option has the environment variable " + variable + DidYouMean(variable, known));
  }
  return Status::Ok();
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

Result<ServerOptions> Resolve(const RawOptions& raw, const CLI::App& app, uint64_t memory_bytes) {
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

ParsedOptions UsageError(const std::string& message) {
  return {std::nullopt, kUsageExitCode, "lapsed: " + message + "\nTry 'lapsed --help'.\n"};
}

// The options as the library parses them.
class CommandLine {
 public:
  CommandLine() : app_("Lapse: a document database with exact time to live.", "lapsed") {
    app_.set_version_flag("--version", "lapsed " + std::string(kVersion), "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.footer(std::string(kFooter));
    app_.get_formatter()->column_width(38);
    Declare(&app_, &raw_);
  }

  const CLI::App& app() const { return app_; }
  const RawOptions& raw() const { return raw_; }

  // Returns what to print and the exit code if the program should exit. Call it once.
  std::optional<ParsedOptions> Parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // the library takes them from the back
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return ParsedOptions{std::nullopt, 0, app_.help()};
    } catch (const CLI::CallForVersion&) {
      return ParsedOptions{std::nullopt, 0, app_.version() + "\n"};
    } catch (const CLI::ExtrasError&) {
      return UsageError(DescribeUnexpected(app_.remaining()));
    } catch (const CLI::Error& error) {
      return UsageError(error.what());
    }
    return std::nullopt;
  }

 private:
  CLI::App app_;
  RawOptions raw_;
};

// An empty value must not swallow the next argument.
std::vector<std::string> AsFlag(const ConfigLine& line) {
  if (line.value.empty()) return {"--" + line.name, ""};
  return {"--" + line.name + "=" + line.value};
}

// Checks that each line is an option that takes such a value.
Status CheckConfig(const std::string& path, const std::vector<ConfigLine>& file) {
  for (const ConfigLine& line : file) {
    CommandLine alone;
    std::vector<std::string> known = OptionNames(alone.app());
    std::erase(known, "config");  // a file cannot name another one
    const std::string place = PlaceInFile(path, line.number);
    if (std::find(known.begin(), known.end(), line.name) == known.end()) {
      return WrongUsage(place + ": there is no option " + QuotedUnlessKey(line.name) + DidYouMean(line.name, known));
    }
    if (alone.Parse(AsFlag(line)))
      return WrongUsage(place + ": " + QuotedUnlessKey(line.value) + " is no value of " + line.name);
  }
  return Status::Ok();
}

// Returns the line of the file with the option that a message begins with, or nothing if flags or environment set it.
std::string PlaceOf(const std::string& message, const std::string& path, const std::vector<ConfigLine>& file,
                    const CLI::App& without_file) {
  for (const ConfigLine& line : file) {
    const std::string flag = "--" + line.name;
    const bool is_meant = message.starts_with(flag + " ") && without_file.count(flag) == 0;
    if (is_meant) return PlaceInFile(path, line.number) + ": ";
  }
  return "";
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

Machine ThisMachine() {
  Machine machine;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    std::string_view entry = *variable;
    if (entry.starts_with(kVariablePrefix)) machine.variables.emplace_back(entry.substr(0, entry.find('=')));
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) {
    machine.memory_bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
  }
  return machine;
}

ParsedOptions ParseOptions(int argc, const char* const* argv, const Environment& environment, const Machine& machine) {
  CommandLine line;
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  std::vector<std::string> arguments = EnvironmentAsFlags(line.app(), environment, given);
  arguments.insert(arguments.end(), given.begin(), given.end());
  if (std::optional<ParsedOptions> ended = line.Parse(arguments)) return *ended;
  if (Status known = CheckVariables(line.app(), machine.variables); !known.ok()) return UsageError(known.message());
  if (line.raw().config.empty()) {
    Result<ServerOptions> options = Resolve(line.raw(), line.app(), machine.memory_bytes);
    return options.ok() ? ParsedOptions{*options, 0, ""} : UsageError(options.status().message());
  }

  const std::string path = line.raw().config;
  Result<std::vector<ConfigLine>> file = ReadConfigFile(path);
  if (!file.ok()) return UsageError(file.status().message());
  if (Status checked = CheckConfig(path, *file); !checked.ok()) return UsageError(checked.message());
  CommandLine all;
  std::vector<std::string> with_file;
  for (const ConfigLine& one : *file) {
    if (IsGivenList(one.name, arguments)) continue;
    const std::vector<std::string> flags = AsFlag(one);
    with_file.insert(with_file.end(), flags.begin(), flags.end());
  }
  with_file.insert(with_file.end(), arguments.begin(), arguments.end());
  if (std::optional<ParsedOptions> ended = all.Parse(with_file)) return *ended;
  Result<ServerOptions> options = Resolve(all.raw(), all.app(), machine.memory_bytes);
  if (options.ok()) return {*options, 0, ""};
  return UsageError(PlaceOf(options.status().message(), path, *file, line.app()) + options.status().message());
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
