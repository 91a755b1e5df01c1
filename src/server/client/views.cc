#include "server/client/views.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "server/client/human.h"

namespace lapse::server::client {
namespace {

using Row = std::vector<std::string>;

// `alignment`: 'l' or 'r' for each column. The last one applies to all further columns.
std::string Table(std::string_view alignment, const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Columns(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      std::string blanks(widths[i] - Columns(row[i]), ' ');
      bool is_left = alignment[std::min(i, alignment.size() - 1)] == 'l';
      text.append(i == 0 ? "" : "  ").append(is_left ? row[i] + blanks : blanks + row[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text.push_back('\n');
  }
  return text;
}

std::string Heading(int64_t now_s, bool clock_held) {
  std::string text = "store time " + FormatTime(now_s);
  if (clock_held) text += ", held: the wall clock jumped ahead and nothing is purged ('lapse clock accept')";
  return text + "\n";
}

// Counts of a container that was dropped and recreated start at 0.
int64_t PurgedSince(const ContainerReport& now, const ContainerReport* earlier) {
  return earlier == nullptr ? 0 : std::max<int64_t>(now.purged.items - earlier->purged.items, 0);
}

const ContainerReport* FindByName(const StatsReport& report, const std::string& name) {
  for (const ContainerReport& container : report.containers) {
    if (container.name == name) return &container;
  }
  return nullptr;
}

std::string OldestText(const ContainerReport& container) {
  return container.backlog.items == 0 ? "-" : FormatSeconds(container.oldest_s);
}

Row AmountRow(std::string name, const Amount& amount, std::string remark = "") {
  return {std::move(name), FormatNumber(amount.items) + " items", FormatBytes(amount.bytes), std::move(remark)};
}

std::string Line(int64_t now_s, const ContainerReport& container, const ContainerReport* earlier) {
  std::string line = FormatTime(now_s) + " " + container.name;
  auto append = [&line](std::string_view name, int64_t value) {
    line.append(" ").append(name).append("=").append(std::to_string(value));
  };
  append("live", container.live.items);
  append("live_bytes", container.live.bytes);
  append("expired", container.backlog.items);
  append("expired_bytes", container.backlog.bytes);
  append("oldest_s", container.oldest_s);
  append("purged", container.purged.items);
  append("purged_now", PurgedSince(container, earlier));
  return line + "\n";
}

std::string DefaultText(std::optional<int64_t> default_ttl) {
  if (!default_ttl) return "TTL is off";
  if (*default_ttl < 0) return "TTL is on, without a default";
  return "TTL is on, default " + FormatSeconds(*default_ttl);
}

// Omits steps in which nothing expires.
std::string ShowSeries(const TtlReport::Series& series) {
  std::vector<Row> rows;
  for (size_t i = 0; i < series.steps.size(); ++i) {
    if (series.steps[i].items == 0) continue;
    const int64_t until_s = series.from_s + static_cast<int64_t>(i + 1) * series.step_s;
    rows.push_back(AmountRow("until " + FormatTime(until_s), series.steps[i]));
  }
  rows.push_back(AmountRow("later", series.later));
  rows.push_back(AmountRow("never", series.never));
  return "expire in steps of " + FormatSeconds(series.step_s) + "\n" + Table("lrrl", rows);
}

}  // namespace

std::string ShowStats(const StatsReport& report, const StatsReport* earlier) {
  std::vector<Row> rows = {{"CONTAINER", "TTL", "LIVE", "SIZE", "EXPIRED", "SIZE", "OLDEST", "PURGED", "RU"}};
  if (earlier != nullptr) rows.front().push_back("PURGED NOW");
  for (const ContainerReport& container : report.containers) {
    Row& row = rows.emplace_back();
    row = {container.name,
           FormatDefaultTtl(container.default_ttl),
           FormatNumber(container.live.items),
           FormatBytes(container.live.bytes),
           FormatNumber(container.backlog.items),
           FormatBytes(container.backlog.bytes),
           OldestText(container),
           FormatNumber(container.purged.items),
           FormatUnits(container.purge_units)};
    if (earlier == nullptr) continue;
    row.push_back("+" + FormatNumber(PurgedSince(container, FindByName(*earlier, container.name))));
  }
  std::string text = Heading(report.now_s, report.clock_held) + Table("lr", rows);
  if (report.left_out > 0) text += "and " + FormatNumber(report.left_out) + " more that are not listed\n";
  return text;
}

std::string ShowTtl(const TtlReport& report, const TtlReport* earlier) {
  const ContainerReport& container = report.container;
  std::string oldest = container.backlog.items == 0 ? "" : "the oldest for " + FormatSeconds(container.oldest_s);
  std::string spent = FormatUnits(container.purge_units) + " RU";
  if (earlier != nullptr) spent += ", +" + FormatNumber(PurgedSince(container, &earlier->container)) + " items now";
  std::vector<Row> rows = {
      AmountRow("live", container.live),
      AmountRow("expired, not purged", container.backlog, oldest),
      AmountRow("purged", container.purged, spent),
      AmountRow("expire within a minute", report.minute),
      AmountRow("  an hour", report.hour),
      AmountRow("  a day", report.day),
      AmountRow("  a week", report.week),
      AmountRow("  30 days", report.month),
  };
  std::string text =
      container.name + ": " + DefaultText(container.default_ttl) + "\n" + Heading(report.now_s, report.clock_held);
  if (report.what_if) {
    const TtlReport::WhatIf& what_if = *report.what_if;
    rows.push_back(AmountRow("with the default " + FormatDefaultTtl(what_if.default_ttl), what_if.expiring,
                             "would expire at once"));
    rows.push_back(AmountRow("", what_if.changing, "would have another deadline, or none"));
  }
  text += Table("lrrl", rows);
  return report.series ? text + ShowSeries(*report.series) : text;
}

std::string ShowExplanation(const ExplanationReport& report) {
  std::vector<Row> rows = {{"plan", report.plan}, {"conditions", report.conditions}, {"found by", report.found_by}};
  for (const std::string& path : report.indexed) rows.push_back({"indexed", path});
  for (const std::string& path : report.not_indexed) rows.push_back({"not indexed", path});
  for (const std::string& parts : report.composites) rows.push_back({"composite", parts});
  for (const std::string& path : report.spatial) rows.push_back({"spatial", path});
  return Table("l", rows);
}

std::string ShowLines(const StatsReport& report, const StatsReport& earlier) {
  std::string lines;
  for (const ContainerReport& container : report.containers) {
    lines += Line(report.now_s, container, FindByName(earlier, container.name));
  }
  return lines;
}

std::string ShowLine(const TtlReport& report, const TtlReport& earlier) {
  return Line(report.now_s, report.container, &earlier.container);
}

std::string ShowOverview(const OverviewReport& report, const OverviewReport*) {
  std::string text = report.status + ", version " + report.version + ", up for " + FormatSeconds(report.uptime_s) +
                     "\n" + Heading(report.now_s, report.clock_held) + "writes " + report.writes;
  if (!report.reason.empty()) text += ": " + report.reason;
  const std::string provisioned =
      report.provisioned ? ", " + FormatNumber(*report.provisioned) + " a second provisioned" : "";
  text += "\n" +
          Table("ll",
                {
                    {"catalog",
                     FormatNumber(report.databases) + " databases, " + FormatNumber(report.containers) + " containers"},
                    {"requests", FormatNumber(report.answered) + " answered, " + FormatNumber(report.throttled) +
                                     " throttled, " + FormatNumber(report.server_errors) + " failed"},
                    {"request units", FormatUnits(report.spent_units) + " spent" + provisioned},
                    {"store", FormatBytes(report.disk_bytes) + " on disk, " + FormatBytes(report.store_memory_bytes) +
                                  " in memory"},
                    {"memory", FormatBytes(report.resident_bytes) + ", requests " + FormatBytes(report.request_bytes) +
                                   " of " + FormatBytes(report.request_bytes_max)},
                    {"connections", FormatNumber(report.connections)},
                });
  if (report.operations.empty()) return text;
  std::vector<Row> rows = {{"OPERATION", "COUNT", "P50", "P90", "P99", "P99.9"}};
  for (const OverviewReport::Operation& of : report.operations) {
    rows.push_back({of.name, FormatNumber(of.count), FormatUnits(of.p50_ms) + " ms", FormatUnits(of.p90_ms) + " ms",
                    FormatUnits(of.p99_ms) + " ms", FormatUnits(of.p999_ms) + " ms"});
  }
  return text + Table("lr", rows);
}

std::string ShowHealth(const HealthReport& report, const HealthReport*) {
  std::string text = report.status + ", version " + report.version + "\nwrites " + report.writes;
  if (!report.reason.empty()) text += ": " + report.reason;
  text += report.test_clock ? "\nthe test clock" : "\nthe real clock";
  if (report.clock_held) {
    text += ", held: the wall clock is " + FormatSeconds(report.ahead_ms / 1000) +
            " ahead and is not followed ('lapse clock accept')";
  }
  return text + "\n";
}

}  // namespace lapse::server::client
