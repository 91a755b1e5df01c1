// For tests: the API over an engine in memory, requests signed as by a client, and parsed responses.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/cosmos_api.h"
#include "api/cosmos/wire/credentials/authenticator.h"
#include "api/cosmos/wire/routes.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/value.h"
#include "engine/engine_fixture.h"
#include "query/derive/item_derivation.h"

namespace lapse::api::cosmos {

constexpr std::string_view kTestAccountKey =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
constexpr std::string_view kTestReadOnlyKey = "cmVhZC1vbmx5LWtleQ==";
constexpr std::string_view kTestSecondaryKey = "c2Vjb25kYXJ5LWtleQ==";
constexpr std::string_view kTestSecondaryReadOnlyKey = "c2Vjb25kYXJ5LXJlYWQtb25seS1rZXk=";
constexpr std::string_view kTestDate = "Sun, 15 Jun 2025 15:06:40 GMT";  // EngineFixture::kStart_s

// The path of a test user's permissions.
constexpr char kTestPermissions[] = "/dbs/db/users/u/permissions";

using Headers = std::map<std::string, std::string>;

struct Answer {
  int status = 0;
  Headers headers;
  std::string body;

  // Returns the JSON of the value at `/a/b/0`, or an empty text if there is none.
  std::string At(std::string_view path) const {
    std::string document;
    if (!doc::JsonToBson(body, {.depth_max = 200, .bytes_max = 64 << 20}, &document).ok()) return "not JSON: " + body;
    doc::Value value = doc::FindPath(document, *doc::Path::FromSlashes(path));
    std::string json;
    if (!value.missing()) doc::ValueToJson(value, &json);
    return json;
  }
  // Removes the activity id that ends an error message, since it differs in every response.
  static std::string WithoutActivity(std::string json) {
    const size_t start = json.find(R"(\r\nActivityId: )");
    if (start != std::string::npos) json.erase(start, json.find('"', start) - start);
    return json;
  }
  std::string Message() const { return WithoutActivity(At("/message")); }
};

class ApiFixture : public engine::EngineFixture {
 protected:
  static AccountKeys TestKeys() {
    return {.primary = std::string(kTestAccountKey),
            .secondary = std::string(kTestSecondaryKey),
            .read_only = std::string(kTestReadOnlyKey),
            .secondary_read_only = std::string(kTestSecondaryReadOnlyKey)};
  }

  ApiFixture() : EngineFixture(&query::ItemDerivation()) { StartApi(AnyHost()); }

  void StartApi(HostNames hosts) {
    CosmosOptions options;
    options.hosts = std::move(hosts);
    options.engine = engine_.get();
    options.blocking = blocking_;
    options.querying = querying_;
    options.turning = &executor_;
    options.changing = &executor_;
    options.keys = TestKeys();
    options.consistency = consistency_;
    options.limits = limits_;
    options.use_indexes = use_indexes_;
    options.query_memory_bytes_max = query_memory_bytes_max_;
    options.query_helpers = query_helpers_;
    options.query_thresholds = query_thresholds_;
    options.wall = &request_wall_;
    api_ = *CosmosApi::Create(options);
  }

  // Sends as a client with this key would. Headers given override the generated ones.
  Answer SendWithKey(std::string_view key, std::string_view method, const std::string& path, const std::string& body,
                     Headers headers) {
    Route route;
    route.Parse(path);
    if (route.may_be_rids() && !named_like_a_rid_) route.TakeAsRids();
    Authenticator signer = *Authenticator::Create(key, "");
    headers.emplace("x-ms-date", kTestDate);
    headers.emplace(
        "authorization",
        "type=master&ver=1.0&sig=" + signer.Sign({method, route.resource_type(), route.resource_link()}, kTestDate));
    return SendRaw(method, path, body, headers);
  }

  Answer Send(std::string_view method, const std::string& path, const std::string& body = "", Headers headers = {}) {
    return SendWithKey(kTestAccountKey, method, path, body, std::move(headers));
  }

  // Sends unchanged, without a signature.
  Answer SendRaw(std::string_view method, const std::string& path, const std::string& body, const Headers& headers) {
    net::Request request = MakeRequest(method, path, headers);
    request.body = body;
    auto sink = std::make_shared<RecordingSink>();
    api_->Handle(request, net::Responder(sink));
    EXPECT_EQ(sink->sent, 1) << method << " " << path;
    return sink->Take();
  }

  // Returns the response to the head of a request whose body has not arrived. The status is 0 if the body is wanted.
  Answer SendHead(std::string_view method, const std::string& path, const Headers& headers) {
    RecordingSink sink;
    if (api_->Admit(MakeRequest(method, path, headers), sink.answer)) {
      EXPECT_TRUE(sink.answer.body().empty() && sink.answer.header_lines().empty());
      return {};
    }
    return sink.Take();
  }

  // Returns `authorization` and `x-ms-date` for a request to this resource, with the account's key.
  static Headers Signed(std::string_view method, std::string_view type, std::string_view link) {
    Authenticator signer = *Authenticator::Create(kTestAccountKey, "");
    return {{"x-ms-date", std::string(kTestDate)},
            {"authorization", "type=master&ver=1.0&sig=" + signer.Sign({method, type, link}, kTestDate)}};
  }

  // Makes a database `db` with a container `c` on /pk, version 2.
  void MakeItems(const std::string& more_properties = "") {
    ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    std::string body = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})";
    if (!more_properties.empty()) body += "," + more_properties;
    Answer made = Send("POST", "/dbs/db/colls", body + "}");
    ASSERT_EQ(made.status, 201) << made.body;
  }

  Answer CreateItem(const std::string& body, const std::string& pk_header = R"(["p"])", Headers headers = {}) {
    if (!pk_header.empty()) headers["x-ms-documentdb-partitionkey"] = pk_header;
    return Send("POST", "/dbs/db/colls/c/docs", body, std::move(headers));
  }
  Answer UpsertItem(const std::string& body, const std::string& pk_header = R"(["p"])", Headers headers = {}) {
    headers["x-ms-documentdb-is-upsert"] = "True";
    return CreateItem(body, pk_header, std::move(headers));
  }
  Answer OneItem(std::string_view method, const std::string& id, const std::string& body = "",
                 const std::string& pk_header = R"(["p"])", Headers headers = {}) {
    if (!pk_header.empty()) headers["x-ms-documentdb-partitionkey"] = pk_header;
    return Send(method, "/dbs/db/colls/c/docs/" + id, body, std::move(headers));
  }
  Answer ReadItem(const std::string& id, const std::string& pk_header = R"(["p"])", Headers headers = {}) {
    return OneItem("GET", id, "", pk_header, std::move(headers));
  }

  bool named_like_a_rid_ = false;                    // signs paths that look like rids as names
  Executor* blocking_ = &executor_;                  // takes effect at the next StartApi
  TurnPool* querying_ = nullptr;                     // likewise
  Consistency consistency_ = Consistency::kSession;  // takes effect at the next StartApi
  ResourceLimits limits_;                            // takes effect at the next StartApi
  bool use_indexes_ = true;                          // likewise
  size_t query_memory_bytes_max_ = size_t{1} << 30;  // likewise
  Helpers* query_helpers_ = nullptr;                 // likewise
  query::exec::Thresholds query_thresholds_;         // likewise
  ManualWallClock request_wall_{kStart_s * 1000};
  std::unique_ptr<CosmosApi> api_;

 private:
  // The views point into the arguments. A header `host` replaces the default one.
  static net::Request MakeRequest(std::string_view method, const std::string& path, const Headers& headers) {
    net::Request request;
    request.method = method;
    request.path = std::string_view(path).substr(0, path.find('?'));
    if (request.path.size() < path.size()) request.query = std::string_view(path).substr(request.path.size() + 1);
    if (!headers.contains("host")) request.headers.push_back({"Host", "localhost:8081"});
    for (const auto& [name, value] : headers) request.headers.push_back({name, value});
    return request;
  }

  struct RecordingSink : net::Responder::Sink {
    net::Response& response() override { return answer; }
    void Send() override { ++sent; }

    Answer Take() {
      Answer taken{answer.status(), {}, answer.body()};
      std::string_view lines = answer.header_lines();
      while (!lines.empty()) {
        std::string_view line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(line.size() + 2);
        size_t colon = line.find(": ");
        auto [at, added] = taken.headers.emplace(line.substr(0, colon), line.substr(colon + 2));
        EXPECT_TRUE(added) << "twice: " << line;
      }
      return taken;
    }

    net::Response answer;
    int sent = 0;
  };
};

}  // namespace lapse::api::cosmos
