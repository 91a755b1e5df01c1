// GET /_lapse/ttl/{database}/{container}, or /_lapse/ttl?database=...&container=... for names that a browser cannot
// send in a path: a container's policy, what lives, what has expired, what will, and what would under another default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/admin/report_moment.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "net/http.h"

namespace lapse::api::admin {

struct TtlQuestion {
  // A default that might be set: seconds, -1, or nullopt for TTL turned off.
  struct WhatIf {
    std::optional<int32_t> default_ttl;
  };

  std::string database;
  std::string container;
  std::optional<WhatIf> what_if;
  std::string_view horizon = {};  // of the series: "minute", "hour", "day", "week" or "month"; empty: no series
};

// `path` is what follows the route's own part; path and query are still percent-encoded. The parameters are database
// and container, if the path is empty; defaultTtl: -1, 1..2147483647, or `off` (`null` means the same); and forecast:
// the horizon of a series.
// Fails: kNotFound when nothing names a container, kInvalidArgument when both do, for a malformed escape, another
// parameter or a value that it cannot have.
Result<TtlQuestion> ParseTtlQuestion(std::string_view path, std::string_view query);

// The answer as BSON, as of the moment of the container itself. May read the disk. Changes nothing. Fails: kNotFound,
// and what the store says.
Result<std::string> ReportTtl(const TtlQuestion& question, ReportMoment moment, const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
