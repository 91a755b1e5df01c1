// For tests of report routes: the admin API over an engine whose time stands still until a test moves it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/admin/admin_api.h"
#include "api/admin/container_metrics.h"
#include "doc/json.h"
#include "doc/path.h"
#include "engine/engine_fixture.h"
#include "engine/shard/sweep/sweeper.h"
#include "net/test_sink.h"

namespace lapse::api::admin {

struct ReportAnswer {
  int status;
  std::string body;

  // Returns the JSON of the value at `/a/b/0`, or an empty text if there is none.
  std::string At(std::string_view path) const {
    std::string document;
    if (!doc::JsonToBson(body, {}, &document).ok()) return "not JSON: " + body;
    doc::Value value = doc::FindPath(document, *doc::Path::FromSlashes(path));
    std::string json;
    if (!value.missing()) doc::ValueToJson(value, &json);
    return json;
  }
};

class ReportsFixture : public engine::EngineFixture {
 protected:
  ReportsFixture() {
    AddContainerMetrics(&engine_->catalog(), {.executor = &executor_}, &metrics_);
    api_ = std::make_unique<AdminApi>(
        AdminOptions{.catalog = &engine_->catalog(),
                     .clock = &engine_->clock(),
                     .store_health = [] { return StoreHealth{Status::Ok()}; },
                     .requests = [this] { return requests_; },
                     .server_figures = [this] { return figures_; },
                     .metrics = &metrics_,
                     .blocking = &executor_,
                     .changing = &executor_,
                     .answering = &executor_,
                     .keys = {.primary = "YWJj", .secondary = "", .read_only = "", .secondary_read_only = ""},
                     .version = "1.2.3",
                     .certificate_pem = "",
                     .wall = &wall_,
                     .steady = &steady_});
    api_->SetPhase(AdminApi::Phase::kServing);
  }

  ReportAnswer Get(std::string_view path, std::string_view query = "", std::string_view method = "GET") {
    net::Request request;
    request.method = method;
    request.path = path;
    request.query = query;
    request.headers = {{"Host", "127.0.0.1:8081"}};
    request.peer_loopback = true;
    auto sink = std::make_shared<net::RecordingSink>();
    api_->Handle(request, net::Responder(sink));
    return {sink->response().status(), sink->response().body()};
  }

  void CreateMany(const engine::ContainerPtr& container, const std::string& prefix, int count,
                  std::optional<int32_t> own_ttl = std::nullopt) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Create(container, prefix + std::to_string(i), "0123456789", own_ttl).ok());
    }
  }

  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }

  RequestFigures requests_;
  ServerFigures figures_;
  MetricsRegistry metrics_;
  std::unique_ptr<AdminApi> api_;
};

}  // namespace lapse::api::admin
