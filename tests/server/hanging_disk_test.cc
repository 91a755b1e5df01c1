// A disk that hangs under the whole server: writers wait for it, and no other request does.
//
// The test waits for the answers while the disk hangs, until it releases the disk. So a reader that waits for a writer
// gets no answer, and the test fails when the client times out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/temporary_directory.h"
#include "server/server.h"
#include "store/rocks/faults/fault_file_system.h"
#include "tests/server/signed_client.h"

namespace lapse::tests {
namespace {

using store::HangingCalls;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kRounds = 20;
// More than the server has threads for requests that may block.
constexpr int kChanges = 8;

class HangingDiskTest : public ::testing::TestWithParam<HangingCalls> {
 protected:
  HangingDiskTest() { SetLogLevel(LogLevel::kOff); }
  ~HangingDiskTest() override {
    Answer();
    server_.reset();
    SetLogLevel(LogLevel::kInfo);
  }

  void SetUp() override {
    Start();
    Done({"POST", "/dbs", R"({"id":"db"})"}, 201);
    for (std::string container : {"c", "other"}) {
      Done({"POST", "/dbs/db/colls", Definition(container, 1000)}, 201);
      Done({"POST", Items(container), R"({"id":"i","pk":"p","say":"before"})", kTestPartitionKey}, 201);
      // This read puts it into the cache.
      Done({"GET", Items(container) + "/i", "", kTestPartitionKey}, 200);
    }
    // Health and metrics have figures to show.
    Done({"GET", "/_lapse/health"}, 200);
    Done({"GET", "/_lapse/metrics"}, 200);
  }

  void Start() {
    server_.reset();
    server::ServerOptions options;
    options.data_dir = (directory_.path() / "data").string();
    options.port = 0;
    auto started = server::Server::Start(options, nullptr, disk_);
    ASSERT_TRUE(started.ok()) << started.status().ToString();
    server_ = *std::move(started);
  }

  void Hang() { disk_->Hang(GetParam()); }
  void Answer() { disk_->Hang(HangingCalls::kNone); }

  static std::string Items(const std::string& container) { return "/dbs/db/colls/" + container + "/docs"; }
  static std::string Definition(const std::string& container, int default_ttl) {
    return R"({"id":")" + container + R"(","partitionKey":{"paths":["/pk"],"kind":"Hash"},"defaultTtl":)" +
           std::to_string(default_ttl) + "}";
  }
  static std::string DefaultTtl(int seconds) { return R"("defaultTtl":)" + std::to_string(seconds); }

  // Returns the body of the answer, which must have this status.
  std::string Done(const SignedClient::Call& call, int status) {
    net::Answer answer = SignedClient(server_->port()).Exchange(call);
    EXPECT_EQ(answer.status, status) << call.method << " " << call.path << ": " << answer.body;
    return answer.body;
  }

  // Begins a request that waits for the disk, on a connection of its own.
  std::unique_ptr<SignedClient> Begin(const SignedClient::Call& call) {
    auto client = std::make_unique<SignedClient>(server_->port());
    EXPECT_TRUE(client->Send(call));
    return client;
  }

  // Sends every kind of read. Stops at the first one that gets no answer.
  void ExpectReadersAreServed() {
    struct Reader {
      std::string path;
      int status;
      std::string part;  // of the answer's body
      std::string_view partition_key = {};
    };
    std::vector<Reader> readers = {{"/_lapse/health", 200, R"("healthy":true)"},
                                   {"/_lapse/metrics", 200, "lapse_items_live{"},
                                   {"/_lapse/overview", 200, R"("databases":1,"containers":2,)"},
                                   {"/_lapse/stats", 200, R"("left_out":0,"existing":2,)"},
                                   {"/dbs", 200, R"("_count":1)"}};
    for (const std::string container : {"c", "other"}) {
      readers.push_back({Items(container) + "/i", 200, R"("say":"before")", kTestPartitionKey});
      readers.push_back({Items(container) + "/missing", 404, "NotFound", kTestPartitionKey});
      readers.push_back({"/dbs/db/colls/" + container, 200, DefaultTtl(1000)});
      readers.push_back({Items(container), 200, R"("_count":1)"});
      readers.push_back({"/_lapse/ttl/db/" + container, 200, R"("live":{"items":1)"});
    }
    for (int round = 0; round < kRounds; ++round) {
      for (const Reader& reader : readers) {
        const std::string body = Done({"GET", reader.path, "", reader.partition_key}, reader.status);
        ASSERT_THAT(body, HasSubstr(reader.part)) << reader.path;
      }
    }
  }

  TemporaryDirectory directory_;
  const std::shared_ptr<store::FaultFileSystem> disk_ = store::FaultFileSystem::New();
  std::unique_ptr<server::Server> server_;
};

TEST_P(HangingDiskTest, ReadersDoNotWaitForItemsThatAreWritten) {
  Hang();
  std::vector<std::unique_ptr<SignedClient>> writers;
  for (const std::string container : {"c", "other"}) {
    writers.push_back(
        Begin({"PUT", Items(container) + "/i", R"({"id":"i","pk":"p","say":"after"})", kTestPartitionKey}));
  }
  ASSERT_TRUE(disk_->WaitUntilHanging());
  ExpectReadersAreServed();
  Answer();
  for (const auto& writer : writers) EXPECT_EQ(writer->Receive().status, 200);
  for (int start = 0; start < 2; ++start) {
    for (const std::string container : {"c", "other"}) {
      EXPECT_THAT(Done({"GET", Items(container) + "/i", "", kTestPartitionKey}, 200), HasSubstr(R"("say":"after")"));
    }
    Start();
  }
}

TEST_P(HangingDiskTest, ReadersDoNotWaitForDefinitionsThatChange) {
  Hang();
  std::vector<std::unique_ptr<SignedClient>> changes;
  for (int change = 0; change < kChanges; ++change) {
    changes.push_back(Begin({"PUT", "/dbs/db/colls/c", Definition("c", 2000 + change)}));
  }
  ASSERT_TRUE(disk_->WaitUntilHanging());
  ExpectReadersAreServed();
  Answer();
  for (const auto& change : changes) EXPECT_EQ(change->Receive().status, 200);
  const std::string changed = Done({"GET", "/dbs/db/colls/c"}, 200);
  EXPECT_THAT(changed, Not(HasSubstr(DefaultTtl(1000))));
  EXPECT_THAT(changed, HasSubstr(R"("defaultTtl":200)"));
  EXPECT_THAT(Done({"GET", "/dbs/db/colls/other"}, 200), HasSubstr(DefaultTtl(1000)));
  for (const std::string container : {"c", "other"}) {
    Done({"PUT", Items(container) + "/i", R"({"id":"i","pk":"p","say":"later"})", kTestPartitionKey}, 200);
    EXPECT_THAT(Done({"GET", Items(container) + "/i", "", kTestPartitionKey}, 200), HasSubstr(R"("say":"later")"));
  }
  Start();
  EXPECT_EQ(Done({"GET", "/dbs/db/colls/c"}, 200), changed);
}

INSTANTIATE_TEST_SUITE_P(Of, HangingDiskTest, ::testing::Values(HangingCalls::kSyncs, HangingCalls::kAppendsAndSyncs),
                         [](const auto& calls) {
                           return calls.param == HangingCalls::kSyncs ? "Syncs" : "AppendsAndSyncs";
                         });

}  // namespace
}  // namespace lapse::tests
