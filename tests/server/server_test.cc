// The server seen from outside: start, refusal to start, stop, restart, and the command-line client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/temporary_directory.h"
#include "server/client/commands.h"
#include "tests/server/server_process.h"

namespace lapse::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ServerProgram().empty()) GTEST_SKIP() << "LAPSED does not name the server's program";
  }

  // Arguments for the test's own data directory.
  std::vector<std::string> OnDirectory(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--data-dir", directory_.PathOf("data")});
    return more;
  }

  // A reserve that leaves no room for any write.
  std::string WholeDisk() const { return std::to_string(std::filesystem::space(directory_.path()).capacity); }

  static void ExpectRefused(std::vector<std::string> arguments, int exit_code, const std::string& reason) {
    ServerProcess server(std::move(arguments));
    EXPECT_FALSE(server.ready());
    EXPECT_EQ(server.Wait(), exit_code);
    EXPECT_THAT(server.log(), HasSubstr(reason));
  }

  static std::string Body(const Result<server::client::HttpReply>& reply, int status) {
    if (!reply.ok()) {
      ADD_FAILURE() << reply.status().ToString();
      return "";
    }
    EXPECT_EQ(reply->status, status);
    return reply->body;
  }

  // The part of a clock's answer before the machine's clocks, which keep running.
  static std::string StoreTime(const std::string& clock) {
    EXPECT_THAT(clock, HasSubstr(R"(,"wall_ms":)"));
    return clock.substr(0, clock.find(R"(,"held":)"));
  }

  static int Stop(ServerProcess* server) {
    server->Signal(SIGTERM);
    return server->Wait();
  }

  // Runs `lapse` with these arguments. Its output goes to `out_` and `err_`.
  int Client(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "lapse");
    out_.str("");
    err_.str("");
    return server::client::RunCommand(
        static_cast<int>(arguments.size()), arguments.data(), [](const std::string&) { return std::nullopt; }, out_,
        err_);
  }

  TemporaryDirectory directory_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ServerTest, SaysWhereItIsOnceItServes) {
  ServerProcess server(OnDirectory());
  ASSERT_TRUE(server.ready()) << server.log();
  EXPECT_THAT(server.log(), HasSubstr("connection_string=\"AccountEndpoint=" + server.url() + "/;AccountKey="));
  std::string health = Body(server.Get("/_lapse/health"), 200);
  EXPECT_THAT(health, HasSubstr(R"("healthy":true)"));
  EXPECT_THAT(health, HasSubstr(R"("held":false)"));
}

TEST_F(ServerTest, AKeyThatIsASecretIsNotLogged) {
  const std::string key = "b25seSB0aGUgcGVvcGxlIGhlcmUgc2hhbGwga25vdyB0aGlz";
  const std::string reading = "YW5kIHRoaXMgb25lIGlzIGZvciB0aG9zZSB3aG8gb25seSByZWFk";
  ServerProcess server(OnDirectory({"--account-key", key, "--read-only-key", reading, "--log-level", "trace"}));
  ASSERT_TRUE(server.ready()) << server.log();
  EXPECT_THAT(server.log(), HasSubstr("AccountEndpoint=" + server.url() + "/;AccountKey=(not shown);"));
  Body(server.Get("/dbs"), 401);
  std::string url = server.url();
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "accept"}), 1) << "the well-known key is not this server's";
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "--key", key.c_str(), "clock", "accept"}), 0) << err_.str();
  EXPECT_EQ(Stop(&server), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr(key)));
  EXPECT_THAT(server.log(), Not(HasSubstr(reading)));
  ExpectRefused(OnDirectory({"--acount-key", key}), 2, "--acount-key");
}

TEST_F(ServerTest, GivesMetrics) {
  ServerProcess server(OnDirectory());
  ASSERT_TRUE(server.ready()) << server.log();
  Body(server.Get("/dbs"), 401);
  std::string metrics = Body(server.Get("/_lapse/metrics"), 200);
  for (const char* name : {"process_resident_memory_bytes ", "lapse_uptime_seconds ", "lapse_store_disk_bytes ",
                           "lapse_store_memory_bytes ", "lapse_connections ", "lapse_request_memory_bytes 0",
                           "lapse_writable 1", "lapse_clock_held 0", "lapse_clock_mark_failures_total 0",
                           "lapse_store_time_seconds ", "lapse_cosmos_requests_total{status=\"4xx\"} 1"}) {
    EXPECT_THAT(metrics, HasSubstr(name));
  }
}

TEST_F(ServerTest, RequestsWithoutASignatureAreRefusedInJson) {
  ServerProcess server(OnDirectory());
  ASSERT_TRUE(server.ready()) << server.log();
  EXPECT_THAT(Body(server.Get("/dbs"), 401), HasSubstr(R"("code":"Unauthorized")"));
}

TEST_F(ServerTest, EndsCleanlyOnEachSignal) {
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    server.Signal(signal);
    EXPECT_EQ(server.Wait(), 0);
    EXPECT_THAT(server.log(), HasSubstr("stopped"));
  }
}

TEST_F(ServerTest, StartsAgainAfterBeingKilled) {
  {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    server.Signal(SIGKILL);
    EXPECT_EQ(server.Wait(), -1);
  }
  ServerProcess again(OnDirectory());
  EXPECT_TRUE(again.ready()) << again.log();
  EXPECT_EQ(Stop(&again), 0);
}

TEST_F(ServerTest, ADirectoryThatLostItsDataIsRefused) {
  {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_EQ(Stop(&server), 0);
  }
  const std::filesystem::path shard = directory_.PathOf("data/shard-0");
  for (const auto& entry : std::filesystem::directory_iterator(shard)) {
    if (entry.path().extension() != ".log") continue;
    std::filesystem::remove(entry.path());
    break;
  }
  ExpectRefused(OnDirectory(), 1, ".log is missing");
  std::filesystem::remove_all(shard);
  ExpectRefused(OnDirectory(), 1, "shard-0");
  EXPECT_FALSE(std::filesystem::exists(shard));
}

TEST_F(ServerTest, ADiskWithLessThanTheReserveTakesNoWritesAndIsHealthy) {
  ServerProcess server(OnDirectory({"--disk-reserve", WholeDisk()}));
  ASSERT_TRUE(server.ready()) << server.log();
  std::string health = Body(server.Get("/_lapse/health"), 200);
  EXPECT_THAT(health, HasSubstr(R"("healthy":true)"));
  EXPECT_THAT(health, HasSubstr(R"("writes":"refused","reason":"the disk is full)"));
  EXPECT_THAT(Body(server.Get("/_lapse/metrics"), 200), HasSubstr("lapse_writable 0"));
  EXPECT_EQ(Stop(&server), 0);
}

TEST_F(ServerTest, AReserveLargerThanTheDiskIsRefused) {
  ExpectRefused(OnDirectory({"--disk-reserve", "1000000T"}), 1,
                "is larger than the disk of " + directory_.path().string());
}

TEST_F(ServerTest, AVariableThatNoOptionHasIsRefused) {
  ::setenv("LAPSE_DATADIR", "/d", 1);
  ServerProcess server({"--in-memory"}, ServerProcess::Variables::kInherited);
  ::unsetenv("LAPSE_DATADIR");
  EXPECT_FALSE(server.ready());
  EXPECT_EQ(server.Wait(), 2);
  EXPECT_THAT(server.log(), HasSubstr("LAPSE_DATADIR; did you mean 'LAPSE_DATA_DIR'?"));
}

TEST_F(ServerTest, TheDataIsItsOwnersAlone) {
  namespace fs = std::filesystem;
  const std::string data_dir = directory_.PathOf("data");
  fs::create_directory(data_dir);
  fs::permissions(data_dir, fs::perms::all);
  const mode_t before = ::umask(0);
  {
    ServerProcess server(OnDirectory({"--tls", "auto"}));
    EXPECT_TRUE(server.ready()) << server.log();
    EXPECT_THAT(server.log(), HasSubstr("data_dir_closed_to_others"));
    EXPECT_EQ(Stop(&server), 0);
  }
  ::umask(before);
  constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(data_dir).permissions(), fs::perms::owner_all);
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data_dir)) {
    EXPECT_EQ(entry.status().permissions() & kOthers, fs::perms::none) << entry.path();
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_GT(files, 5U);
}

TEST_F(ServerTest, AStartOfAnExistingDirectoryWarnsOfNothing) {
  for (int start = 0; start < 3; ++start) {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_EQ(Stop(&server), 0);
    EXPECT_THAT(server.log(), Not(HasSubstr(" warning ")));
  }
}

TEST_F(ServerTest, OneServerPerDirectory) {
  ServerProcess first(OnDirectory());
  ASSERT_TRUE(first.ready()) << first.log();
  ExpectRefused(OnDirectory(), 1, directory_.path().string());
  Body(first.Get("/_lapse/health"), 200);
}

TEST_F(ServerTest, OneServerPerPort) {
  ServerProcess first({"--in-memory"});
  ASSERT_TRUE(first.ready()) << first.log();
  ExpectRefused({"--in-memory", "--port", std::to_string(first.port())}, 1, std::to_string(first.port()));
}

TEST_F(ServerTest, ADirectoryThatCannotBeMadeIsNamed) {
  ExpectRefused({"--data-dir", "/dev/null/data"}, 1, "/dev/null/data");
}

TEST_F(ServerTest, BadUsageHasItsOwnExitCode) {
  ExpectRefused({"--in-memory", "--port", "99999"}, 2, "--port");
  ExpectRefused({"--in-memory", "--host", "0.0.0.0"}, 2, "--allow-well-known-key");
}

TEST_F(ServerTest, InMemoryKeepsNothing) {
  ServerProcess server({"--in-memory", "--test-clock"});
  ASSERT_TRUE(server.ready()) << server.log();
  Body(server.Get("/_lapse/health"), 200);
  EXPECT_EQ(Stop(&server), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr("error"))) << "a healthy start has none to report";
}

TEST_F(ServerTest, AMadeCertificateIsHandedOutAndKept) {
  std::string certificate;
  {
    ServerProcess server(OnDirectory({"--tls", "auto"}));
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_THAT(server.log(), HasSubstr("endpoint=https://127.0.0.1:"));
    certificate = Body(server.Get("/_explorer/emulator.pem"), 200);
    EXPECT_THAT(certificate, StartsWith("-----BEGIN CERTIFICATE-----"));
    EXPECT_THAT(certificate, Not(HasSubstr("PRIVATE KEY")));
    EXPECT_EQ(Stop(&server), 0);
  }
  ServerProcess again(OnDirectory({"--tls", "auto"}));
  ASSERT_TRUE(again.ready()) << again.log();
  EXPECT_EQ(Body(again.Get("/_explorer/emulator.pem"), 200), certificate);
}

TEST_F(ServerTest, ACertificateThatIsNotThereIsNamed) {
  ExpectRefused(OnDirectory({"--tls-cert", "/nowhere/cert.pem", "--tls-key", "/nowhere/key.pem"}), 1,
                "/nowhere/cert.pem");
}

TEST_F(ServerTest, ACertificateThatIsNoneIsNamed) {
  const std::string bad = directory_.PathOf("bad.pem");
  std::ofstream(bad) << "not a certificate";
  ExpectRefused(OnDirectory({"--tls-cert", bad, "--tls-key", bad}), 1, bad);
}

TEST_F(ServerTest, TestTimeSurvivesARestart) {
  std::string frozen;
  {
    ServerProcess server(OnDirectory({"--test-clock"}));
    ASSERT_TRUE(server.ready()) << server.log();
    Body(server.Post("/_lapse/clock", R"({"freeze":true})"), 200);
    frozen = Body(server.Post("/_lapse/clock", R"({"advance":"400d"})"), 200);
    Body(server.Post("/_lapse/clock", R"({"set":1000000000})"), 400);
    EXPECT_EQ(Stop(&server), 0);
  }
  ServerProcess again(OnDirectory({"--test-clock"}));
  ASSERT_TRUE(again.ready()) << again.log();
  EXPECT_EQ(StoreTime(Body(again.Get("/_lapse/clock"), 200)), StoreTime(frozen));
}

// With a reserve this large the store itself refuses every write.
TEST_F(ServerTest, TestTimeSurvivesARestartOnAFullDisk) {
  std::string moved;
  {
    ServerProcess server(OnDirectory({"--test-clock", "--disk-reserve", WholeDisk()}));
    ASSERT_TRUE(server.ready()) << server.log();
    Body(server.Post("/_lapse/clock", R"({"freeze":true})"), 200);
    moved = Body(server.Post("/_lapse/clock", R"({"advance":"400d"})"), 200);
    EXPECT_THAT(Body(server.Get("/_lapse/metrics"), 200), HasSubstr("lapse_clock_mark_failures_total 0"));
    EXPECT_EQ(Stop(&server), 0);
  }
  ServerProcess again(OnDirectory({"--test-clock"}));
  ASSERT_TRUE(again.ready()) << again.log();
  EXPECT_EQ(StoreTime(Body(again.Get("/_lapse/clock"), 200)), StoreTime(moved));
}

TEST_F(ServerTest, ADirectoryThatLostItsClockIsRefusedUntilItIsReset) {
  {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_EQ(Stop(&server), 0);
  }
  const std::string data_dir = directory_.PathOf("data");
  std::filesystem::remove(data_dir + "/CLOCK");
  ExpectRefused(OnDirectory(), 1, "CLOCK is missing");
  EXPECT_EQ(Client({"clock", "reset", "--yes", "--data-dir", data_dir.c_str()}), 0) << err_.str();
  ServerProcess again(OnDirectory());
  EXPECT_TRUE(again.ready()) << again.log();
}

TEST_F(ServerTest, TestTimeAndRealTimeDoNotMix) {
  {
    ServerProcess server(OnDirectory({"--test-clock"}));
    ASSERT_TRUE(server.ready()) << server.log();
  }
  ExpectRefused(OnDirectory(), 1, "test clock");

  TemporaryDirectory real;
  {
    ServerProcess server({"--data-dir", real.path()});
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_THAT(Body(server.Get("/_lapse/clock"), 200), HasSubstr(R"("test":false)"));
    Body(server.Post("/_lapse/clock", R"({"freeze":true})"), 403);
  }
  ExpectRefused({"--data-dir", real.path(), "--test-clock"}, 1, "test clock");
}

TEST_F(ServerTest, TheClientAsksTheServer) {
  ServerProcess server({"--in-memory", "--test-clock"});
  ASSERT_TRUE(server.ready()) << server.log();
  std::string url = server.url();
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "health"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("\nwrites ok\nthe test clock\n"));
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "health", "--json"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr(R"("healthy":true)"));
  EXPECT_EQ(Client({"metrics", "--endpoint", url.c_str()}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("lapse_store_time_seconds"));
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "freeze"}), 0) << err_.str();
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "advance", "30d"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr(R"("frozen":true)"));
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "set", "4000000000"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr(R"({"now":4000000000,"frozen":true,"test":true,"now_ms":4000000000000,)"));
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "set", "5"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("BadRequest"));
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "resume"}), 0) << err_.str();
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "accept"}), 0) << err_.str();
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "clock", "show"}), 0) << err_.str();
}

TEST_F(ServerTest, TheClientTellsFailureFromBadUsage) {
  EXPECT_EQ(Client({}), 2);
  EXPECT_EQ(Client({"clock"}), 2);
  EXPECT_EQ(Client({"--endpoint", "nonsense", "health"}), 2);
  EXPECT_EQ(Client({"--help"}), 0);
  uint16_t port = 0;
  {
    ServerProcess server({"--in-memory"});
    port = server.port();
  }
  std::string url = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(Client({"--endpoint", url.c_str(), "health"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("no answer from 127.0.0.1"));
}

TEST_F(ServerTest, ResetIsForADirectoryThatNoServerHas) {
  std::string data_dir = directory_.PathOf("data");
  {
    ServerProcess server(OnDirectory());
    ASSERT_TRUE(server.ready()) << server.log();
    EXPECT_EQ(Client({"clock", "reset", "--yes", "--data-dir", data_dir.c_str()}), 1) << "the server has it open";
    EXPECT_EQ(Stop(&server), 0);
  }
  EXPECT_EQ(Client({"clock", "reset", "--yes", "--data-dir", data_dir.c_str()}), 0) << err_.str();
  ServerProcess again(OnDirectory());
  EXPECT_TRUE(again.ready()) << again.log();
}

TEST_F(ServerTest, ResetLeavesTheTestClockAlone) {
  std::string data_dir = directory_.PathOf("data");
  std::string frozen;
  {
    ServerProcess server(OnDirectory({"--test-clock"}));
    ASSERT_TRUE(server.ready()) << server.log();
    Body(server.Post("/_lapse/clock", R"({"freeze":true})"), 200);
    frozen = Body(server.Post("/_lapse/clock", R"({"advance":"3650d"})"), 200);
    EXPECT_EQ(Stop(&server), 0);
  }
  EXPECT_EQ(Client({"clock", "reset", "--yes", "--data-dir", data_dir.c_str()}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("test clock"));
  ServerProcess again(OnDirectory({"--test-clock"}));
  ASSERT_TRUE(again.ready()) << again.log();
  EXPECT_EQ(StoreTime(Body(again.Get("/_lapse/clock"), 200)), StoreTime(frozen));
}

TEST_F(ServerTest, ResetMakesNothingWhereThereIsNothing) {
  std::string nowhere = directory_.PathOf("nowhere");
  EXPECT_EQ(Client({"clock", "reset", "--yes", "--data-dir", nowhere.c_str()}), 1);
  EXPECT_FALSE(std::filesystem::exists(nowhere));
}

}  // namespace
}  // namespace lapse::tests
