// The metrics of containers, read from the engine whenever somebody scrapes. A scrape never waits for a disk that
// hangs: it shows the last numbers, and how old they are.
#pragma once

#include "base/metrics.h"
#include "base/recent_reading.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::admin {

// With the labels database and container, for the first 500 containers by name. The catalog must live as long as
// anybody reads the registry; the registry as long as the executor works.
void AddContainerMetrics(const engine::CatalogView* catalog, const ReadingOptions& reading, MetricsRegistry* metrics);

}  // namespace lapse::api::admin
