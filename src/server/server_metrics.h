// The numbers that belong to no layer below: the process, the store's size, the clock, the connections.
#pragma once

#include <atomic>

#include "base/metrics.h"
#include "engine/time/store_clock.h"
#include "net/http_server.h"
#include "store/shard.h"

namespace lapse::server {

struct MetricSources {
  store::Shard* shard = nullptr;
  engine::StoreClock* clock = nullptr;
  const std::atomic<net::HttpServer*>* http = nullptr;  // points to null while nobody listens
};

// The sources must live as long as anybody reads the registry. Reading may block on the disk.
void AddServerMetrics(const MetricSources& sources, MetricsRegistry* metrics);

// Memory of this process that is in RAM; 0 where the system does not say.
int64_t ResidentBytes();

}  // namespace lapse::server
