#include "api/admin/stats_report.h"

#include "api/admin/container_stats.h"
#include "api/admin/stats_json.h"
#include "doc/writer.h"

namespace lapse::api::admin {

std::string ReportStats(int64_t now_s, bool clock_held, engine::Catalog* catalog) {
  StatsOfAll all = ReadStatsOfAll(catalog);
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendInteger("now", now_s);
  writer.AppendBool("clock_held", clock_held);
  writer.BeginArray("containers");
  int number = 0;
  for (const NamedStats& named : all.containers) {
    writer.BeginObject(std::to_string(number++));
    writer.AppendString("database", named.database);
    writer.AppendString("container", named.container);
    AppendDefaultTtl(named.default_ttl, &writer);
    AppendStats(named.stats, &writer);
    writer.End();
  }
  writer.End();
  writer.AppendInteger("left_out", static_cast<int64_t>(all.existing - all.containers.size()));
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
