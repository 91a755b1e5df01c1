#include "api/admin/admin_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "net/test_sink.h"

namespace lapse::api::admin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kStart_ms = 1'790'000'000'000;
constexpr int64_t kHour_ms = 3'600'000;

struct Answer {
  int status;
  std::string headers;
  std::string body;
};

class AdminApiTest : public testing::Test {
 protected:
  void Start(bool test_clock, std::string certificate_pem = "") {
    clock_.emplace(wall_, steady_, ttl::StoreTimeLimits(), std::nullopt, test_clock,
                   [this](const ttl::StoreTimeMark&) { return persisted_; });
    api_ = std::make_unique<AdminApi>(
        AdminOptions{.clock = &*clock_,
                     .store_health =
                         [this] {
                           clock_->NowMs();
                           return StoreHealth{writable_, silent_ms_};
                         },
                     .requests = [] { return RequestFigures(); },
                     .server_figures = [] { return ServerFigures(); },
                     .metrics = &metrics_,
                     .blocking = blocking_,
                     .changing = &inline_,
                     .answering = &inline_,
                     .keys = {.primary = "YWJj", .secondary = "", .read_only = "cmVhZA==", .secondary_read_only = ""},
                     .key_checks = {},
                     .well_known_key = "d2VsbA==",
                     .reload_keys = reload_keys_,
                     .version = "1.2.3",
                     .certificate_pem = std::move(certificate_pem),
                     .wall = &wall_,
                     .steady = &steady_});
    api_->SetPhase(AdminApi::Phase::kServing);
  }

  Answer Call(const net::Request& request) {
    auto sink = std::make_shared<net::RecordingSink>();
    api_->Handle(request, net::Responder(sink));
    EXPECT_EQ(sink->sent(), 1);
    return {sink->response().status(), sink->response().header_lines(), sink->response().body()};
  }

  static net::Request Local(std::string_view method, std::string_view path, std::string_view body = "") {
    net::Request request;
    request.method = method;
    request.path = path;
    request.headers = {{"Host", "127.0.0.1:8081"}, {"Content-Type", "application/json"}};
    request.body = body;
    request.peer_loopback = true;
    return request;
  }

  Answer Get(std::string_view path) { return Call(Local("GET", path)); }
  Answer Post(std::string_view path, std::string_view body) { return Call(Local("POST", path, body)); }
  Answer PostWithKey(std::string_view path, std::string_view body) { return Call(WithKey(Local("POST", path, body))); }

  static net::Request WithKey(net::Request request) {
    request.headers.push_back({"Authorization", "Bearer YWJj"});
    return request;
  }

  // Returns the response to the head of a request whose body has not arrived. The status is 0 if the body is wanted.
  Answer Ask(const net::Request& head) {
    net::Response refusal;
    if (api_->Admit(head, refusal)) return {0, refusal.header_lines(), refusal.body()};
    return {refusal.status(), refusal.header_lines(), refusal.body()};
  }

  ManualWallClock wall_{kStart_ms};
  ManualSteadyClock steady_;
  Status writable_;
  Status persisted_;
  MetricsRegistry metrics_;
  int64_t silent_ms_ = 0;
  std::function<Result<std::vector<std::string>>()> reload_keys_;
  InlineExecutor inline_;
  Executor* blocking_ = &inline_;
  std::optional<engine::StoreClock> clock_;
  std::unique_ptr<AdminApi> api_;
};

TEST_F(AdminApiTest, OwnsItsPrefixesAlone) {
  EXPECT_TRUE(AdminApi::Owns("/_lapse/health"));
  EXPECT_TRUE(AdminApi::Owns("/_explorer/emulator.pem"));
  EXPECT_FALSE(AdminApi::Owns("/_explorer/"));
  EXPECT_FALSE(AdminApi::Owns("/"));
  EXPECT_FALSE(AdminApi::Owns("/dbs/_lapse/colls"));
  EXPECT_FALSE(AdminApi::Owns("/_lapsed"));
}

TEST_F(AdminApiTest, HealthIsTrueOnlyWhileServing) {
  Start(false);
  api_->SetPhase(AdminApi::Phase::kStarting);
  EXPECT_EQ(Get("/_lapse/health").status, 503);
  api_->SetPhase(AdminApi::Phase::kServing);
  Answer healthy = Get("/_lapse/health");
  EXPECT_EQ(healthy.status, 200);
  EXPECT_THAT(healthy.body, HasSubstr(R"("healthy":true)"));
  EXPECT_THAT(healthy.body, HasSubstr(R"("version":"1.2.3")"));
  api_->SetPhase(AdminApi::Phase::kStopping);
  Answer stopping = Get("/_lapse/health");
  EXPECT_EQ(stopping.status, 503);
  EXPECT_THAT(stopping.body, HasSubstr(R"("healthy":false,"status":"stopping")"));
}

TEST_F(AdminApiTest, KeysAreReadAgainForWhoShowsOne) {
  int reloads = 0;
  reload_keys_ = [&]() -> Result<std::vector<std::string>> {
    if (++reloads == 2) return Status(Code::kInvalidArgument, "the file has no key");
    return std::vector<std::string>{"account-key", "read-only-key"};
  };
  Start(false);
  EXPECT_EQ(Post("/_lapse/keys/reload", "").status, 401) << "on loopback too";
  EXPECT_EQ(reloads, 0);
  Answer reloaded = PostWithKey("/_lapse/keys/reload", "{}");
  EXPECT_EQ(reloaded.status, 200);
  EXPECT_EQ(reloaded.body, R"({"changed":["account-key","read-only-key"]})");
  Answer refused = PostWithKey("/_lapse/keys/reload", "");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("the file has no key"));
  EXPECT_EQ(PostWithKey("/_lapse/keys/reload", R"({"key":"x"})").status, 400);
  EXPECT_EQ(reloads, 2);
}

TEST_F(AdminApiTest, WithoutAConfigurationThereIsNothingToReload) {
  Start(false);
  EXPECT_EQ(PostWithKey("/_lapse/keys/reload", "").status, 404);
}

TEST_F(AdminApiTest, NewKeysCountAtOnce) {
  Start(false);
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "").status, 200);
  api_->ReplaceKeys({.primary = "bmV3", .secondary = "", .read_only = "", .secondary_read_only = ""});
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "").status, 401);
}

TEST_F(AdminApiTest, RefusedWritesShowInHealthAndLeaveItHealthy) {
  Start(false);
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("writes":"ok")"));
  writable_ = Status(Code::kNoSpace, "the disk is full");
  Answer refused = Get("/_lapse/health");
  EXPECT_EQ(refused.status, 200);
  EXPECT_THAT(refused.body, HasSubstr(R"("healthy":true)"));
  EXPECT_THAT(refused.body, HasSubstr(R"("writes":"refused","reason":"the disk is full")"));
  writable_ = Status::Ok();
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("writes":"ok")"));
}

// Keeps the work for ever, like a disk that hangs.
class HangingExecutor final : public Executor {
 public:
  void Run(std::function<void()> work) override { held_.push_back(std::move(work)); }

 private:
  std::vector<std::function<void()>> held_;
};

TEST_F(AdminApiTest, HealthAndMetricsAnswerWhileTheDiskHangs) {
  HangingExecutor hanging;
  blocking_ = &hanging;
  Start(false);
  silent_ms_ = 5000;
  Answer health = Get("/_lapse/health");
  EXPECT_EQ(health.status, 200);
  EXPECT_THAT(health.body, HasSubstr(R"("writes":"unknown","reason":"the disk has not answered for 5000 ms")"));
  EXPECT_EQ(Get("/_lapse/metrics").status, 200);
}

TEST_F(AdminApiTest, AJumpOfTheWallClockShowsInHealthUntilItIsAccepted) {
  Start(false);
  wall_.Advance(2 * kHour_ms);
  steady_.AdvanceMs(2000);
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("clock":{"held":true,"ahead_ms":)"));

  Answer accepted = PostWithKey("/_lapse/clock/accept", "{}");
  EXPECT_EQ(accepted.status, 200);
  EXPECT_THAT(accepted.body, HasSubstr(R"("now":)" + std::to_string((kStart_ms + 2 * kHour_ms) / 1000)));
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("held":false)"));
}

TEST_F(AdminApiTest, AMoveThatCannotBeKeptIs503AndNotMade) {
  Start(true);
  Post("/_lapse/clock", R"({"freeze": true})");
  persisted_ = Status(Code::kUnavailable, "cannot sync");
  for (const char* body : {R"({"advance": 5})", R"({"set": 1800000000})", R"({"resume": true})"}) {
    Answer refused = Post("/_lapse/clock", body);
    EXPECT_EQ(refused.status, 503) << body;
    EXPECT_THAT(refused.body, HasSubstr("stays as it was"));
  }
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "").status, 503);
  EXPECT_THAT(Get("/_lapse/clock").body, StartsWith(R"({"now":1790000000,"frozen":true,"test":true,)"));
}

TEST_F(AdminApiTest, AcceptTakesNoMembers) {
  Start(false);
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "").status, 200);
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", R"({"now": true})").status, 400);
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "accept").status, 400);
}

TEST_F(AdminApiTest, MetricsArePrometheusText) {
  Start(false);
  metrics_.AddCounter("lapse_things_total", "Things.").Add(3);
  Answer metrics = Get("/_lapse/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.headers, HasSubstr("text/plain; version=0.0.4"));
  EXPECT_THAT(metrics.body, HasSubstr("lapse_things_total 3\n"));
}

TEST_F(AdminApiTest, TheTestClockIsMovedByCalls) {
  Start(true);
  EXPECT_THAT(Post("/_lapse/clock", R"({"freeze": true})").body,
              StartsWith(R"({"now":1790000000,"frozen":true,"test":true,)"));
  EXPECT_THAT(Post("/_lapse/clock", R"({"advance": "30d"})").body,
              StartsWith(R"({"now":1792592000,"frozen":true,"test":true,)"));
  EXPECT_THAT(Post("/_lapse/clock", R"({"advance": 10})").body,
              StartsWith(R"({"now":1792592010,"frozen":true,"test":true,)"));
  EXPECT_THAT(Post("/_lapse/clock", R"({"set": 1800000000})").body,
              StartsWith(R"({"now":1800000000,"frozen":true,"test":true,)"));
  EXPECT_THAT(Get("/_lapse/clock").body, StartsWith(R"({"now":1800000000,"frozen":true,"test":true,)"));
  EXPECT_THAT(Post("/_lapse/clock", R"({"resume": true})").body,
              StartsWith(R"({"now":1800000000,"frozen":false,"test":true,)"));
}

TEST_F(AdminApiTest, TheTestClockNeverGoesBackOrTooFar) {
  Start(true);
  Post("/_lapse/clock", R"({"freeze": true})");
  EXPECT_EQ(Post("/_lapse/clock", R"({"set": 1789999999})").status, 400);
  EXPECT_EQ(Post("/_lapse/clock", R"({"advance": -1})").status, 400);
  EXPECT_EQ(Post("/_lapse/clock", R"({"advance": 253402300799})").status, 400);
  EXPECT_THAT(Get("/_lapse/clock").body, StartsWith(R"({"now":1790000000,"frozen":true,"test":true,)"));
}

TEST_F(AdminApiTest, BadClockBodiesAreRefused) {
  Start(true);
  for (const char* body : {"", "{}", "{", R"({"freeze":true,"resume":true})", R"({"rewind":true})"}) {
    Answer answer = Post("/_lapse/clock", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_THAT(answer.body, HasSubstr(R"("code":"BadRequest","message":")")) << body;
  }
}

TEST_F(AdminApiTest, WithoutTheFlagTheClockIsReadAndNotMoved) {
  Start(false);
  EXPECT_THAT(Get("/_lapse/clock").body, StartsWith(R"({"now":1790000000,"frozen":false,"test":false,)"));
  EXPECT_EQ(Post("/_lapse/clock", R"({"freeze": true})").status, 403);
}

TEST_F(AdminApiTest, EveryClockIsReadToTheMillisecond) {
  Start(false);
  wall_.Advance(1250);
  steady_.AdvanceMs(1250);
  EXPECT_EQ(Get("/_lapse/clock").body,
            R"({"now":1790000001,"frozen":false,"test":false,"now_ms":1790000001250,"held":false,"ahead_ms":0,)"
            R"("wall_ms":1790000001250,"uptime_ms":1250})");
}

TEST_F(AdminApiTest, TheStartCountsOnWhileTheTestClockStandsStill) {
  Start(true);
  Post("/_lapse/clock", R"({"freeze": true})");
  steady_.AdvanceMs(5000);
  EXPECT_THAT(Get("/_lapse/clock").body, HasSubstr(R"("now_ms":1790000000000)"));
  EXPECT_THAT(Get("/_lapse/clock").body, HasSubstr(R"("uptime_ms":5000)"));
}

TEST_F(AdminApiTest, PostsMustBeJson) {
  Start(true);
  net::Request form = Local("POST", "/_lapse/clock", R"({"freeze": true})");
  form.headers = {{"Host", "127.0.0.1"}, {"Content-Type", "text/plain"}};
  EXPECT_EQ(Call(form).status, 415);
  form.headers = {{"Host", "127.0.0.1"}};
  EXPECT_EQ(Call(form).status, 415);
  EXPECT_FALSE(clock_->frozen());
}

TEST_F(AdminApiTest, AcceptingTheWallClockTakesTheKeyOnLoopbackToo) {
  Start(false);
  wall_.Advance(2 * kHour_ms);
  steady_.AdvanceMs(2000);
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("held":true)"));
  Answer refused = Post("/_lapse/clock/accept", "{}");
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.body, HasSubstr("Authorization: Bearer"));
  EXPECT_THAT(Get("/_lapse/health").body, HasSubstr(R"("held":true)"));
  EXPECT_EQ(PostWithKey("/_lapse/clock/accept", "{}").status, 200);
}

TEST_F(AdminApiTest, TheHeadAloneDecidesWhetherABodyIsWanted) {
  Start(true);
  EXPECT_EQ(Ask(Local("POST", "/_lapse/clock")).status, 0);
  EXPECT_EQ(Ask(WithKey(Local("POST", "/_lapse/clock/accept"))).status, 0);
  EXPECT_EQ(Ask(Local("POST", "/_lapse/clock/accept")).status, 401);
  EXPECT_EQ(Ask(Local("POST", "/_lapse/nothing")).status, 404);
  EXPECT_EQ(Ask(Local("POST", "/_lapse/health")).status, 405);
  net::Request remote = Local("POST", "/_lapse/clock");
  remote.peer_loopback = false;
  EXPECT_EQ(Ask(remote).status, 401);
  net::Request text = Local("POST", "/_lapse/clock");
  text.headers = {{"Host", "127.0.0.1"}, {"Content-Type", "text/plain"}};
  Answer refused = Ask(text);
  EXPECT_EQ(refused.status, 415);
  EXPECT_THAT(refused.body, HasSubstr("application/json"));
}

TEST_F(AdminApiTest, AReboundNameMovesNothing) {
  Start(true);
  net::Request rebound = Local("POST", "/_lapse/clock", R"({"freeze": true})");
  rebound.headers[0] = {"Host", "evil.org:8081"};
  EXPECT_EQ(Call(rebound).status, 403);
  EXPECT_FALSE(clock_->frozen());
}

TEST_F(AdminApiTest, OtherMachinesShowTheKey) {
  Start(false);
  net::Request remote = Local("GET", "/_lapse/metrics");
  remote.peer_loopback = false;
  Answer refused = Call(remote);
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.headers, HasSubstr("WWW-Authenticate: Bearer"));
  remote.headers.push_back({"Authorization", "Bearer YWJj"});
  EXPECT_EQ(Call(remote).status, 200);
}

TEST_F(AdminApiTest, AReadOnlyKeyReadsAndChangesNothing) {
  Start(true);
  net::Request remote = Local("GET", "/_lapse/health");
  remote.peer_loopback = false;
  remote.headers.push_back({"Authorization", "Bearer cmVhZA=="});
  for (const char* path : {"/_lapse/health", "/_lapse/metrics", "/_lapse/clock", "/_lapse/access"}) {
    remote.path = path;
    EXPECT_EQ(Call(remote).status, 200) << path;
  }
  remote.method = "POST";
  for (const char* path : {"/_lapse/clock", "/_lapse/clock/accept", "/_lapse/keys/reload"}) {
    remote.path = path;
    remote.body = R"({"freeze": true})";
    EXPECT_EQ(Call(remote).status, 403) << path;
  }
  EXPECT_FALSE(clock_->frozen());
}

TEST_F(AdminApiTest, AccessSaysWhichKeyIsShown) {
  Start(true);
  EXPECT_EQ(Get("/_lapse/access").body,
            R"({"key":"none","key_needed":false,"well_known_key":false,"test_clock":true,"version":"1.2.3"})");
  auto shown = [&](const char* authorization, bool loopback) {
    net::Request request = Local("GET", "/_lapse/access");
    request.peer_loopback = loopback;
    request.headers.push_back({"Authorization", authorization});
    return Call(request);
  };
  EXPECT_THAT(shown("Bearer YWJj", true).body, HasSubstr(R"("key":"read-write","key_needed":false)"));
  EXPECT_THAT(shown("Bearer YWJj", false).body, HasSubstr(R"("key":"read-write","key_needed":true)"));
  EXPECT_THAT(shown("Bearer cmVhZA==", true).body, HasSubstr(R"("key":"read-only")"));
  EXPECT_THAT(shown("Bearer bm9uZQ==", true).body, HasSubstr(R"("key":"wrong")"));
  EXPECT_EQ(shown("Bearer bm9uZQ==", false).status, 401);
}

TEST_F(AdminApiTest, AccessSaysWhetherTheWellKnownKeyIsInUse) {
  Start(false);
  EXPECT_THAT(Get("/_lapse/access").body, HasSubstr(R"("well_known_key":false,"test_clock":false)"));
  api_->ReplaceKeys({.primary = "eA==", .secondary = "", .read_only = "d2VsbA==", .secondary_read_only = ""});
  EXPECT_THAT(Get("/_lapse/access").body, HasSubstr(R"("well_known_key":false)")) << "it is for reading alone";
  api_->ReplaceKeys({.primary = "eA==", .secondary = "d2VsbA==", .read_only = "", .secondary_read_only = ""});
  EXPECT_THAT(Get("/_lapse/access").body, HasSubstr(R"("well_known_key":true)"));
  net::Request request = Local("GET", "/_lapse/access");
  request.query = "x=1";
  EXPECT_EQ(Call(request).status, 400);
}

TEST_F(AdminApiTest, UnknownRoutesAndVerbs) {
  Start(false);
  EXPECT_EQ(Get("/_lapse/nothing").status, 404);
  EXPECT_EQ(Get("/_lapse/").status, 404);
  Answer wrong_verb = Call(Local("DELETE", "/_lapse/clock"));
  EXPECT_EQ(wrong_verb.status, 405);
  EXPECT_THAT(wrong_verb.headers, HasSubstr("Allow: GET, POST"));
  EXPECT_EQ(Get("/_lapse/clock/accept").status, 405);
  EXPECT_EQ(Post("/_lapse/health", "{}").status, 405);
}

TEST_F(AdminApiTest, TheCertificateIsPublic) {
  Start(false, "-----BEGIN CERTIFICATE-----\n");
  net::Request remote = Local("GET", "/_explorer/emulator.pem");
  remote.peer_loopback = false;
  Answer answer = Call(remote);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "-----BEGIN CERTIFICATE-----\n");
}

TEST_F(AdminApiTest, WithoutTlsThereIsNoCertificate) {
  Start(false);
  EXPECT_EQ(Get("/_explorer/emulator.pem").status, 404);
}

}  // namespace
}  // namespace lapse::api::admin
