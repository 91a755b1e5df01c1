// GET /_lapse/ttl/{database}/{container}, or /_lapse/ttl?database=...&container=... for names that a browser cannot
// send in a path. Reports a container's policy, its live and expired items, which items will expire, and which would
// under another default.
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
  // A hypothetical default: seconds, -1, or nullopt for TTL turned off.
  struct WhatIf {
    std::optional<int32_t> default_ttl;
  };

  std::string database;
  std::string container;
  std::optional<WhatIf> what_if;
  std::string_view horizon = {};  // of the series: "minute", "hour", "day", "week" or "month"; empty: no series
};

// `path` is the rest after the route's own part. Path and query are still percent-encoded. The parameters are database
// and container, if the path is empty; defaultTtl: -1, 1..2147483647, or `off` (`null` means the same); and forecast:
// the horizon of a series. Fails: kNotFound if neither path nor query names a container; kInvalidArgument if both do,
// and for a malformed escape, an unknown parameter or an invalid value.
Result<TtlQuestion> ParseTtlQuestion(std::string_view path, std::string_view query);

// Returns the response as BSON, as of the moment of the container itself. May read the disk. Changes nothing. Fails:
// kNotFound, and with errors of the store.
Result<std::string> ReportTtl(const TtlQuestion& question, ReportMoment moment, const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
