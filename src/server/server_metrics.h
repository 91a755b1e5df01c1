// Metrics that belong to no layer below: the process, the store's size, the clock, the connections.
#pragma once

#include <atomic>

#include "base/metrics.h"
#include "base/recent_reading.h"
#include "base/status.h"
#include "engine/time/store_clock.h"
#include "net/http_server.h"
#include "store/shard.h"

namespace lapse::server {

// What the store reports about itself. Reading it may take as long as the disk does.
struct StoreFigures {
  Status writable;  // ok, or why writes are refused
  store::ShardStats sizes;
};
using StoreReading = RecentReading<StoreFigures>;

struct MetricSources {
  StoreReading* store = nullptr;
  engine::StoreClock* clock = nullptr;
  const std::atomic<net::HttpServer*>* http = nullptr;  // points to null while the server does not listen
};

// The sources must outlive the last read of the registry. A read never waits for a disk that hangs: the store's numbers
// are then the last ones, with their age beside them.
void AddServerMetrics(const MetricSources& sources, MetricsRegistry* metrics);

// Returns this process's resident memory, or 0 if the system does not tell.
int64_t ResidentBytes();

}  // namespace lapse::server
