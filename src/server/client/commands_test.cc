// Tests the commands that report on containers, against a server with canned responses.
#include "server/client/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "net/http_server.h"

namespace lapse::server::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kTtlAnswer =
    R"({"database":"app","container":"sessions","now":1750000000,"clock_held":false,"policy":{"defaultTtl":3600},)"
    R"("floors":{"dead":[],"purged":[]},"live":{"items":1234,"bytes":2048},)"
    R"("backlog":{"items":5,"bytes":50,"oldest_s":90},"purged":{"items":7,"bytes":70,"ru":0.14},)"
    R"("forecast":{"minute":{"items":1,"bytes":1},"hour":{"items":2,"bytes":2},"day":{"items":3,"bytes":3},)"
    R"("week":{"items":4,"bytes":4},"month":{"items":5,"bytes":5}},)"
    R"("would_expire":{"defaultTtl":60,"items":1200,"bytes":1024},)"
    R"("would_change":{"defaultTtl":60,"items":30,"bytes":300}})";

std::string StatsAnswer(int purged) {
  return R"({"now":1750000000,"clock_held":true,"containers":[{"database":"app","container":"se\u001bs",)"
         R"("defaultTtl":-1,"live":{"items":10,"bytes":100},"backlog":{"items":0,"bytes":0,"oldest_s":0},)"
         R"("purged":{"items":)" +
         std::to_string(purged) + R"(,"bytes":1,"ru":2.5}}],"left_out":3})";
}

// Returns the responses in order, and then repeats the last one. Threads: any.
class CannedHandler final : public net::Handler {
 public:
  struct Answer {
    int status;
    std::string body;
  };

  bool Admit(const net::Request&, net::Response&) override { return true; }
  void Handle(const net::Request& request, net::Responder responder) override {
    {
      std::lock_guard lock(mutex_);
      std::string& target = targets_.emplace_back(request.path);
      if (!request.query.empty()) target.append("?").append(request.query);
      responder.response().set_status(answers_.front().status);
      responder.response().body() = answers_.front().body;
      if (answers_.size() > 1) answers_.pop_front();
    }
    responder.Send();
  }

  void Add(Answer answer) {
    std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
  }
  void Clear() {
    std::lock_guard lock(mutex_);
    answers_.clear();
  }
  // The requested targets.
  std::vector<std::string> targets() const {
    std::lock_guard lock(mutex_);
    return targets_;
  }

 private:
  mutable std::mutex mutex_;
  std::deque<Answer> answers_;        // guarded by mutex_
  std::vector<std::string> targets_;  // guarded by mutex_
};

class CommandsTest : public testing::Test {
 protected:
  CommandsTest() {
    net::HttpServerOptions options;
    options.host = "127.0.0.1";
    options.port = 0;
    options.threads = 1;
    server_ = *net::HttpServer::Start(std::move(options), &handler_);
    url_ = "http://127.0.0.1:" + std::to_string(server_->port());
  }
  ~CommandsTest() override { server_->Stop(0); }

  void Answer(std::string body, int status = 200) { handler_.Add({status, std::move(body)}); }

  int Run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {"lapse", "--endpoint", url_.c_str()});
    out_.str("");
    err_.str("");
    Console console;
    console.is_terminal = is_terminal_;
    console.wait = [this](int64_t ms) { waits_ms_.push_back(ms); };
    return RunCommand(
        static_cast<int>(arguments.size()), arguments.data(), [](const std::string&) { return std::nullopt; }, out_,
        err_, console);
  }

  CannedHandler handler_;
  std::unique_ptr<net::HttpServer> server_;
  std::string url_;
  bool is_terminal_ = false;
  std::vector<int64_t> waits_ms_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(CommandsTest, TtlShowsOneContainer) {
  Answer(std::string(kTtlAnswer));
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--what-if", "60"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/ttl/app/sessions?defaultTtl=60"));
  EXPECT_EQ(out_.str(),
            "app/sessions: TTL is on, default 1h\n"
            "store time 2025-06-15T15:06:40Z\n"
            "live                    1,234 items  2.0 KiB\n"
            "expired, not purged         5 items     50 B  the oldest for 1m30s\n"
            "purged                      7 items     70 B  0.14 RU\n"
            "expire within a minute      1 items      1 B\n"
            "  an hour                   2 items      2 B\n"
            "  a day                     3 items      3 B\n"
            "  a week                    4 items      4 B\n"
            "  30 days                   5 items      5 B\n"
            "with the default 1m     1,200 items  1.0 KiB  would expire at once\n"
            "                           30 items    300 B  would have another deadline, or none\n");
}

TEST_F(CommandsTest, TtlShowsAForecastInSteps) {
  Answer(std::string(kTtlAnswer.substr(0, kTtlAnswer.size() - 1)) +
         R"(,"series":{"horizon":"day","from":1750000000,"step_s":900,"steps":3,"items":[2,0,1],"bytes":[20,0,10],)"
         R"("later":{"items":4,"bytes":40},"never":{"items":5,"bytes":50}}})");
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--forecast", "day"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/ttl/app/sessions?forecast=day"));
  EXPECT_THAT(out_.str(), testing::EndsWith("expire in steps of 15m\n"
                                            "until 2025-06-15T15:21:40Z  2 items  20 B\n"
                                            "until 2025-06-15T15:51:40Z  1 items  10 B\n"
                                            "later                       4 items  40 B\n"
                                            "never                       5 items  50 B\n"));
}

TEST_F(CommandsTest, AllContainersComePageByPage) {
  const std::string page = StatsAnswer(1000);
  const std::string first = page.substr(0, page.size() - 1) + R"(,"next":"app/se\u001bs"})";
  Answer(first);
  Answer(StatsAnswer(2000));
  EXPECT_EQ(Run({"stats", "--all"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/stats", "/_lapse/stats?after=app%2Fse%1Bs"));
  EXPECT_THAT(out_.str(), HasSubstr(" 1,000  2.50\n"));
  EXPECT_THAT(out_.str(), HasSubstr(" 2,000  2.50\n"));
  handler_.Clear();
  Answer(first);
  EXPECT_EQ(Run({"stats", "--all"}), 1) << "a page that leads to itself";
}

TEST_F(CommandsTest, OverviewShowsTheWholeServer) {
  Answer(R"({"now":1750000000,"now_ms":1750000000250,"uptime_ms":90061000,"version":"1.2.3","status":"serving",)"
         R"("writes":"ok","clock":{"held":false,"ahead_ms":0,"test":false,"frozen":false},"databases":3,)"
         R"("containers":12,"requests":{"answered":1200,"by_status":{"2xx":1190,"3xx":0,"4xx":8,"5xx":2},)"
         R"("throttled":7},"request_units":{"spent":881.5,"provisioned":4400,"left":1.0,"limited":true},)"
         R"("latency":{"steps_ms":[0.1],"operations":[{"operation":"create","count":0,"p50_ms":null},)"
         R"({"operation":"read","count":900,"p50_ms":0.08,"p90_ms":0.1,"p99_ms":0.6,"p999_ms":2.125}]},)"
         R"("storage":{"disk_bytes":2048,"memory_bytes":1024,"age_ms":0},"memory":{"resident_bytes":4096,)"
         R"("request_bytes":0,"request_bytes_max":1048576},"connections":4})");
  EXPECT_EQ(Run({"overview"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/overview"));
  EXPECT_EQ(out_.str(),
            "serving, version 1.2.3, up for 1d1h1m1s\n"
            "store time 2025-06-15T15:06:40Z\n"
            "writes ok\n"
            "catalog        3 databases, 12 containers\n"
            "requests       1,200 answered, 7 throttled, 2 failed\n"
            "request units  881.50 spent, 4,400 a second provisioned\n"
            "store          2.0 KiB on disk, 1.0 KiB in memory\n"
            "memory         4.0 KiB, requests 0 B of 1.0 MiB\n"
            "connections    4\n"
            "OPERATION  COUNT      P50      P90      P99    P99.9\n"
            "read         900  0.08 ms  0.10 ms  0.60 ms  2.12 ms\n");
  EXPECT_EQ(Run({"overview", "--json"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), testing::StartsWith(R"({"now":1750000000,)"));
}

TEST_F(CommandsTest, JsonIsTheAnswerAsItCame) {
  Answer(std::string(kTtlAnswer));
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--json"}), 0);
  EXPECT_EQ(out_.str(), std::string(kTtlAnswer) + "\n");
}

TEST_F(CommandsTest, ExplainShowsWhatWouldBeDone) {
  Answer(R"json({"plan":"scan $0 | filter =($0.a, 1)","conditions":"/a: 1","found_by":"entries of an index",)json"
         R"json("indexed":["/a/?"],"not_indexed":["/b/?"],"composite":[["/a ASC","/b DESC"]],"spatial":["/p/?"]})json");
  EXPECT_EQ(Run({"explain", "app", "sessions", "SELECT * FROM c WHERE c.a = 1"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/explain"));
  EXPECT_EQ(out_.str(),
            "plan         scan $0 | filter =($0.a, 1)\n"
            "conditions   /a: 1\n"
            "found by     entries of an index\n"
            "indexed      /a/?\n"
            "not indexed  /b/?\n"
            "composite    /a ASC, /b DESC\n"
            "spatial      /p/?\n");
  EXPECT_NE(Run({"explain", "app", "sessions"}), 0);
}

TEST_F(CommandsTest, StatsShowATable) {
  Answer(StatsAnswer(1000));
  EXPECT_EQ(Run({"stats"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/stats"));
  EXPECT_EQ(out_.str(),
            "store time 2025-06-15T15:06:40Z, held: the wall clock jumped ahead and nothing is purged ('lapse clock "
            "accept')\n"
            "CONTAINER  TTL  LIVE   SIZE  EXPIRED  SIZE  OLDEST  PURGED    RU\n"
            "app/se?s    -1    10  100 B        0   0 B       -   1,000  2.50\n"
            "and 3 more that are not listed\n");
}

TEST_F(CommandsTest, WatchPrintsLinesWhereThereIsNoTerminal) {
  Answer(StatsAnswer(1000));
  Answer(StatsAnswer(1200));
  EXPECT_EQ(Run({"watch", "--count", "2", "--interval", "5s"}), 0) << err_.str();
  EXPECT_THAT(waits_ms_, ElementsAre(5000));
  const std::string line =
      "2025-06-15T15:06:40Z app/se?s live=10 live_bytes=100 expired=0 expired_bytes=0 oldest_s=0 purged=";
  EXPECT_EQ(out_.str(), line + "1000 purged_now=0\n" + line + "1200 purged_now=200\n");
}

TEST_F(CommandsTest, WatchDrawsOverATerminal) {
  is_terminal_ = true;
  Answer(StatsAnswer(1000));
  Answer(StatsAnswer(1200));
  EXPECT_EQ(Run({"watch", "--count", "2"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), testing::StartsWith("\x1b[2J\x1b[Hstore time 2025"));
  EXPECT_THAT(out_.str(), HasSubstr("PURGED NOW\x1b[K\n"));
  EXPECT_THAT(out_.str(), HasSubstr("+200\x1b[K\n"));
  EXPECT_THAT(out_.str(), testing::EndsWith("listed\x1b[K\n\x1b[J"));
}

TEST_F(CommandsTest, WatchOneContainer) {
  Answer(std::string(kTtlAnswer));
  EXPECT_EQ(Run({"watch", "app", "sessions", "--count", "1"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("app/sessions live=1234 "));
  is_terminal_ = true;
  EXPECT_EQ(Run({"watch", "app", "sessions", "--count", "1"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("0.14 RU, +0 items now"));
}

TEST_F(CommandsTest, WatchEndsWithTheServersError) {
  Answer(std::string(kTtlAnswer));
  Answer(R"({"code":"NotFound","message":"no such container"})", 404);
  EXPECT_EQ(Run({"watch", "app", "sessions"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("no such container"));
}

TEST_F(CommandsTest, AnErrorOfTheServerIsAFailure) {
  Answer(R"({"code":"NotFound","message":"no such container"})", 404);
  EXPECT_EQ(Run({"ttl", "app", "sessions"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("no such container"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CommandsTest, AnErrorWithoutAWordIsSaid) {
  Answer("", 500);
  EXPECT_EQ(Run({"stats"}), 1);
  EXPECT_EQ(err_.str(), "lapse: the server answered 500\n");
}

TEST_F(CommandsTest, WhatCannotBePrintedIsAFailure) {
  Answer(StatsAnswer(1));
  for (const std::vector<const char*>& command :
       {std::vector{"stats"}, std::vector{"metrics"}, std::vector{"watch", "--count", "3"}}) {
    out_.setstate(std::ios::badbit);
    EXPECT_EQ(Run(command), 1);
    EXPECT_THAT(err_.str(), HasSubstr("could not be written"));
    out_.clear();
  }
  EXPECT_EQ(handler_.targets().size(), 3U) << "a view that nobody sees ends";
}

TEST_F(CommandsTest, AnAnswerOfAnotherKindIsAFailure) {
  for (const char* body : {"", "hello", "[]", "{}", R"({"policy":7,"containers":{}})"}) {
    handler_.Clear();
    Answer(body);
    EXPECT_EQ(Run({"ttl", "app", "sessions"}), 1) << body;
    EXPECT_EQ(Run({"stats"}), 1) << body;
    EXPECT_EQ(Run({"stats", "--all"}), 1) << body;
    EXPECT_EQ(Run({"overview"}), 1) << body;
    EXPECT_THAT(err_.str(), HasSubstr("not understood")) << body;
  }
}

TEST_F(CommandsTest, BadUsageAsksNothing) {
  Answer("{}");
  EXPECT_EQ(Run({"ttl"}), 2);
  EXPECT_EQ(Run({"ttl", "app"}), 2);
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--what-if", "0"}), 2);
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--what-if", ""}), 2);
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--what-if", "soon"}), 2);
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--forecast", "year"}), 2);
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--forecast", ""}), 2);
  EXPECT_EQ(Run({"overview", "app"}), 2);
  EXPECT_EQ(Run({"stats", "app"}), 2);
  EXPECT_EQ(Run({"watch", "app"}), 2);
  EXPECT_EQ(Run({"watch", "--interval", "0"}), 2);
  EXPECT_EQ(Run({"watch", "--interval", "often"}), 2);
  EXPECT_EQ(Run({"watch", "--count", "0"}), 2);
  EXPECT_EQ(Run({"watch", "--count", "-1"}), 2);
  EXPECT_TRUE(handler_.targets().empty());
}

TEST_F(CommandsTest, AKeyBehindAMistakeIsNotPrinted) {
  const char* key = "c2VjcmV0IHNlY3JldCBzZWNyZXQ=";
  const std::string inside_option = "--kye=" + std::string(key);
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"--kye", key, "health"},
                                             {inside_option.c_str(), "health"},
                                             {"health", key},
                                             {key},
                                             {"--kye", key},
                                             {key, "--help"},
                                             {"--kye", key, "--help"},
                                             {"clock", key},
                                             {"ttl", "--kye", key}}) {
    EXPECT_EQ(Run(arguments), 2);
    EXPECT_THAT(err_.str(), Not(HasSubstr("c2Vj")));
  }
  EXPECT_THAT(err_.str(), HasSubstr("there is no option '--kye'"));
  EXPECT_TRUE(handler_.targets().empty());
}

TEST_F(CommandsTest, MinusOneIsAValue) {
  Answer(std::string(kTtlAnswer));
  EXPECT_EQ(Run({"ttl", "app", "sessions", "--what-if", "-1"}), 0) << err_.str();
  EXPECT_THAT(handler_.targets(), ElementsAre("/_lapse/ttl/app/sessions?defaultTtl=-1"));
}

TEST_F(CommandsTest, HealthForPeopleAndAsItCame) {
  Answer(R"({"healthy":true,"status":"serving","version":"1.2.3","writes":"refused","reason":"the disk is full",)"
         R"("clock":{"held":true,"ahead_ms":7200000,"test":false}})");
  EXPECT_EQ(Run({"health"}), 0) << err_.str();
  EXPECT_EQ(out_.str(),
            "serving, version 1.2.3\n"
            "writes refused: the disk is full\n"
            "the real clock, held: the wall clock is 2h ahead and is not followed ('lapse clock accept')\n");
  EXPECT_EQ(Run({"health", "--json"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), testing::StartsWith(R"({"healthy":true,)"));
}

TEST_F(CommandsTest, ACommandThatDoesNotExistHasNoHelp) {
  Answer("{}");
  EXPECT_EQ(Run({"statz", "--help"}), 2);
  EXPECT_EQ(err_.str(), "lapse: there is no command 'statz'; did you mean 'stats'?\nTry 'lapse --help'.\n");
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(Run({"clock", "shwo", "--help"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("there is no command 'shwo'; did you mean 'show'?"));
  EXPECT_EQ(Run({"nonsense"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("there is no command 'nonsense'"));
  EXPECT_TRUE(handler_.targets().empty());
}

TEST_F(CommandsTest, HelpSaysWhichServerIsMeant) {
  std::vector<const char*> arguments = {"lapse", "--help"};
  EXPECT_EQ(RunCommand(
                2, arguments.data(), [](const std::string&) { return std::nullopt; }, out_, err_),
            0);
  EXPECT_THAT(out_.str(), HasSubstr("http://127.0.0.1:8081"));
  EXPECT_THAT(out_.str(), HasSubstr("--ca"));
  EXPECT_THAT(out_.str(), HasSubstr("emulator.pem"));
  EXPECT_THAT(out_.str(), HasSubstr("NODE_EXTRA_CA_CERTS"));
  EXPECT_THAT(out_.str(), testing::Not(HasSubstr(std::string(kWellKnownKey)))) << "a key is not for help";
}

// To the client 0.0.0.0 is another machine, while to Linux it is this one.
TEST_F(CommandsTest, NoKeyGoesToAnotherMachineInClear) {
  Answer(StatsAnswer(1));
  url_ = "http://0.0.0.0:" + std::to_string(server_->port());
  EXPECT_EQ(Run({"stats"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("the key would go to 0.0.0.0 in clear: use an https:// endpoint"));
  EXPECT_EQ(Run({"--key", "YWJj", "stats"}), 2);
  EXPECT_THAT(err_.str(), testing::Not(HasSubstr("YWJj")));
  EXPECT_TRUE(handler_.targets().empty());
  EXPECT_EQ(Run({"--allow-plain-key", "stats"}), 0) << "told to, it asks";
  EXPECT_EQ(Run({"--key", "", "stats"}), 0) << "without a key there is none to lose";
}

TEST_F(CommandsTest, EachCommandHasHelp) {
  for (const char* command : {"ttl", "stats", "watch", "overview"}) {
    EXPECT_EQ(Run({command, "--help"}), 0);
    EXPECT_THAT(out_.str(), HasSubstr(command));
  }
  Run({"ttl", "--help"});
  EXPECT_THAT(out_.str(), HasSubstr("--what-if"));
  Run({"watch", "--help"});
  EXPECT_THAT(out_.str(), HasSubstr("--interval"));
}

}  // namespace
}  // namespace lapse::server::client
