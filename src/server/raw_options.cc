#include "server/raw_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>
#include <utility>

namespace lapse::server {
namespace {

// More event loops than this wait for the store rather than for a core.
constexpr int kThreadsDefaultMax = 4;

// For each of api::kAccountKeyNames. Each key has a second flag, for a file that holds it.
constexpr std::array<const char*, api::kAccountKeyNames.size()> kKeyHelp = {
    "The key that clients sign with. Default: the emulators' well-known key",
    "A second key, valid like the first, so that one can be replaced while clients use the other",
    "A key that is valid for reads only",
    "A second read-only key, valid like the first",
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

void DeclareStore(CLI::App* app, RawOptions* raw) {
  AddText(app, "--data-dir", &raw->data_dir, "./lapse-data", "DIR", "The data directory, created if it does not exist");
  AddSwitch(app, "--in-memory", &raw->in_memory, "Keep data in memory only: all of it is lost when the server stops");
  AddText(app, "--durability", &raw->durability, "sync", "sync|relaxed",
          "sync: a write is on disk before the response. relaxed: a crash of the machine may lose the last writes");
  AddText(app, "--cache-size", &raw->cache_size, "256M", "SIZE", "Memory for cached items and blocks, e.g. 64M, 2G");
  AddText(app, "--disk-reserve", &raw->disk_reserve, "512M", "SIZE",
          "Refuse writes, but not reads, if the disk has less free space than this. At least 256M, or 0: no reserve");
  AddText(app, "--sweep-share", &raw->sweep_share, "10", "PERCENT",
          "The largest share of one core for purging expired items of containers without provisioned throughput");
}

void DeclareListener(CLI::App* app, RawOptions* raw) {
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
}

void DeclareKeysAndTls(CLI::App* app, RawOptions* raw) {
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
}

void DeclareClockAndLimits(CLI::App* app, RawOptions* raw) {
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

}  // namespace

void DeclareOptions(CLI::App* app, RawOptions* raw) {
  DeclareStore(app, raw);
  DeclareListener(app, raw);
  DeclareKeysAndTls(app, raw);
  DeclareClockAndLimits(app, raw);
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (!names.empty() && names[0] != "help" && names[0] != "version") all.push_back(names[0]);
  }
  return all;
}

}  // namespace lapse::server
