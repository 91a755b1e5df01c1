#include "server/client/reports.h"

#include "doc/json.h"
#include "doc/value.h"
#include "server/client/human.h"

namespace lapse::server::client {
namespace {

constexpr doc::JsonLimits kLimits = {.depth_max = 8, .bytes_max = 64 << 20};

// Returns an empty document if there is no such object.
std::string_view Object(std::string_view document, std::string_view name) {
  constexpr std::string_view kEmpty("\5\0\0\0\0", 5);
  doc::Value value = doc::Find(document, name);
  return value.type() == doc::Type::kObject ? value.AsDocument() : kEmpty;
}

double Number(std::string_view document, std::string_view name) {
  doc::Value value = doc::Find(document, name);
  return value.IsNumber() ? value.AsDouble() : 0;
}

std::optional<int64_t> Whole(std::string_view document, std::string_view name) {
  doc::Value value = doc::Find(document, name);
  return value.IsNumber() ? value.AsWholeNumber() : std::nullopt;
}

std::string Text(std::string_view document, std::string_view name) {
  doc::Value value = doc::Find(document, name);
  return value.type() == doc::Type::kString ? Printable(value.AsString()) : "?";
}

bool IsTrue(std::string_view document, std::string_view name) {
  doc::Value value = doc::Find(document, name);
  return value.type() == doc::Type::kBool && value.AsBool();
}

Amount AmountIn(std::string_view object) {
  return {.items = Whole(object, "items").value_or(0), .bytes = Whole(object, "bytes").value_or(0)};
}

ContainerReport Container(std::string_view document, std::optional<int64_t> default_ttl) {
  ContainerReport report;
  report.name = Text(document, "database") + "/" + Text(document, "container");
  report.default_ttl = default_ttl;
  report.live = AmountIn(Object(document, "live"));
  report.backlog = AmountIn(Object(document, "backlog"));
  report.oldest_s = Whole(Object(document, "backlog"), "oldest_s").value_or(0);
  report.purged = AmountIn(Object(document, "purged"));
  report.purge_units = Number(Object(document, "purged"), "ru");
  return report;
}

std::vector<int64_t> Numbers(std::string_view document, std::string_view name) {
  std::vector<int64_t> numbers;
  doc::Value array = doc::Find(document, name);
  if (array.type() != doc::Type::kArray) return numbers;
  doc::Reader elements(array.AsDocument());
  while (std::optional<doc::Element> element = elements.Next()) {
    numbers.push_back(element->value.IsNumber() ? element->value.AsWholeNumber().value_or(0) : 0);
  }
  return numbers;
}

TtlReport::Series SeriesIn(std::string_view object) {
  TtlReport::Series series;
  series.from_s = Whole(object, "from").value_or(0);
  series.step_s = Whole(object, "step_s").value_or(0);
  const std::vector<int64_t> bytes = Numbers(object, "bytes");
  for (int64_t items : Numbers(object, "items")) {
    const size_t i = series.steps.size();
    series.steps.push_back({items, i < bytes.size() ? bytes[i] : 0});
  }
  series.later = AmountIn(Object(object, "later"));
  series.never = AmountIn(Object(object, "never"));
  return series;
}

std::vector<OverviewReport::Operation> OperationsIn(std::string_view latency) {
  std::vector<OverviewReport::Operation> operations;
  doc::Value array = doc::Find(latency, "operations");
  if (array.type() != doc::Type::kArray) return operations;
  doc::Reader elements(array.AsDocument());
  while (std::optional<doc::Element> element = elements.Next()) {
    if (element->value.type() != doc::Type::kObject) continue;
    std::string_view one = element->value.AsDocument();
    const int64_t count = Whole(one, "count").value_or(0);
    if (count == 0) continue;
    operations.push_back({Text(one, "operation"), count, Number(one, "p50_ms"), Number(one, "p90_ms"),
                          Number(one, "p99_ms"), Number(one, "p999_ms")});
  }
  return operations;
}

std::vector<std::string> Texts(doc::Value list) {
  std::vector<std::string> texts;
  if (list.type() != doc::Type::kArray) return texts;
  doc::Reader reader(list.AsDocument());
  while (std::optional<doc::Element> element = reader.Next()) {
    if (element->value.type() == doc::Type::kString) texts.push_back(Printable(element->value.AsString()));
  }
  return texts;
}

// `member` identifies a response of this kind.
Result<std::string> Parse(std::string_view json, std::string_view member, doc::Type type) {
  std::string document;
  if (!doc::JsonToBson(json, kLimits, &document).ok() || doc::Find(document, member).type() != type) {
    return Status(Code::kInternal, "the server's answer is not understood: is it another version?");
  }
  return document;
}

}  // namespace

Result<StatsReport> ParseStatsReport(std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, Parse(json, "containers", doc::Type::kArray));
  StatsReport report;
  report.now_s = Whole(document, "now").value_or(0);
  report.clock_held = IsTrue(document, "clock_held");
  report.left_out = Whole(document, "left_out").value_or(0);
  if (doc::Value next = doc::Find(document, "next"); next.type() == doc::Type::kString) report.next = next.AsString();
  doc::Reader containers(doc::Find(document, "containers").AsDocument());
  while (std::optional<doc::Element> element = containers.Next()) {
    if (element->value.type() != doc::Type::kObject) continue;
    std::string_view container = element->value.AsDocument();
    report.containers.push_back(Container(container, Whole(container, "defaultTtl")));
  }
  return report;
}

Result<TtlReport> ParseTtlReport(std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, Parse(json, "policy", doc::Type::kObject));
  TtlReport report;
  report.now_s = Whole(document, "now").value_or(0);
  report.clock_held = IsTrue(document, "clock_held");
  report.container = Container(document, Whole(Object(document, "policy"), "defaultTtl"));
  std::string_view forecast = Object(document, "forecast");
  report.minute = AmountIn(Object(forecast, "minute"));
  report.hour = AmountIn(Object(forecast, "hour"));
  report.day = AmountIn(Object(forecast, "day"));
  report.week = AmountIn(Object(forecast, "week"));
  report.month = AmountIn(Object(forecast, "month"));
  if (doc::Find(document, "would_expire").type() == doc::Type::kObject) {
    std::string_view what_if = Object(document, "would_expire");
    report.what_if =
        TtlReport::WhatIf{Whole(what_if, "defaultTtl"), AmountIn(what_if), AmountIn(Object(document, "would_change"))};
  }
  if (doc::Find(document, "series").type() == doc::Type::kObject) report.series = SeriesIn(Object(document, "series"));
  return report;
}

Result<OverviewReport> ParseOverviewReport(std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, Parse(json, "latency", doc::Type::kObject));
  OverviewReport report;
  report.now_s = Whole(document, "now").value_or(0);
  report.clock_held = IsTrue(Object(document, "clock"), "held");
  report.uptime_s = Whole(document, "uptime_ms").value_or(0) / 1000;
  report.status = Text(document, "status");
  report.version = Text(document, "version");
  report.writes = Text(document, "writes");
  if (!doc::Find(document, "reason").missing()) report.reason = Text(document, "reason");
  report.databases = Whole(document, "databases").value_or(0);
  report.containers = Whole(document, "containers").value_or(0);
  std::string_view requests = Object(document, "requests");
  report.answered = Whole(requests, "answered").value_or(0);
  report.server_errors = Whole(Object(requests, "by_status"), "5xx").value_or(0);
  report.throttled = Whole(requests, "throttled").value_or(0);
  std::string_view units = Object(document, "request_units");
  report.spent_units = Number(units, "spent");
  report.provisioned = Whole(units, "provisioned");
  report.operations = OperationsIn(Object(document, "latency"));
  std::string_view storage = Object(document, "storage");
  report.disk_bytes = Whole(storage, "disk_bytes").value_or(0);
  report.store_memory_bytes = Whole(storage, "memory_bytes").value_or(0);
  std::string_view memory = Object(document, "memory");
  report.resident_bytes = Whole(memory, "resident_bytes").value_or(0);
  report.request_bytes = Whole(memory, "request_bytes").value_or(0);
  report.request_bytes_max = Whole(memory, "request_bytes_max").value_or(0);
  report.connections = Whole(document, "connections").value_or(0);
  return report;
}

Result<HealthReport> ParseHealthReport(std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, Parse(json, "healthy", doc::Type::kBool));
  HealthReport report;
  report.status = Text(document, "status");
  report.version = Text(document, "version");
  report.writes = Text(document, "writes");
  if (!doc::Find(document, "reason").missing()) report.reason = Text(document, "reason");
  std::string_view clock = Object(document, "clock");
  report.clock_held = IsTrue(clock, "held");
  report.test_clock = IsTrue(clock, "test");
  report.ahead_ms = Whole(clock, "ahead_ms").value_or(0);
  return report;
}

Result<ExplanationReport> ParseExplanation(std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, Parse(json, "plan", doc::Type::kString));
  ExplanationReport report;
  report.plan = Text(document, "plan");
  report.conditions = Text(document, "conditions");
  report.found_by = Text(document, "found_by");
  report.indexed = Texts(doc::Find(document, "indexed"));
  report.not_indexed = Texts(doc::Find(document, "not_indexed"));
  if (doc::Find(document, "composite").type() == doc::Type::kArray) {
    doc::Reader composites(doc::Find(document, "composite").AsDocument());
    while (std::optional<doc::Element> element = composites.Next()) {
      std::string parts;
      for (const std::string& part : Texts(element->value)) parts += (parts.empty() ? "" : ", ") + part;
      report.composites.push_back(std::move(parts));
    }
  }
  report.spatial = Texts(doc::Find(document, "spatial"));
  return report;
}

}  // namespace lapse::server::client
