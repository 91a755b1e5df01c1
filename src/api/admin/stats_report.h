// GET /_lapse/stats: the numbers of containers, page by page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/admin/container_stats.h"
#include "api/admin/report_moment.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::admin {

struct StatsQuestion {
  // The last container of the previous page.
  struct Place {
    std::string database;
    std::string container;
  };

  size_t containers_max = kReportedContainersMax;
  std::optional<Place> after;
  std::optional<std::string> database;  // restricts the report to this database
};

// `query` is still percent-encoded: max, after and database. Fails: kInvalidArgument.
Result<StatsQuestion> ParseStatsQuestion(std::string_view query);

// Returns the response as BSON. May read the disk, for some milliseconds per container. Fails: kNotFound if there is no
// such database.
Result<std::string> ReportStats(const StatsQuestion& question, const ReportMoment& moment,
                                const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
