// The numbers that belong to no layer below: the process, the store's size, the clock, the connections.
#pragma once

#include <atomic>

#include "base/metrics.h"
#include "base/recent_reading.h"
#include "base/status.h"
#include "engine/time/store_clock.h"
#include "net/http_server.h"
#include "store/shard.h"

namespace lapse::server {

// What the store says about itself. Asking it may take as long as the disk does.
struct StoreFigures {
  Status writable;  // ok, or why writes are refused
  store::ShardStats sizes;
};
using StoreReading = RecentReading<StoreFigures>;

struct MetricSources {
  StoreReading* store = nullptr;
  engine::StoreClock* clock = nullptr;
  const std::atomic<net::HttpServer*>* http = nullptr;  // points to null while nobody listens
};

// The sources must live as long as anybody reads the registry. Reading never waits for a disk that hangs: the numbers
// of the store are then the last ones, with their age beside them.
void AddServerMetrics(const MetricSources& sources, MetricsRegistry* metrics);

// Memory of this process that is in RAM; 0 where the system does not say.
int64_t ResidentBytes();

}  // namespace lapse::server
