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
  // The last container of the page before.
  struct Place {
    std::string database;
    std::string container;
  };

  size_t containers_max = kReportedContainersMax;
  std::optional<Place> after;
  std::optional<std::string> database;  // the containers of this one alone
};

// `query` is still percent-encoded: max, after and database. Fails: kInvalidArgument.
Result<StatsQuestion> ParseStatsQuestion(std::string_view query);

// The answer as BSON. May read the disk, for some milliseconds each. Fails: kNotFound when there is no such database.
Result<std::string> ReportStats(const StatsQuestion& question, const ReportMoment& moment,
                                const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
