// The metrics of containers, read from the engine whenever somebody scrapes.
#pragma once

#include "base/metrics.h"
#include "engine/catalog/catalog.h"

namespace lapse::api::admin {

// With the labels database and container, for the first 500 containers by name. The catalog must live as long as
// anybody reads the registry. Reading may block on the disk.
void AddContainerMetrics(engine::Catalog* catalog, MetricsRegistry* metrics);

}  // namespace lapse::api::admin
