// The metrics of containers, read from the engine at each scrape. A scrape never waits for a disk that hangs: it
// returns the last numbers and their age.
#pragma once

#include "base/metrics.h"
#include "base/recent_reading.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::admin {

// Adds metrics with the labels database and container, for the first 500 containers by name. The catalog must outlive
// the last read of the registry, and the registry must outlive the work of the executor.
void AddContainerMetrics(const engine::CatalogView* catalog, const ReadingOptions& reading, MetricsRegistry* metrics);

}  // namespace lapse::api::admin
