#include "api/admin/admin_api.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "api/admin/access.h"
#include "api/admin/answer.h"
#include "api/admin/clock_command.h"
#include "api/admin/explain_query.h"
#include "api/admin/overview.h"
#include "api/admin/parameters.h"
#include "api/admin/stats_report.h"
#include "api/admin/ttl_report.h"
#include "base/log.h"
#include "doc/json.h"
#include "doc/value.h"
#include "doc/writer.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kAdminPrefix = "/_lapse/";
constexpr std::string_view kCertificatePath = "/_explorer/emulator.pem";
constexpr std::string_view kTtlPath = "/_lapse/ttl";
constexpr std::string_view kTtlPrefix = "/_lapse/ttl/";

std::string_view PhaseName(AdminApi::Phase phase) {
  switch (phase) {
    case AdminApi::Phase::kStarting: return "starting";
    case AdminApi::Phase::kServing: return "serving";
    case AdminApi::Phase::kStopping: return "stopping";
  }
  return "?";
}

// Checks a body where none is expected: it must be empty, or an empty object.
Status CheckEmpty(std::string_view body) {
  if (body.empty()) return Status::Ok();
  std::string document;
  LAPSE_RETURN_IF_ERROR(doc::JsonToBson(body, {.depth_max = 2, .bytes_max = 4096}, &document));
  if (!doc::Reader(document).Next()) return Status::Ok();
  return {Code::kInvalidArgument, "takes no members"};
}

void RunOn(Executor* executor, net::Responder responder, std::function<void(net::Responder)> work) {
  // std::function requires a copyable callable, but a responder can only be moved.
  auto held = std::make_shared<net::Responder>(std::move(responder));
  executor->Run([held, work = std::move(work)] { work(std::move(*held)); });
}

Status TestClockOnly() {
  return {Code::kForbidden, "the server was not started with --test-clock"};
}

}  // namespace

struct AdminApi::Route {
  std::string_view path;  // with a trailing slash: it and everything below it
  Method get = nullptr;
  Method post = nullptr;
  bool is_public = false;
  KeyRule post_key = KeyRule::kAlways;  // changes require the key, unless the route says otherwise
};

AdminApi::AdminApi(AdminOptions options)
    : options_(std::move(options)), start_ns_(options_.steady->NowNs()), keys_(options_.keys) {}

bool AdminApi::Owns(std::string_view path) {
  return path.starts_with(kAdminPrefix) || path == kCertificatePath;
}

const AdminApi::Route* AdminApi::FindRoute(std::string_view path) {
  static constexpr std::array<Route, 12> kRoutes = {{
      {.path = "/_lapse/health", .get = &AdminApi::Health},
      {.path = "/_lapse/access", .get = &AdminApi::Access},
      {.path = "/_lapse/metrics", .get = &AdminApi::Metrics},
      {.path = "/_lapse/overview", .get = &AdminApi::Overview},
      {.path = "/_lapse/stats", .get = &AdminApi::Stats},
      {.path = kTtlPath, .get = &AdminApi::Ttl},
      {.path = kTtlPrefix, .get = &AdminApi::Ttl},
      {.path = "/_lapse/clock",
       .get = &AdminApi::ReadClock,
       .post = &AdminApi::MoveClock,
       .post_key = KeyRule::kElsewhere},
      {.path = "/_lapse/clock/accept", .post = &AdminApi::AcceptClock},
      {.path = "/_lapse/explain", .post = &AdminApi::Explain, .post_key = KeyRule::kElsewhere},
      {.path = "/_lapse/keys/reload", .post = &AdminApi::ReloadKeys},
      {.path = kCertificatePath, .get = &AdminApi::Certificate, .is_public = true},
  }};
  for (const Route& route : kRoutes) {
    bool matches = route.path.ends_with('/') ? path.starts_with(route.path) : path == route.path;
    if (matches) return &route;
  }
  return nullptr;
}

AdminApi::Method AdminApi::Judge(const net::Request& head, net::Responder* responder) const {
  const Route* route = FindRoute(head.path);
  if (route == nullptr || !route->is_public) {
    const bool changes = route != nullptr && route->post != nullptr && head.method != "GET";
    Status allowed =
        CheckAccess(head, keys_.get(), options_.key_checks, changes ? route->post_key : KeyRule::kElsewhere);
    if (!allowed.ok()) {
      SendError(allowed, std::move(*responder));
      return nullptr;
    }
  }
  if (route == nullptr) {
    SendError({Code::kNotFound, "no such admin route"}, std::move(*responder));
    return nullptr;
  }

  bool is_post = head.method == "POST";
  Method method = is_post ? route->post : head.method == "GET" ? route->get : nullptr;
  if (method == nullptr) {
    std::string_view allowed = !route->get ? "POST" : route->post ? "GET, POST" : "GET";
    responder->response().AddHeader("Allow", allowed);
    SendError(405, "MethodNotAllowed", "the verbs of this route are: " + std::string(allowed), std::move(*responder));
    return nullptr;
  }
  // A page of another site can make a browser POST plain text or a form without permission, but not JSON.
  if (is_post && !IsJsonContentType(head.Header("content-type"))) {
    SendError(415, "UnsupportedMediaType", "POST with Content-Type: application/json", std::move(*responder));
    return nullptr;
  }
  return method;
}

bool AdminApi::Admit(const net::Request& head, net::Response& refusal) {
  net::Responder responder = net::Responder::Into(&refusal);
  const bool wanted = Judge(head, &responder) != nullptr;
  if (wanted) responder.Send();  // no error: `refusal` is unchanged
  return wanted;
}

void AdminApi::Handle(const net::Request& request, net::Responder responder) {
  if (Method method = Judge(request, &responder)) (this->*method)(request, std::move(responder));
}

void AdminApi::RunBlocking(net::Responder responder, std::function<void(net::Responder)> work) const {
  RunOn(options_.blocking, std::move(responder), std::move(work));
}

void AdminApi::RunChange(net::Responder responder, std::function<void(net::Responder)> work) const {
  RunOn(options_.changing, std::move(responder), std::move(work));
}

void AdminApi::RunAnswering(net::Responder responder, std::function<void(net::Responder)> work) const {
  RunOn(options_.answering, std::move(responder), std::move(work));
}

void AdminApi::Health(const net::Request&, net::Responder responder) {
  RunAnswering(std::move(responder), [this](net::Responder later) { SendHealth(std::move(later)); });
}

void AdminApi::SendHealth(net::Responder responder) {
  Phase phase = phase_.load();
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendBool("healthy", phase == Phase::kServing);
  writer.AppendString("status", PhaseName(phase));
  writer.AppendString("version", options_.version);
  if (phase == Phase::kServing) AppendWriteHealth(options_.store_health(), &writer);
  AppendClockHealth(*options_.clock, &writer);
  writer.End();
  SendJson(phase == Phase::kServing ? 200 : 503, document, std::move(responder));
}

void AdminApi::Access(const net::Request& request, net::Responder responder) {
  Result<Parameters> parameters = Parameters::Parse(request.query, {});
  if (!parameters.ok()) return SendError(parameters.status(), std::move(responder));
  const AccountKeys& keys = keys_.get();
  std::string_view shown = "none";
  if (request.HasHeader("authorization")) {
    const Result<KeyKind> key = ShownKey(request, keys, options_.key_checks);
    shown = !key.ok() ? "wrong" : *key == KeyKind::kReadWrite ? "read-write" : "read-only";
  }
  const std::string& well_known = options_.well_known_key;
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("key", shown);
  writer.AppendBool("key_needed", !IsLocal(request));
  writer.AppendBool("well_known_key",
                    !well_known.empty() && (keys.primary == well_known || keys.secondary == well_known));
  writer.AppendBool("test_clock", options_.clock->test_clock());
  writer.AppendString("version", options_.version);
  writer.End();
  SendJson(200, document, std::move(responder));
}

void AdminApi::Metrics(const net::Request&, net::Responder responder) {
  RunAnswering(std::move(responder), [this](net::Responder later) {
    SendText(200, "text/plain; version=0.0.4; charset=utf-8", options_.metrics->PrometheusText(), std::move(later));
  });
}

void AdminApi::Overview(const net::Request& request, net::Responder responder) {
  Result<Parameters> parameters = Parameters::Parse(request.query, {});
  if (!parameters.ok()) return SendError(parameters.status(), std::move(responder));
  RunAnswering(std::move(responder), [this](net::Responder later) { SendOverview(std::move(later)); });
}

void AdminApi::SendOverview(net::Responder responder) {
  OverviewParts parts;
  // Query the store through the clock first: later calls find the second turned, or do not wait for it.
  parts.store = options_.store_health();
  parts.moment = {.now_ms = options_.clock->TryNowMs().value_or(options_.clock->ApproximateMs()),
                  .uptime_ms = UptimeMs(),
                  .clock_held = options_.clock->held()};
  parts.version = options_.version;
  parts.status = PhaseName(phase_.load());
  parts.requests = options_.requests();
  parts.server = options_.server_figures();
  SendJson(200, ReportOverview(parts, *options_.clock, options_.catalog), std::move(responder));
}

void AdminApi::Stats(const net::Request& request, net::Responder responder) {
  Result<StatsQuestion> question = ParseStatsQuestion(request.query);
  if (!question.ok()) return SendError(question.status(), std::move(responder));
  RunBlocking(std::move(responder), [this, question = *std::move(question)](net::Responder later) {
    const ReportMoment moment{options_.clock->NowMs(), UptimeMs(), options_.clock->held()};
    Result<std::string> report = ReportStats(question, moment, options_.catalog);
    if (!report.ok()) return SendError(report.status(), std::move(later));
    SendJson(200, *report, std::move(later));
  });
}

void AdminApi::Ttl(const net::Request& request, net::Responder responder) {
  const size_t names_at = std::min(kTtlPrefix.size(), request.path.size());
  Result<TtlQuestion> question = ParseTtlQuestion(request.path.substr(names_at), request.query);
  if (!question.ok()) return SendError(question.status(), std::move(responder));
  RunBlocking(std::move(responder), [this, question = *std::move(question)](net::Responder later) {
    const ReportMoment moment{options_.clock->NowMs(), UptimeMs(), options_.clock->held()};
    Result<std::string> report = ReportTtl(question, moment, options_.catalog);
    if (!report.ok()) return SendError(report.status(), std::move(later));
    SendJson(200, *report, std::move(later));
  });
}

void AdminApi::SendClock(net::Responder responder) const {
  const int64_t now_ms = options_.clock->NowMs();
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendInteger("now", now_ms / 1000);
  writer.AppendBool("frozen", options_.clock->frozen());
  writer.AppendBool("test", options_.clock->test_clock());
  writer.AppendInteger("now_ms", now_ms);
  writer.AppendBool("held", options_.clock->held());
  writer.AppendInteger("ahead_ms", options_.clock->ahead_ms());
  writer.AppendInteger("wall_ms", options_.wall->NowMs());
  writer.AppendInteger("uptime_ms", UptimeMs());
  writer.End();
  SendJson(200, document, std::move(responder));
}

void AdminApi::ReadClock(const net::Request&, net::Responder responder) {
  RunBlocking(std::move(responder), [this](net::Responder later) { SendClock(std::move(later)); });
}

void AdminApi::MoveClock(const net::Request& request, net::Responder responder) {
  if (!options_.clock->test_clock()) return SendError(TestClockOnly(), std::move(responder));
  Result<ClockCommand> command = ParseClockCommand(request.body);
  if (!command.ok()) return SendError(command.status(), std::move(responder));
  RunChange(std::move(responder), [this, command = *command](net::Responder later) {
    Status moved = Apply(command, options_.clock);
    if (!moved.ok()) return SendError(moved, std::move(later));
    SendClock(std::move(later));
  });
}

void AdminApi::AcceptClock(const net::Request& request, net::Responder responder) {
  Status empty = CheckEmpty(request.body);
  if (!empty.ok()) return SendError(empty, std::move(responder));
  RunChange(std::move(responder), [this](net::Responder later) {
    int64_t ahead_ms = options_.clock->ahead_ms();
    Status accepted = options_.clock->Accept();
    if (!accepted.ok()) return SendError(accepted, std::move(later));
    Log(LogLevel::kWarn, "wall clock accepted", {{"ahead_ms", ahead_ms}});
    SendClock(std::move(later));
  });
}

void AdminApi::Explain(const net::Request& request, net::Responder responder) {
  RunBlocking(std::move(responder), [this, body = std::string(request.body)](net::Responder later) {
    Result<std::string> explanation = ExplainQuery(body, options_.catalog);
    if (!explanation.ok()) return SendError(explanation.status(), std::move(later));
    SendJson(200, *explanation, std::move(later));
  });
}

void AdminApi::ReloadKeys(const net::Request& request, net::Responder responder) {
  Status empty = CheckEmpty(request.body);
  if (!empty.ok()) return SendError(empty, std::move(responder));
  if (options_.reload_keys == nullptr) {
    return SendError({Code::kNotFound, "this server has no configuration to read again"}, std::move(responder));
  }
  RunBlocking(std::move(responder), [this](net::Responder later) {
    Result<std::vector<std::string>> changed = options_.reload_keys();
    if (!changed.ok()) return SendError(changed.status(), std::move(later));
    std::string document;
    doc::Writer writer(&document);
    writer.BeginDocument();
    writer.BeginArray("changed");
    for (size_t i = 0; i < changed->size(); ++i) writer.AppendString(std::to_string(i), (*changed)[i]);
    writer.End();
    writer.End();
    SendJson(200, document, std::move(later));
  });
}

void AdminApi::Certificate(const net::Request&, net::Responder responder) {
  if (options_.certificate_pem.empty()) {
    return SendError({Code::kNotFound, "the server was started without TLS"}, std::move(responder));
  }
  SendText(200, "application/x-pem-file", options_.certificate_pem, std::move(responder));
}

}  // namespace lapse::api::admin
