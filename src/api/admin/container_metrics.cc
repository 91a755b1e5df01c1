#include "api/admin/container_metrics.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/admin/container_stats.h"

namespace lapse::api::admin {
namespace {

struct StatsFamily {
  const char* name;
  const char* help;
  MetricType type;
  // Returns nullopt if the container has no such value.
  std::optional<double> (*read)(const NamedStats& container);
};

std::optional<double> Number(int64_t value) {
  return static_cast<double>(value);
}

std::optional<double> Units(int64_t milli_ru) {
  return static_cast<double>(milli_ru) / 1000;
}

constexpr StatsFamily kFamilies[] = {
    {"lapse_items_live", "Items that have not expired.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.live.items); }},
    {"lapse_bytes_live", "Size of the items that have not expired.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.live.bytes); }},
    {"lapse_expired_items", "Items that have expired and are not purged yet.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.backlog.items); }},
    {"lapse_expired_bytes", "Size of the items that have expired and are not purged yet.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.backlog.bytes); }},
    {"lapse_expired_oldest_seconds", "How long ago the oldest item that is not purged yet expired.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.oldest_s); }},
    {"lapse_deleted_items", "Items that were deleted with their whole partition key and are not removed yet.",
     MetricType::kGauge, [](const NamedStats& of) { return Number(of.stats.deleted.items); }},
    {"lapse_deleted_bytes",
     "Size of the items that were deleted with their whole partition key and are not removed yet.", MetricType::kGauge,
     [](const NamedStats& of) { return Number(of.stats.deleted.bytes); }},
    {"lapse_purged_items_total", "Expired items that were purged.", MetricType::kCounter,
     [](const NamedStats& of) { return Number(of.stats.purged.items); }},
    {"lapse_purged_bytes_total", "Size of the expired items that were purged.", MetricType::kCounter,
     [](const NamedStats& of) { return Number(of.stats.purged.bytes); }},
    {"lapse_purge_request_units_total",
     "Request units spent on purging, and on removing items of deleted partition keys.", MetricType::kCounter,
     [](const NamedStats& of) { return Units(of.stats.purge_milli_ru); }},
    {"lapse_request_units_total", "Request units that users spent since the start.", MetricType::kCounter,
     [](const NamedStats& of) { return Units(of.request_units.spent_milli_ru); }},
    {"lapse_throttled_requests_total", "Requests answered with 429 since the start.", MetricType::kCounter,
     [](const NamedStats& of) { return Number(of.request_units.throttled); }},
    {"lapse_request_units_left",
     "Request units left in the present second; of a database's shared throughput, what all its containers have left.",
     MetricType::kGauge,
     [](const NamedStats& of) {
       return of.request_units.left_milli_ru ? Units(*of.request_units.left_milli_ru) : std::nullopt;
     }},
};

std::vector<MetricFamily> Collect(const engine::CatalogView* catalog) {
  StatsOfAll all = ReadStatsOfAll(catalog);
  std::vector<std::string> labels;
  for (const NamedStats& named : all.containers) {
    labels.push_back(MetricLabel("database", named.database) + "," + MetricLabel("container", named.container));
  }
  std::vector<MetricFamily> families;
  for (const StatsFamily& of : kFamilies) {
    MetricFamily& family = families.emplace_back(MetricFamily{.name = of.name, .help = of.help, .type = of.type});
    for (size_t i = 0; i < labels.size(); ++i) {
      if (auto value = of.read(all.containers[i])) family.samples.push_back({labels[i], *value});
    }
  }
  families.push_back({.name = "lapse_containers",
                      .help = "Containers that exist.",
                      .type = MetricType::kGauge,
                      .samples = {{"", static_cast<double>(all.existing)}}});
  families.push_back({.name = "lapse_containers_left_out",
                      .help = "Containers without metrics: beyond the first 500 by name, or not readable now.",
                      .type = MetricType::kGauge,
                      .samples = {{"", static_cast<double>(all.existing - all.containers.size())}}});
  return families;
}

}  // namespace

void AddContainerMetrics(const engine::CatalogView* catalog, const ReadingOptions& reading, MetricsRegistry* metrics) {
  using Families = std::vector<MetricFamily>;
  auto recent = std::make_shared<RecentReading<Families>>([catalog] { return Collect(catalog); }, reading);
  metrics->AddCollector([recent] {
    const RecentReading<Families>::Latest latest = recent->Get();
    Families families;
    if (latest.value != nullptr) families = *latest.value;
    families.push_back({.name = "lapse_container_metrics_age_seconds",
                        .help = "How old the numbers of containers are: 0, unless the disk is slow.",
                        .type = MetricType::kGauge,
                        .samples = {{"", static_cast<double>(latest.age_ms) / 1000}}});
    return families;
  });
}

}  // namespace lapse::api::admin
