#include "api/admin/stats_json.h"

namespace lapse::api::admin {
namespace {

void AppendItemsAndBytes(const engine::Count& count, doc::Writer* writer) {
  writer->AppendInteger("items", count.items);
  writer->AppendInteger("bytes", count.bytes);
}

}  // namespace

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

void AppendStats(const ContainerStats& stats, doc::Writer* writer) {
  AppendCount("live", stats.live, writer);
  writer->BeginObject("backlog");
  AppendItemsAndBytes(stats.backlog, writer);
  writer->AppendInteger("oldest_s", stats.oldest_s);
  writer->End();
  AppendCount("deleted", stats.deleted, writer);
  writer->BeginObject("purged");
  AppendItemsAndBytes(stats.purged, writer);
  writer->AppendDouble("ru", static_cast<double>(stats.purge_milli_ru) / 1000);
  writer->End();
}

}  // namespace lapse::api::admin
