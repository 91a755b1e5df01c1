// The members that the reports about containers share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/admin/container_stats.h"
#include "doc/writer.h"
#include "engine/count.h"

namespace lapse::api::admin {

// {"items": n, "bytes": n}
void AppendCount(std::string_view name, const engine::Count& count, doc::Writer* writer);
// "defaultTtl": seconds, -1, or null while TTL is off.
void AppendDefaultTtl(std::optional<int32_t> default_ttl, doc::Writer* writer);
// "live", "backlog" and "purged".
void AppendStats(const ContainerStats& stats, doc::Writer* writer);

}  // namespace lapse::api::admin
