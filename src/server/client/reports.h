// What the server says about itself and its containers, taken out of its JSON.
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
};

// GET /_lapse/ttl/{database}/{container}.
struct TtlReport {
  struct WhatIf {
    std::optional<int64_t> default_ttl;
    Amount expiring;
  };

  int64_t now_s = 0;
  bool clock_held = false;
  ContainerReport container;
  Amount minute, hour, day, week, month;
  std::optional<WhatIf> would_expire;
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
  std::vector<std::string> indexed, not_indexed, composites;
};

// Fails: kInternal for what is not such an answer. A number that is not there is 0.
Result<StatsReport> ParseStatsReport(std::string_view json);
Result<TtlReport> ParseTtlReport(std::string_view json);
Result<HealthReport> ParseHealthReport(std::string_view json);
Result<ExplanationReport> ParseExplanation(std::string_view json);

}  // namespace lapse::server::client
