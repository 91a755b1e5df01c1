// What the server reports about itself and its containers, parsed from its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::server::client {

struct Amount {
  int64_t items = 0;
  int64_t bytes = 0;
};

struct ContainerReport {
  std::string name;  // "database/container", printable
  std::optional<int64_t> default_ttl;
  Amount live;
  Amount backlog;
  int64_t oldest_s = 0;
  Amount purged;
  double purge_units = 0;
};

// GET /_lapse/stats.
struct StatsReport {
  int64_t now_s = 0;
  bool clock_held = false;
  std::vector<ContainerReport> containers;
  int64_t left_out = 0;
  std::string next;  // the server's name for the start of the next page; empty: last page
};

// GET /_lapse/ttl/{database}/{container}.
struct TtlReport {
  struct WhatIf {
    std::optional<int64_t> default_ttl;
    Amount expiring;
    Amount changing;
  };
  // The number of items that expire in each step, from `from_s` on.
  struct Series {
    int64_t from_s = 0;
    int64_t step_s = 0;
    std::vector<Amount> steps;
    Amount later;
    Amount never;
  };

  int64_t now_s = 0;
  bool clock_held = false;
  ContainerReport container;
  Amount minute, hour, day, week, month;
  std::optional<WhatIf> what_if;
  std::optional<Series> series;
};

// GET /_lapse/overview.
struct OverviewReport {
  struct Operation {
    std::string name;
    int64_t count = 0;
    double p50_ms = 0, p90_ms = 0, p99_ms = 0, p999_ms = 0;
  };

  int64_t now_s = 0;
  bool clock_held = false;
  int64_t uptime_s = 0;
  std::string status, version, writes, reason;
  int64_t databases = 0;
  int64_t containers = 0;
  int64_t answered = 0;
  int64_t server_errors = 0;
  int64_t throttled = 0;
  double spent_units = 0;
  std::optional<int64_t> provisioned;  // request units a second
  std::vector<Operation> operations;   // those with requests
  int64_t disk_bytes = 0;
  int64_t store_memory_bytes = 0;
  int64_t resident_bytes = 0;
  int64_t request_bytes = 0;
  int64_t request_bytes_max = 0;
  int64_t connections = 0;
};

// GET /_lapse/health.
struct HealthReport {
  std::string status;
  std::string version;
  std::string writes;
  std::string reason;  // why writes are not ok; empty: they are
  bool clock_held = false;
  bool test_clock = false;
  int64_t ahead_ms = 0;
};

// POST /_lapse/explain.
struct ExplanationReport {
  std::string plan, conditions, found_by;
  std::vector<std::string> indexed, not_indexed, composites, spatial;
};

// Fails: kInternal for anything but such a response. A missing number is 0.
Result<StatsReport> ParseStatsReport(std::string_view json);
Result<TtlReport> ParseTtlReport(std::string_view json);
Result<OverviewReport> ParseOverviewReport(std::string_view json);
Result<HealthReport> ParseHealthReport(std::string_view json);
Result<ExplanationReport> ParseExplanation(std::string_view json);

}  // namespace lapse::server::client
