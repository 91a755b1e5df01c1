// Tests that short requests get their responses while long queries are in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/executor.h"
#include "base/turn_pool.h"

namespace lapse::api::cosmos {
namespace {

// More than there are turns, and more than there are threads for feeds.
constexpr int kLongQueries = 4;
// Has 100^4 rows. A client that hangs up ends it long before that.
constexpr char kLongQuery[] =
    R"({"query":"SELECT VALUE COUNT(1) FROM c JOIN a IN c.t JOIN b IN c.t JOIN d IN c.t JOIN e IN c.t"})";
constexpr char kShortQuery[] = R"({"query":"SELECT VALUE c.id FROM c WHERE c.id = 'i'"})";
constexpr char kDocs[] = "/dbs/db/colls/c/docs";

class QueryThreadsTest : public ApiFixture {
 protected:
  // A client that waits on a thread of its own. Each check whether it is gone takes a time slice.
  struct Client : net::Responder::Sink {
    explicit Client(ManualSteadyClock* time) : steady(time) {}
    net::Response& response() override { return answer; }
    void Send() override { answered.set_value(); }
    bool PeerIsGone() const override {
      ++looks;
      steady->AdvanceMs(TurnPool::kSlice_ns / 1'000'000);
      return gone;
    }

    ManualSteadyClock* const steady;
    net::Response answer;
    std::promise<void> answered;
    std::future<void> done = answered.get_future();
    mutable std::atomic<int> looks{0};
    std::atomic<bool> gone{false};
  };

  void SetUp() override {
    MakeItems();
    std::string item = R"({"id":"i","pk":"p","t":[0)";
    for (int i = 1; i < 100; ++i) item += "," + std::to_string(i);
    ASSERT_EQ(CreateItem(item + "]}").status, 201);
    blocking_ = &feeds_;
    querying_ = &queries_;
    StartApi(AnyHost());
  }
  void TearDown() override {
    for (const auto& client : long_) client->gone = true;
    for (const auto& client : long_) client->done.wait();
  }

  // The request and its data live as long as the test.
  std::shared_ptr<Client> Begin(std::string_view method, std::string_view body, const Headers& more = {}) {
    auto client = std::make_shared<Client>(&page_time_);
    Headers& headers = headers_.emplace_back(Signed(method, "docs", "dbs/db/colls/c"));
    headers.insert(more.begin(), more.end());
    net::Request& request = requests_.emplace_back();
    request.method = method;
    request.path = kDocs;
    request.body = body;
    request.headers.push_back({"Host", "localhost:8081"});
    for (const auto& [name, value] : headers) request.headers.push_back({name, value});
    api_->Handle(request, net::Responder(client));
    return client;
  }
  std::shared_ptr<Client> BeginQuery(std::string_view body) {
    return Begin("POST", body,
                 {{"x-ms-documentdb-isquery", "True"},
                  {"content-type", "application/query+json"},
                  {"x-ms-documentdb-query-enablecrosspartition", "True"}});
  }
  // Returns once all are running: each has had a turn.
  void BeginLongQueries() {
    for (int i = 0; i < kLongQueries; ++i) long_.push_back(BeginQuery(kLongQuery));
    for (const auto& client : long_) {
      while (client->looks < 2) std::this_thread::yield();
    }
  }
  bool AllStillRun() const {
    return std::all_of(long_.begin(), long_.end(), [](const auto& client) {
      return client->done.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
    });
  }

  ManualSteadyClock page_time_;
  std::deque<Headers> headers_;
  std::deque<net::Request> requests_;
  std::vector<std::shared_ptr<Client>> long_;
  ThreadPool feeds_{"feeds", 2};
  TurnPool queries_{"queries", 2, 16, page_time_};
};

TEST_F(QueryThreadsTest, AShortQueryIsAnsweredWhileLongOnesRun) {
  BeginLongQueries();
  const std::shared_ptr<Client> client = BeginQuery(kShortQuery);
  client->done.wait();
  EXPECT_EQ(client->answer.status(), 200);
  EXPECT_NE(client->answer.body().find(R"(["i"])"), std::string::npos) << client->answer.body();
  EXPECT_TRUE(AllStillRun());
}

TEST_F(QueryThreadsTest, AFeedIsAnsweredWhileLongQueriesRun) {
  BeginLongQueries();
  const std::shared_ptr<Client> client = Begin("GET", "");
  client->done.wait();
  EXPECT_EQ(client->answer.status(), 200);
  EXPECT_TRUE(AllStillRun());
}

// One item may give any number of rows.
TEST_F(QueryThreadsTest, AQueryEndsWithinAnItemWhenItsClientHangsUp) {
  BeginLongQueries();
  long_.front()->gone = true;
  long_.front()->done.wait();
  EXPECT_EQ(long_.front()->answer.status(), 503);
}

}  // namespace
}  // namespace lapse::api::cosmos
