#include "api/admin/stats_json.h"

namespace lapse::api::admin {
namespace {

void AppendItemsAndBytes(const engine::Count& count, doc::Writer* writer) {
  writer->AppendInteger("items", count.items);
  writer->AppendInteger("bytes", count.bytes);
}

std::string_view KindName(engine::Throughput::Kind kind) {
  switch (kind) {
    case engine::Throughput::Kind::kNone: return "none";
    case engine::Throughput::Kind::kManual: return "manual";
    case engine::Throughput::Kind::kAutoscale: return "autoscale";
  }
  return "?";
}

}  // namespace

void AppendUnits(std::string_view name, std::optional<int64_t> milli_ru, doc::Writer* writer) {
  if (!milli_ru) return writer->AppendNull(name);
  writer->AppendDouble(name, static_cast<double>(*milli_ru) / 1000);
}

void AppendCount(std::string_view name, const engine::Count& count, doc::Writer* writer) {
  writer->BeginObject(name);
  AppendItemsAndBytes(count, writer);
  writer->End();
}

void AppendDefaultTtl(std::optional<int32_t> default_ttl, doc::Writer* writer) {
  if (default_ttl) {
    writer->AppendInteger("defaultTtl", *default_ttl);
  } else {
    writer->AppendNull("defaultTtl");
  }
}

Status AppendNextExpiry(const engine::Census& census, doc::Writer* writer) {
  LAPSE_ASSIGN_OR_RETURN(const std::optional<int64_t> next_ms, census.NextExpiryMs());
  if (next_ms) {
    writer->AppendInteger("next_expiry", *next_ms / 1000);
  } else {
    writer->AppendNull("next_expiry");
  }
  return Status::Ok();
}

void AppendRequestUnits(const RequestUnitStats& stats, doc::Writer* writer) {
  writer->BeginObject("request_units");
  AppendUnits("spent", stats.spent_milli_ru, writer);
  writer->AppendInteger("throttled", stats.throttled);
  if (stats.provisioned.none()) {
    writer->AppendNull("provisioned");
  } else {
    writer->AppendInteger("provisioned", stats.provisioned.ru_per_second());
  }
  writer->AppendString("kind", KindName(stats.provisioned.kind()));
  writer->AppendBool("shared", stats.shared);
  AppendUnits("left", stats.left_milli_ru, writer);
  AppendUnits("left_over", stats.left_over_milli_ru, writer);
  writer->End();
}

void AppendStats(const ContainerStats& stats, doc::Writer* writer) {
  AppendCount("live", stats.live, writer);
  writer->BeginObject("backlog");
  AppendItemsAndBytes(stats.backlog, writer);
  writer->AppendInteger("oldest_s", stats.oldest_s);
  writer->End();
  AppendCount("deleted", stats.deleted, writer);
  writer->BeginObject("purged");
  AppendItemsAndBytes(stats.purged, writer);
  AppendUnits("ru", stats.purge_milli_ru, writer);
  writer->End();
}

}  // namespace lapse::api::admin
