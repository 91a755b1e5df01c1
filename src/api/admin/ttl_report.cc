#include "api/admin/ttl_report.h"

#include <memory>
#include <utility>

#include "api/admin/container_stats.h"
#include "api/admin/parameters.h"
#include "api/admin/stats_json.h"
#include "api/invalid.h"
#include "doc/writer.h"
#include "engine/catalog/counts/census.h"
#include "engine/shard/partitions/partition.h"
#include "ttl/ttl_value.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kTtlParameters[] = {"database", "container", "defaultTtl", "forecast"};

// The length of a forecast, and the steps of its series.
struct Horizon {
  std::string_view name;
  engine::ForecastSteps steps;

  int64_t ms() const { return steps.step_s * static_cast<int64_t>(steps.count) * 1000; }
};

constexpr Horizon kHorizons[] = {
    {"minute", {.step_s = 1, .count = 60}},        {"hour", {.step_s = 60, .count = 60}},
    {"day", {.step_s = 15 * 60, .count = 96}},     {"week", {.step_s = 2 * 3600, .count = 84}},
    {"month", {.step_s = 6 * 3600, .count = 120}},
};

Result<TtlQuestion::WhatIf> ParseWhatIf(const std::string& text) {
  if (text == "off" || text == "null") return TtlQuestion::WhatIf{};
  std::optional<int32_t> default_ttl = ttl::ParseTtl(ParseWholeNumber(text));
  if (!default_ttl) return Invalid("defaultTtl must be -1, 1 to 2147483647, or off");
  return TtlQuestion::WhatIf{default_ttl};
}

Result<const Horizon*> FindHorizon(std::string_view name) {
  for (const Horizon& horizon : kHorizons) {
    if (horizon.name == name) return &horizon;
  }
  return Invalid("forecast must be minute, hour, day, week or month");
}

std::string RuleName(ttl::RuleId rule) {
  switch (rule) {
    case ttl::kInheritRule: return "inherit";
    case ttl::kOwnRule: return "own";
    default: return "date " + std::to_string(rule);
  }
}

// Appends what stays dead, and how far the sweeper has got in each partition.
void AppendFloors(const engine::Container& container, doc::Writer* writer) {
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
  for (const auto& partition : container.partitions()) {
    const std::shared_ptr<const engine::PartitionFloors> floors = partition->floors();
    for (const ttl::Floors::Entry& entry : floors->policy.dead.entries()) append(entry, partition->number());
  }
  writer->End();
  writer->BeginArray("purged");
  number = 0;
  for (const auto& partition : container.partitions()) {
    const std::shared_ptr<const engine::PartitionFloors> floors = partition->floors();
    for (const ttl::Floors::Entry& entry : floors->purged.entries()) append(entry, partition->number());
  }
  writer->End();
  writer->End();
}

Status AppendForecast(const engine::Census& census, doc::Writer* writer) {
  writer->BeginObject("forecast");
  for (const Horizon& horizon : kHorizons) {
    LAPSE_ASSIGN_OR_RETURN(engine::Count expiring, census.ExpiringUntil(census.now_ms() + horizon.ms()));
    AppendCount(horizon.name, expiring, writer);
  }
  writer->End();
  return Status::Ok();
}

void AppendSeries(std::string_view name, const Horizon& horizon, const engine::Forecast& forecast,
                  doc::Writer* writer) {
  auto append_steps = [&](std::string_view member, int64_t engine::Count::*part) {
    writer->BeginArray(member);
    for (size_t i = 0; i < forecast.steps.size(); ++i)
      writer->AppendInteger(std::to_string(i), forecast.steps[i].*part);
    writer->End();
  };
  writer->BeginObject(name);
  writer->AppendString("horizon", horizon.name);
  writer->AppendInteger("from", forecast.from_s);
  writer->AppendInteger("step_s", horizon.steps.step_s);
  writer->AppendInteger("steps", static_cast<int64_t>(horizon.steps.count));
  append_steps("items", &engine::Count::items);
  append_steps("bytes", &engine::Count::bytes);
  AppendCount("later", forecast.later, writer);
  AppendCount("never", forecast.never, writer);
  writer->End();
}

void AppendWould(std::string_view name, const TtlQuestion::WhatIf& what_if, const engine::Count& count,
                 doc::Writer* writer) {
  writer->BeginObject(name);
  AppendDefaultTtl(what_if.default_ttl, writer);
  writer->AppendInteger("items", count.items);
  writer->AppendInteger("bytes", count.bytes);
  writer->End();
}

Status AppendWhatIf(const engine::Census& census, const TtlQuestion::WhatIf& what_if, doc::Writer* writer) {
  LAPSE_ASSIGN_OR_RETURN(const engine::Count expiring, census.ExpiringUnder(what_if.default_ttl));
  LAPSE_ASSIGN_OR_RETURN(const engine::Count changing, census.ChangingUnder(what_if.default_ttl));
  AppendWould("would_expire", what_if, expiring, writer);
  AppendWould("would_change", what_if, changing, writer);
  return Status::Ok();
}

// Appends what the request asks for beyond the common part of every response.
Status AppendAsked(const TtlQuestion& question, const engine::Census& census, doc::Writer* writer) {
  if (question.what_if) LAPSE_RETURN_IF_ERROR(AppendWhatIf(census, *question.what_if, writer));
  if (question.horizon.empty()) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(const Horizon* horizon, FindHorizon(question.horizon));
  LAPSE_ASSIGN_OR_RETURN(const engine::Forecast present, census.ForecastBy(horizon->steps));
  AppendSeries("series", *horizon, present, writer);
  if (!question.what_if) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(const engine::Forecast after,
                         census.ForecastUnder(question.what_if->default_ttl, horizon->steps));
  AppendSeries("series_after", *horizon, after, writer);
  return Status::Ok();
}

// Reads the names from the path, or from the parameters if there is none.
Status ReadNames(std::string_view path, const Parameters& parameters, TtlQuestion* question) {
  const std::optional<std::string> database = parameters.Find("database");
  const std::optional<std::string> container = parameters.Find("container");
  if (path.empty() && database && container) {
    question->database = *database;
    question->container = *container;
    return Status::Ok();
  }
  if (!path.empty() && (database || container)) return Invalid("the path names the container, and so does a parameter");
  const size_t slash = path.find('/');
  const bool names_container = slash != std::string_view::npos && slash > 0 && slash + 1 < path.size() &&
                               path.find('/', slash + 1) == std::string_view::npos;
  if (!names_container) {
    return {Code::kNotFound,
            "the route is /_lapse/ttl/{database}/{container} or /_lapse/ttl?database={database}&container={container}"};
  }
  LAPSE_ASSIGN_OR_RETURN(question->database, PercentDecoded(path.substr(0, slash)));
  LAPSE_ASSIGN_OR_RETURN(question->container, PercentDecoded(path.substr(slash + 1)));
  return Status::Ok();
}

}  // namespace

Result<TtlQuestion> ParseTtlQuestion(std::string_view path, std::string_view query) {
  TtlQuestion question;
  LAPSE_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(query, kTtlParameters));
  LAPSE_RETURN_IF_ERROR(ReadNames(path, parameters, &question));
  if (const auto default_ttl = parameters.Find("defaultTtl")) {
    LAPSE_ASSIGN_OR_RETURN(question.what_if, ParseWhatIf(*default_ttl));
  }
  if (const auto forecast = parameters.Find("forecast")) {
    LAPSE_ASSIGN_OR_RETURN(const Horizon* horizon, FindHorizon(*forecast));
    question.horizon = horizon->name;
  }
  return question;
}

Result<std::string> ReportTtl(const TtlQuestion& question, ReportMoment moment, const engine::CatalogView* catalog) {
  LAPSE_ASSIGN_OR_RETURN(engine::DatabasePtr database, catalog->FindDatabase(question.database));
  LAPSE_ASSIGN_OR_RETURN(engine::ContainerPtr container, catalog->FindContainer(question.database, question.container));
  std::shared_ptr<const engine::ContainerState> state = container->state();
  engine::Census census = engine::Census(*container);
  LAPSE_ASSIGN_OR_RETURN(ContainerStats stats, ReadStats(census));

  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("database", question.database);
  writer.AppendString("container", question.container);
  moment.now_ms = census.now_ms();
  AppendMoment(moment, &writer);
  writer.AppendBool("clock_held", moment.clock_held);
  writer.BeginObject("policy");
  AppendDefaultTtl(state->policy.default_ttl, &writer);
  writer.End();
  AppendFloors(*container, &writer);
  AppendStats(stats, &writer);
  LAPSE_RETURN_IF_ERROR(AppendForecast(census, &writer));
  LAPSE_RETURN_IF_ERROR(AppendNextExpiry(census, &writer));
  AppendRequestUnits(ReadRequestUnits(*container, database.get()), &writer);
  LAPSE_RETURN_IF_ERROR(AppendAsked(question, census, &writer));
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
