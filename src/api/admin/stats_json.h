// Members that several reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/admin/container_stats.h"
#include "base/status.h"
#include "doc/writer.h"
#include "engine/catalog/counts/census.h"
#include "engine/records/ids/count.h"

namespace lapse::api::admin {

// Appends request units, converted from thousandths, or null if there are none.
void AppendUnits(std::string_view name, std::optional<int64_t> milli_ru, doc::Writer* writer);
// {"items": n, "bytes": n}
void AppendCount(std::string_view name, const engine::Count& count, doc::Writer* writer);
// "defaultTtl": seconds, -1, or null while TTL is off.
void AppendDefaultTtl(std::optional<int32_t> default_ttl, doc::Writer* writer);
// "next_expiry": the second in which the next live item expires, or null. May read the disk.
Status AppendNextExpiry(const engine::Census& census, doc::Writer* writer);
// "request_units": {...}
void AppendRequestUnits(const RequestUnitStats& stats, doc::Writer* writer);
// "live", "backlog" and "purged".
void AppendStats(const ContainerStats& stats, doc::Writer* writer);

}  // namespace lapse::api::admin
