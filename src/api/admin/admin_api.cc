#include "api/admin/admin_api.h"

#include <array>
#include <memory>
#include <utility>

#include "api/admin/access.h"
#include "api/admin/answer.h"
#include "api/admin/clock_command.h"
#include "api/admin/explain_query.h"
#include "api/admin/stats_report.h"
#include "api/admin/ttl_report.h"
#include "base/log.h"
#include "doc/json.h"
#include "doc/value.h"
#include "doc/writer.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kAdminPrefix = "/_lapse/";
constexpr std::string_view kExplorerPrefix = "/_explorer/";
constexpr std::string_view kTtlPrefix = "/_lapse/ttl/";

std::string_view PhaseName(AdminApi::Phase phase) {
  switch (phase) {
    case AdminApi::Phase::kStarting: return "starting";
    case AdminApi::Phase::kServing: return "serving";
    case AdminApi::Phase::kStopping: return "stopping";
  }
  return "?";
}

// Refused writes leave the server healthy: reads go on, and a restart would not make room.
void AppendWriteHealth(const StoreHealth& store, doc::Writer* writer) {
  if (store.silent_ms > 0 || !store.writable) {
    writer->AppendString("writes", "unknown");
    writer->AppendString("reason", "the disk has not answered for " + std::to_string(store.silent_ms) + " ms");
    return;
  }
  writer->AppendString("writes", store.writable->ok() ? "ok" : "refused");
  if (!store.writable->ok()) writer->AppendString("reason", store.writable->message());
}

void AppendClockHealth(const engine::StoreClock& clock, doc::Writer* writer) {
  writer->BeginObject("clock");
  writer->AppendBool("held", clock.held());
  writer->AppendInteger("ahead_ms", clock.ahead_ms());
  writer->AppendBool("test", clock.test_clock());
  if (clock.held()) {
    writer->AppendString("detail",
                         "the wall clock jumped ahead and is not followed; 'lapse clock accept' if it is right");
  }
  writer->End();
}

// A body where none is asked for: nothing, or an empty object.
Status CheckEmpty(std::string_view body) {
  if (body.empty()) return Status::Ok();
  std::string document;
  LAPSE_RETURN_IF_ERROR(doc::JsonToBson(body, {.depth_max = 2, .bytes_max = 4096}, &document));
  if (!doc::Reader(document).Next()) return Status::Ok();
  return {Code::kInvalidArgument, "takes no members"};
}

void RunOn(Executor* executor, net::Responder responder, std::function<void(net::Responder)> work) {
  // std::function wants what it holds to be copyable; a responder can only be moved.
  auto held = std::make_shared<net::Responder>(std::move(responder));
  executor->Run([held, work = std::move(work)] { work(std::move(*held)); });
}

Status TestClockOnly() {
  return {Code::kForbidden, "the server was not started with --test-clock"};
}

}  // namespace

struct AdminApi::Route {
  std::string_view path;  // with a slash at its end: that, and all that is below it
  Method get = nullptr;
  Method post = nullptr;
  bool is_public = false;
  KeyRule post_key = KeyRule::kAlways;  // what changes something takes the key, unless the route says otherwise
};

AdminApi::AdminApi(AdminOptions options) : options_(std::move(options)), keys_(options_.keys) {}

bool AdminApi::Owns(std::string_view path) {
  return path.starts_with(kAdminPrefix) || path.starts_with(kExplorerPrefix);
}

const AdminApi::Route* AdminApi::FindRoute(std::string_view path) {
  static constexpr std::array<Route, 9> kRoutes = {{
      {.path = "/_lapse/health", .get = &AdminApi::Health},
      {.path = "/_lapse/metrics", .get = &AdminApi::Metrics},
      {.path = "/_lapse/stats", .get = &AdminApi::Stats},
      {.path = kTtlPrefix, .get = &AdminApi::Ttl},
      {.path = "/_lapse/clock",
       .get = &AdminApi::ReadClock,
       .post = &AdminApi::MoveClock,
       .post_key = KeyRule::kElsewhere},
      {.path = "/_lapse/clock/accept", .post = &AdminApi::AcceptClock},
      {.path = "/_lapse/explain", .post = &AdminApi::Explain, .post_key = KeyRule::kElsewhere},
      {.path = "/_lapse/keys/reload", .post = &AdminApi::ReloadKeys},
      {.path = "/_explorer/emulator.pem", .get = &AdminApi::Certificate, .is_public = true},
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
    Status allowed = CheckAccess(head, keys_.get(), changes ? route->post_key : KeyRule::kElsewhere);
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
  // A page of another site can make a browser POST plain text or a form without asking; JSON it cannot.
  if (is_post && !IsJsonContentType(head.Header("content-type"))) {
    SendError(415, "UnsupportedMediaType", "POST with Content-Type: application/json", std::move(*responder));
    return nullptr;
  }
  return method;
}

bool AdminApi::Admit(const net::Request& head, net::Response& refusal) {
  net::Responder responder = net::Responder::Into(&refusal);
  const bool wanted = Judge(head, &responder) != nullptr;
  if (wanted) responder.Send();  // nothing was said: `refusal` is as it was
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

void AdminApi::Metrics(const net::Request&, net::Responder responder) {
  RunAnswering(std::move(responder), [this](net::Responder later) {
    SendText(200, "text/plain; version=0.0.4; charset=utf-8", options_.metrics->PrometheusText(), std::move(later));
  });
}

void AdminApi::Stats(const net::Request&, net::Responder responder) {
  RunBlocking(std::move(responder), [this](net::Responder later) {
    int64_t now_s = options_.clock->NowMs() / 1000;
    SendJson(200, ReportStats(now_s, options_.clock->held(), options_.catalog), std::move(later));
  });
}

void AdminApi::Ttl(const net::Request& request, net::Responder responder) {
  Result<TtlQuestion> question = ParseTtlQuestion(request.path.substr(kTtlPrefix.size()), request.query);
  if (!question.ok()) return SendError(question.status(), std::move(responder));
  RunBlocking(std::move(responder), [this, question = *std::move(question)](net::Responder later) {
    Result<std::string> report = ReportTtl(question, options_.clock->held(), options_.catalog);
    if (!report.ok()) return SendError(report.status(), std::move(later));
    SendJson(200, *report, std::move(later));
  });
}

void AdminApi::SendClock(net::Responder responder) const {
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendInteger("now", options_.clock->NowMs() / 1000);
  writer.AppendBool("frozen", options_.clock->frozen());
  writer.AppendBool("test", options_.clock->test_clock());
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
