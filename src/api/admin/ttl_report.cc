#include "api/admin/ttl_report.h"

#include <charconv>
#include <memory>
#include <utility>

#include "api/admin/container_stats.h"
#include "api/admin/stats_json.h"
#include "doc/writer.h"
#include "engine/commit/partition.h"
#include "engine/expiry/census.h"
#include "ttl/ttl_value.h"

namespace lapse::api::admin {
namespace {

struct Horizon {
  std::string_view name;
  int64_t ms;
};

constexpr int64_t kMinute_ms = 60'000;
constexpr int64_t kHour_ms = 60 * kMinute_ms;
constexpr int64_t kDay_ms = 24 * kHour_ms;
constexpr Horizon kHorizons[] = {
    {"minute", kMinute_ms}, {"hour", kHour_ms}, {"day", kDay_ms}, {"week", 7 * kDay_ms}, {"month", 30 * kDay_ms},
};

Status Invalid(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

Result<std::string> Decode(std::string_view text) {
  std::string decoded;
  if (!net::PercentDecode(text, &decoded)) return Invalid("malformed percent-encoding");
  return decoded;
}

Result<TtlQuestion::WhatIf> ParseWhatIf(std::string_view text) {
  if (text == "off" || text == "null") return TtlQuestion::WhatIf{};
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // As it is written everywhere: without leading zeros.
  bool is_whole = error == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
  std::optional<int32_t> default_ttl = ttl::ParseTtl(is_whole ? std::optional(number) : std::nullopt);
  if (!default_ttl) return Invalid("defaultTtl must be -1, 1 to 2147483647, or off");
  return TtlQuestion::WhatIf{default_ttl};
}

Result<std::optional<TtlQuestion::WhatIf>> ParseQuery(std::string_view query) {
  constexpr std::string_view kParameter = "defaultTtl=";
  if (query.empty()) return std::optional<TtlQuestion::WhatIf>();
  if (!query.starts_with(kParameter) || query.find('&') != std::string_view::npos)
    return Invalid("the only parameter is defaultTtl, given once");
  LAPSE_ASSIGN_OR_RETURN(std::string value, Decode(query.substr(kParameter.size())));
  LAPSE_ASSIGN_OR_RETURN(TtlQuestion::WhatIf what_if, ParseWhatIf(value));
  return std::optional(what_if);
}

std::string RuleName(ttl::RuleId rule) {
  switch (rule) {
    case ttl::kInheritRule: return "inherit";
    case ttl::kOwnRule: return "own";
    default: return "date " + std::to_string(rule);
  }
}

// What stays dead, and per partition how far the sweeper got.
void AppendFloors(const engine::Container& container, const engine::ContainerState& state, doc::Writer* writer) {
  int number = 0;
  auto append = [&](const ttl::Floors::Entry& entry, engine::PartitionNumber partition) {
    writer->BeginObject(std::to_string(number++));
    writer->AppendString("partition", std::to_string(partition));
    writer->AppendString("rule", RuleName(entry.rule));
    writer->AppendInteger("base_ms", entry.floor.base_ms);
    writer->AppendInteger("sequence", static_cast<int64_t>(entry.floor.sequence));
    writer->End();
  };
  writer->BeginObject("floors");
  writer->BeginArray("dead");
  for (const engine::PartitionPolicy& numbers : state.by_partition) {
    for (const ttl::Floors::Entry& entry : numbers.dead.entries()) append(entry, numbers.partition);
  }
  writer->End();
  writer->BeginArray("purged");
  number = 0;
  for (const auto& partition : container.partitions()) {
    std::shared_ptr<const ttl::Floors> purged = partition->purged_floors();
    for (const ttl::Floors::Entry& entry : purged->entries()) append(entry, partition->number());
  }
  writer->End();
  writer->End();
}

Status AppendForecast(const engine::Census& census, doc::Writer* writer) {
  writer->BeginObject("forecast");
  for (const Horizon& horizon : kHorizons) {
    LAPSE_ASSIGN_OR_RETURN(engine::Count expiring, census.ExpiringUntil(census.now_ms() + horizon.ms));
    AppendCount(horizon.name, expiring, writer);
  }
  writer->End();
  return Status::Ok();
}

Status AppendWhatIf(const engine::Census& census, const TtlQuestion::WhatIf& what_if, doc::Writer* writer) {
  LAPSE_ASSIGN_OR_RETURN(engine::Count expiring, census.ExpiringUnder(what_if.default_ttl));
  writer->BeginObject("would_expire");
  AppendDefaultTtl(what_if.default_ttl, writer);
  writer->AppendInteger("items", expiring.items);
  writer->AppendInteger("bytes", expiring.bytes);
  writer->End();
  return Status::Ok();
}

}  // namespace

Result<TtlQuestion> ParseTtlQuestion(std::string_view path, std::string_view query) {
  size_t slash = path.find('/');
  bool names_container = slash != std::string_view::npos && slash > 0 && slash + 1 < path.size() &&
                         path.find('/', slash + 1) == std::string_view::npos;
  if (!names_container) return Status(Code::kNotFound, "the route is /_lapse/ttl/{database}/{container}");
  TtlQuestion question;
  LAPSE_ASSIGN_OR_RETURN(question.database, Decode(path.substr(0, slash)));
  LAPSE_ASSIGN_OR_RETURN(question.container, Decode(path.substr(slash + 1)));
  LAPSE_ASSIGN_OR_RETURN(question.what_if, ParseQuery(query));
  return question;
}

Result<std::string> ReportTtl(const TtlQuestion& question, bool clock_held, engine::Catalog* catalog) {
  LAPSE_ASSIGN_OR_RETURN(engine::ContainerPtr container, catalog->FindContainer(question.database, question.container));
  std::shared_ptr<const engine::ContainerState> state = container->state();
  engine::Census census = container->TakeCensus();
  LAPSE_ASSIGN_OR_RETURN(ContainerStats stats, ReadStats(census));

  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("database", question.database);
  writer.AppendString("container", question.container);
  writer.AppendInteger("now", census.now_ms() / 1000);
  writer.AppendBool("clock_held", clock_held);
  writer.BeginObject("policy");
  AppendDefaultTtl(state->policy.default_ttl, &writer);
  writer.End();
  AppendFloors(*container, *state, &writer);
  AppendStats(stats, &writer);
  LAPSE_RETURN_IF_ERROR(AppendForecast(census, &writer));
  if (question.what_if) LAPSE_RETURN_IF_ERROR(AppendWhatIf(census, *question.what_if, &writer));
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
