#include "server/server_metrics.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.h"
#include "server/version.h"

namespace lapse::server {
namespace {

void AddProcessMetrics(MetricsRegistry* metrics) {
  metrics->AddGauge(
      "lapse_build_info", "Always 1; the label says which version runs.", [] { return 1; },
      "version=\"" + std::string(kVersion) + "\"");
  metrics->AddGauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", &ResidentBytes);
  int64_t start_ns = RealSteadyClock().NowNs();
  metrics->AddGauge("lapse_uptime_seconds", "Time since the server was started.",
                    [start_ns] { return (RealSteadyClock().NowNs() - start_ns) / 1'000'000'000; });
}

MetricFamily Gauge(const char* name, const char* help, double value) {
  return {.name = name, .help = help, .type = MetricType::kGauge, .samples = {{"", value}}};
}

std::vector<MetricFamily> StoreFamilies(const StoreReading::Latest& latest) {
  std::vector<MetricFamily> families;
  families.push_back(Gauge("lapse_store_metrics_age_seconds",
                           "How old the numbers of the store are: 0, unless the disk is slow.",
                           static_cast<double>(latest.age_ms) / 1000));
  if (latest.value == nullptr) return families;
  const StoreFigures& figures = *latest.value;
  families.push_back(
      Gauge("lapse_store_disk_bytes", "Files of the store.", static_cast<double>(figures.sizes.disk_bytes)));
  families.push_back(Gauge("lapse_store_memory_bytes", "Write buffers and caches of the store.",
                           static_cast<double>(figures.sizes.memory_bytes)));
  families.push_back(Gauge("lapse_writable", "Whether writes are taken (1) or refused (0); health says why.",
                           figures.writable.ok() ? 1 : 0));
  return families;
}

void AddClockMetrics(engine::StoreClock* clock, MetricsRegistry* metrics) {
  metrics->AddGauge("lapse_store_time_seconds", "The time that expiry is decided by, as Unix time.",
                    [clock] { return clock->ApproximateMs() / 1000; });
  metrics->AddGauge("lapse_clock_held", "Whether the wall clock is too far ahead to be followed (1) or not (0).",
                    [clock] { return clock->held() ? 1 : 0; });
  metrics->AddGauge("lapse_clock_ahead_milliseconds", "How far the wall clock is ahead of store time.",
                    [clock] { return clock->ahead_ms(); });
  metrics->AddCounterOf("lapse_clock_mark_failures_total", "Marks of store time that could not be made durable.",
                        [clock] { return clock->mark_failures(); });
}

}  // namespace

void AddServerMetrics(const MetricSources& sources, MetricsRegistry* metrics) {
  AddProcessMetrics(metrics);
  metrics->AddCollector([store = sources.store] { return StoreFamilies(store->Get()); });
  AddClockMetrics(sources.clock, metrics);
  metrics->AddGauge("lapse_connections", "Open connections.", [http = sources.http] {
    net::HttpServer* server = http->load();
    return server == nullptr ? 0 : server->connections();
  });
  metrics->AddGauge("lapse_request_memory_bytes", "What requests and unsent answers take of --request-memory.",
                    [http = sources.http] {
                      net::HttpServer* server = http->load();
                      return server == nullptr ? 0 : static_cast<int64_t>(server->memory_held());
                    });
}

int64_t ResidentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long long total_pages = 0;
  long long resident_pages = 0;
  int read = std::fscanf(file, "%lld %lld", &total_pages, &resident_pages);
  std::fclose(file);
  return read == 2 ? resident_pages * ::sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace lapse::server
