// The signals that stop the server, while clients write: it must stop cleanly and keep every write that it
// acknowledged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_directory.h"
#include "tests/server/server_process.h"
#include "tests/server/signed_client.h"

namespace lapse::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kWriters = 4;
constexpr int kWritesBeforeTheSignal = 100;
constexpr int kWritesMax = 100'000;  // by each writer, in case the server does not stop
constexpr char kItems[] = "/dbs/db/colls/c/docs";

// Clients that create items until the server no longer answers. Owns: their threads.
class Writers {
 public:
  explicit Writers(uint16_t port) {
    for (int writer = 0; writer < kWriters; ++writer) {
      threads_.emplace_back([this, port, writer] { Write(port, "w" + std::to_string(writer) + "-"); });
    }
  }
  ~Writers() { WaitForTheEnd(); }

  size_t answered() const {
    std::lock_guard lock(mutex_);
    return answered_.size();
  }
  bool running() const { return running_ > 0; }
  // Returns the ids of all items that the server acknowledged.
  const std::vector<std::string>& WaitForTheEnd() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return answered_;
  }

 private:
  void Write(uint16_t port, const std::string& prefix) {
    SignedClient client(port);
    for (int number = 0; number < kWritesMax; ++number) {
      const std::string id = prefix + std::to_string(number);
      const net::Answer answer =
          client.Exchange({"POST", kItems, R"({"id":")" + id + R"(","pk":"p"})", kTestPartitionKey});
      if (answer.status == 0) break;  // the connection was closed
      EXPECT_EQ(answer.status, 201) << answer.body;
      std::lock_guard lock(mutex_);
      answered_.push_back(id);
    }
    --running_;
  }

  mutable std::mutex mutex_;
  std::vector<std::string> answered_;  // guarded by mutex_
  std::atomic<int> running_{kWriters};
  std::vector<std::thread> threads_;
};

class StopUnderLoadTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (ServerProgram().empty()) GTEST_SKIP() << "LAPSED does not name the server's program";
  }

  std::vector<std::string> Arguments() const { return {"--data-dir", directory_.PathOf("data")}; }

  TemporaryDirectory directory_;
};

TEST_P(StopUnderLoadTest, EndsCleanlyAndKeepsWhatWasAnswered) {
  std::vector<std::string> answered;
  {
    ServerProcess server(Arguments());
    ASSERT_TRUE(server.ready()) << server.log();
    SignedClient client(server.port());
    ASSERT_EQ(client.Exchange({"POST", "/dbs", R"({"id":"db"})"}).status, 201);
    const std::string container = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash"}})";
    ASSERT_EQ(client.Exchange({"POST", "/dbs/db/colls", container}).status, 201);
    Writers writers(server.port());
    while (writers.answered() < kWritesBeforeTheSignal && writers.running()) std::this_thread::yield();
    server.Signal(GetParam());
    EXPECT_EQ(server.Wait(), 0);
    EXPECT_THAT(server.log(), HasSubstr(" stopped"));
    EXPECT_THAT(server.log(), Not(HasSubstr(" error ")));
    EXPECT_THAT(server.log(), Not(HasSubstr(" warning ")));
    answered = writers.WaitForTheEnd();
  }
  EXPECT_GE(answered.size(), kWritesBeforeTheSignal);
  ServerProcess again(Arguments());
  ASSERT_TRUE(again.ready()) << again.log();
  SignedClient client(again.port());
  for (const std::string& id : answered) {
    ASSERT_EQ(client.Exchange({"GET", std::string(kItems) + "/" + id, "", kTestPartitionKey}).status, 200) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(On, StopUnderLoadTest, ::testing::Values(SIGTERM, SIGINT, SIGHUP), [](const auto& signal) {
  return std::string(signal.param == SIGTERM ? "SIGTERM" : signal.param == SIGINT ? "SIGINT" : "SIGHUP");
});

}  // namespace
}  // namespace lapse::tests
