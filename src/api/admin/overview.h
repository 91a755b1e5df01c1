// GET /_lapse/overview: the whole server at a glance. Reads no item, no count of items and no disk.
#pragma once

#include <string>
#include <string_view>

#include "api/admin/report_moment.h"
#include "api/admin/server_figures.h"
#include "api/admin/store_health.h"
#include "api/request_figures.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/time/store_clock.h"

namespace lapse::api::admin {

struct OverviewParts {
  ReportMoment moment;
  std::string_view version;
  std::string_view status;  // "serving"
  StoreHealth store;
  RequestFigures requests;
  ServerFigures server;
};

// Returns the response as BSON.
std::string ReportOverview(const OverviewParts& parts, const engine::StoreClock& clock,
                           const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
