// Reports as text for people (blocks) and for other programs (lines).
#pragma once

#include <string>

#include "server/client/reports.h"

namespace lapse::server::client {

// A table with one row for each container. With an `earlier` report it has a column for what was purged since.
std::string ShowStats(const StatsReport& report, const StatsReport* earlier = nullptr);

// Everything about one container.
std::string ShowTtl(const TtlReport& report, const TtlReport* earlier = nullptr);

// The whole server.
std::string ShowOverview(const OverviewReport& report, const OverviewReport* earlier = nullptr);

// One line each for: is it serving, does it take writes, what is its clock.
std::string ShowHealth(const HealthReport& report, const HealthReport* earlier = nullptr);

// One line for the plan, and one for each part of it that concerns indexes.
std::string ShowExplanation(const ExplanationReport& report);

// For each container a line with the time, its name, and name=value pairs.
std::string ShowLines(const StatsReport& report, const StatsReport& earlier);
std::string ShowLine(const TtlReport& report, const TtlReport& earlier);

}  // namespace lapse::server::client
