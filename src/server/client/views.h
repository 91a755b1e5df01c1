// Reports as text for people (blocks) and for other programs (lines).
#pragma once

#include <string>

#include "server/client/reports.h"

namespace lapse::server::client {

// A table, one row for each container. With an `earlier` report, what was purged since then has a column too.
std::string ShowStats(const StatsReport& report, const StatsReport* earlier = nullptr);

// All about one container.
std::string ShowTtl(const TtlReport& report, const TtlReport* earlier = nullptr);

// The whole server.
std::string ShowOverview(const OverviewReport& report, const OverviewReport* earlier = nullptr);

// A line for each of: is it serving, does it take writes, what is its clock.
std::string ShowHealth(const HealthReport& report, const HealthReport* earlier = nullptr);

// A line for the plan, one for each of its parts that indexes are about.
std::string ShowExplanation(const ExplanationReport& report);

// A line of name=value pairs for each container, after the time and its name.
std::string ShowLines(const StatsReport& report, const StatsReport& earlier);
std::string ShowLine(const TtlReport& report, const TtlReport& earlier);

}  // namespace lapse::server::client
