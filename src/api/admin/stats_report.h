// GET /_lapse/stats: the numbers of all containers, for an overview.
#pragma once

#include <cstdint>
#include <string>

#include "engine/catalog/catalog.h"

namespace lapse::api::admin {

// The answer as BSON: the first 500 containers by name, and how many others there are. May read the disk.
std::string ReportStats(int64_t now_s, bool clock_held, engine::Catalog* catalog);

}  // namespace lapse::api::admin
