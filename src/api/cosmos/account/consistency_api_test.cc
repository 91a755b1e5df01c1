// Tests the account's consistency level: which levels requests may ask for, and the price of reads.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

constexpr Consistency kLevels[] = {Consistency::kStrong, Consistency::kBoundedStaleness, Consistency::kSession,
                                   Consistency::kConsistentPrefix, Consistency::kEventual};

class ConsistencyApiTest : public ApiFixture {
 protected:
  void StartWith(Consistency level) {
    consistency_ = level;
    StartApi(AnyHost());
  }
  static Headers Asking(Consistency level) { return {{"x-ms-consistency-level", std::string(ConsistencyName(level))}}; }
  std::string ChargeOf(Answer answer) { return answer.headers["x-ms-request-charge"]; }
};

TEST_F(ConsistencyApiTest, ARequestMayWeakenTheLevelAndNotStrengthenIt) {
  for (Consistency account : kLevels) {
    StartWith(account);
    EXPECT_EQ(Send("GET", "/").At("/userConsistencyPolicy/defaultConsistencyLevel"),
              "\"" + std::string(ConsistencyName(account)) + "\"");
    for (Consistency asked : kLevels) {
      Answer answer = Send("GET", "/dbs", "", Asking(asked));
      EXPECT_EQ(answer.status, asked < account ? 400 : 200) << ConsistencyName(asked);
      if (answer.status == 200) continue;
      EXPECT_THAT(answer.Message(), HasSubstr("ConsistencyLevel " + std::string(ConsistencyName(asked)) +
                                              " specified in the request is invalid when service is configured with "
                                              "consistency level " +
                                              std::string(ConsistencyName(account))));
    }
    EXPECT_EQ(Send("GET", "/dbs", "", {{"x-ms-consistency-level", "strong"}}).status, 400);
  }
}

TEST_F(ConsistencyApiTest, TheReadStrategyIsChecked) {
  MakeItems();
  CreateItem(R"({"id":"x","pk":"p"})");
  const auto read = [&](const std::string& strategy, Headers more = {}) {
    more["x-ms-cosmos-read-consistency-strategy"] = strategy;
    return ReadItem("x", R"(["p"])", more);
  };
  for (const char* strategy : {"Eventual", "Session", "LatestCommitted", ""}) {
    EXPECT_EQ(read(strategy).status, 200) << strategy;
  }
  EXPECT_EQ(ChargeOf(read("LatestCommitted")), "2") << "it reads from a quorum";
  EXPECT_EQ(read("GlobalStrong").status, 400);
  EXPECT_EQ(read("eventual").status, 400);
  EXPECT_EQ(read("Strong").status, 400);
  EXPECT_EQ(read("Session", Asking(Consistency::kSession)).status, 400) << "one of the two";
  StartWith(Consistency::kStrong);
  EXPECT_EQ(read("GlobalStrong").status, 200);
  EXPECT_EQ(ChargeOf(read("Eventual")), "1");
}

TEST_F(ConsistencyApiTest, StrongAndBoundedReadsCostDouble) {
  MakeItems();
  for (Consistency account : kLevels) {
    StartWith(account);
    const bool twice = account == Consistency::kStrong || account == Consistency::kBoundedStaleness;
    EXPECT_EQ(ChargeOf(CreateItem(R"({"id":"x","pk":"p"})")), "5.2") << "a write costs what it costs";
    EXPECT_EQ(ChargeOf(ReadItem("x")), twice ? "2" : "1");
    EXPECT_EQ(ChargeOf(ReadItem("missing")), twice ? "2" : "1");
    EXPECT_EQ(ChargeOf(Send("GET", "/dbs/db/colls/c/docs")), twice ? "2.12" : "1.06");
    EXPECT_EQ(ChargeOf(ReadItem("x", R"(["p"])", Asking(Consistency::kEventual))), "1")
        << "who asks for less pays less";
    EXPECT_EQ(ChargeOf(OneItem("DELETE", "x")), "5");
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
