#include "api/admin/overview.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "api/admin/container_stats.h"
#include "api/admin/stats_json.h"
#include "base/histogram.h"
#include "doc/writer.h"

namespace lapse::api::admin {
namespace {

struct Quantile {
  std::string_view name;
  double q;
};
constexpr Quantile kQuantiles[] = {{"p50_ms", 0.5}, {"p90_ms", 0.9}, {"p99_ms", 0.99}, {"p999_ms", 0.999}};

// Totals of all containers.
struct Spending {
  size_t databases = 0;
  size_t containers = 0;
  int64_t spent_milli_ru = 0;
  int64_t throttled = 0;
  int64_t provisioned = 0;  // 0: none was requested
  std::optional<int64_t> left_milli_ru;
};

Spending AddUp(const engine::CatalogView* catalog) {
  Spending sum;
  if (auto databases = catalog->ListDatabases(); databases.ok()) {
    sum.databases = databases->size();
    for (const engine::DatabasePtr& database : *databases) sum.provisioned += database->throughput.ru_per_second();
  }
  std::set<const engine::RequestUnitPool*> pools;  // pools already counted
  for (const NamedContainer& named : ListContainers(catalog)) {
    const RequestUnitStats stats = ReadRequestUnits(*named.container, named.database.get());
    ++sum.containers;
    sum.spent_milli_ru += stats.spent_milli_ru;
    sum.throttled += stats.throttled;
    if (!stats.shared) sum.provisioned += stats.provisioned.ru_per_second();
    const bool counted = stats.shared && !pools.insert(named.container->shared_pool().get()).second;
    if (stats.left_milli_ru && !counted) sum.left_milli_ru = sum.left_milli_ru.value_or(0) + *stats.left_milli_ru;
  }
  return sum;
}

void AppendOptional(std::string_view name, std::optional<int64_t> number, doc::Writer* writer) {
  if (number) {
    writer->AppendInteger(name, *number);
  } else {
    writer->AppendNull(name);
  }
}

void AppendRequests(const RequestFigures& figures, int64_t throttled, doc::Writer* writer) {
  int64_t answered = 0;
  for (int64_t of_class : figures.answered) answered += of_class;
  writer->BeginObject("requests");
  writer->AppendInteger("answered", answered);
  writer->BeginObject("by_status");
  for (size_t digit = 2; digit < figures.answered.size(); ++digit) {
    writer->AppendInteger(std::to_string(digit) + "xx", figures.answered[digit]);
  }
  writer->End();
  writer->AppendInteger("throttled", throttled);
  writer->End();
}

void AppendSpending(const Spending& sum, doc::Writer* writer) {
  writer->BeginObject("request_units");
  AppendUnits("spent", sum.spent_milli_ru, writer);
  AppendOptional("provisioned", sum.provisioned == 0 ? std::nullopt : std::optional(sum.provisioned), writer);
  AppendUnits("left", sum.left_milli_ru, writer);
  writer->AppendBool("limited", sum.left_milli_ru.has_value());
  writer->End();
}

void AppendOperation(const OperationFigures& of, doc::Writer* writer) {
  writer->AppendString("operation", of.name);
  writer->AppendInteger("count", of.times.count);
  writer->AppendDouble("total_ms", of.times.sum_s * 1000);
  for (const Quantile& quantile : kQuantiles) {
    if (of.times.count == 0) {
      writer->AppendNull(quantile.name);
    } else {
      writer->AppendDouble(quantile.name, of.times.QuantileMs(quantile.q));
    }
  }
  writer->BeginArray("up_to");
  for (size_t i = 0; i < of.times.up_to.size(); ++i) writer->AppendInteger(std::to_string(i), of.times.up_to[i]);
  writer->End();
}

void AppendLatency(const RequestFigures& figures, doc::Writer* writer) {
  writer->BeginObject("latency");
  writer->BeginArray("steps_ms");
  for (size_t i = 0; i < Histogram::kBounds_us.size(); ++i) {
    writer->AppendDouble(std::to_string(i), static_cast<double>(Histogram::kBounds_us[i]) / 1000);
  }
  writer->End();
  writer->BeginArray("operations");
  for (size_t i = 0; i < figures.operations.size(); ++i) {
    writer->BeginObject(std::to_string(i));
    AppendOperation(figures.operations[i], writer);
    writer->End();
  }
  writer->End();
  writer->End();
}

void AppendServer(const ServerFigures& figures, doc::Writer* writer) {
  writer->BeginObject("storage");
  AppendOptional("disk_bytes", figures.disk_bytes, writer);
  AppendOptional("memory_bytes", figures.memory_bytes, writer);
  writer->AppendInteger("age_ms", figures.age_ms);
  writer->End();
  writer->BeginObject("memory");
  writer->AppendInteger("resident_bytes", figures.resident_bytes);
  writer->AppendInteger("request_bytes", figures.request_bytes);
  writer->AppendInteger("request_bytes_max", figures.request_bytes_max);
  writer->End();
  writer->AppendInteger("connections", figures.connections);
}

}  // namespace

std::string ReportOverview(const OverviewParts& parts, const engine::StoreClock& clock,
                           const engine::CatalogView* catalog) {
  const Spending sum = AddUp(catalog);
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  AppendMoment(parts.moment, &writer);
  writer.AppendString("version", parts.version);
  writer.AppendString("status", parts.status);
  AppendWriteHealth(parts.store, &writer);
  AppendClockHealth(clock, &writer);
  writer.AppendInteger("databases", static_cast<int64_t>(sum.databases));
  writer.AppendInteger("containers", static_cast<int64_t>(sum.containers));
  AppendRequests(parts.requests, sum.throttled, &writer);
  AppendSpending(sum, &writer);
  AppendLatency(parts.requests, &writer);
  AppendServer(parts.server, &writer);
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
