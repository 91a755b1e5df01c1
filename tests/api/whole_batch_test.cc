// No answer shows half a batch. A batch that changes all items of a group is committed in the middle of a request that
// reads them: at the request's first call to the store, then at the second, and so on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/batch/batch_fixture.h"
#include "doc/json.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::api::cosmos {
namespace {

constexpr int kItems = 10;
constexpr char kDocs[] = "/dbs/db/colls/c/docs";

class WholeBatchTest : public BatchFixture {
 protected:
  WholeBatchTest() {
    api_.reset();
    engine_.reset();
    store::FaultyOptions options;
    options.on_call = [this](std::string_view) {
      if (calls_left_ > 0 && --calls_left_ == 0) ChangeAll();
    };
    shard_ = std::make_unique<store::FaultyShard>(options, engine::EngineFamilies(&purge_filter_));
    Restart();
    StartApi(AnyHost());
    MakeItems(R"("changeFeedPolicy":{"retentionDuration":60})");
    ChangeAll();
  }

  // Commits one batch. It may have to wait for a commit that is under way.
  void ChangeAll() {
    const engine::ContainerPtr container = Find("c");
    std::vector<engine::ItemWrite> operations;
    ++number_;
    for (int i = 0; i < kItems; ++i) {
      const std::string json = R"({"id":")" + Id(i) + R"(","pk":"p","n":)" + std::to_string(number_) + "}";
      engine::ItemWrite& write = operations.emplace_back();
      write.kind = engine::WriteKind::kUpsert;
      write.address = Address(*container, "p", Id(i));
      ASSERT_TRUE(doc::JsonToBson(json, {.depth_max = 10, .bytes_max = 1000}, &write.document).ok());
    }
    container->WriteAtomically(std::move(operations), [](const engine::AtomicOutcome& outcome) {
      EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
    });
  }
  static std::string Id(int i) { return "i" + std::to_string(i); }

  // The numbers that an answer shows, and the number of items.
  struct Shown {
    std::set<std::string> numbers;
    int items = 0;
  };
  static Shown ShownBy(const Answer& answer, const std::string& list, const std::string& item) {
    Shown shown;
    const Answer wrapped{answer.status, {}, R"({"answer":)" + answer.body + "}"};
    for (;; ++shown.items) {
      std::string path = "/answer" + list;
      path.append("/").append(std::to_string(shown.items)).append(item).append("/n");
      const std::string number = wrapped.At(path);
      if (number.empty() || number.starts_with("not JSON")) return shown;
      shown.numbers.insert(number);
    }
  }

  // Sends the request repeatedly, each time with a batch committed at another point of it.
  void ChangeWhile(const std::function<Answer()>& send, const std::function<void(const Answer&)>& check) {
    int disturbed = 0;
    for (int calls = 1;; ++calls) {
      SCOPED_TRACE("at call " + std::to_string(calls));
      for (int i = 0; i < kItems; i += 2) ASSERT_EQ(ReadItem(Id(i)).status, 200);  // so that half of them are cached
      const int before = number_;
      calls_left_ = calls;
      const Answer answer = send();
      calls_left_ = 0;
      ASSERT_LT(answer.status, 300) << answer.body;
      check(answer);
      if (number_ == before) break;
      ++disturbed;
    }
    EXPECT_GT(disturbed, 0) << "it never reads the store";
  }

  static void ExpectOneBatch(const Shown& shown, int items) {
    EXPECT_EQ(shown.items, items);
    EXPECT_EQ(shown.numbers.size(), 1U) << ::testing::PrintToString(shown.numbers);
  }

  int calls_left_ = 0;
  int number_ = 0;
};

TEST_F(WholeBatchTest, PagesOfFeeds) {
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  for (const Headers& scope : {Headers{}, key}) {
    for (const int page : {kItems, 4}) {
      Headers headers = scope;
      headers["x-ms-max-item-count"] = std::to_string(page);
      ChangeWhile([&] { return Send("GET", kDocs, "", headers); },
                  [&](const Answer& answer) { ExpectOneBatch(ShownBy(answer, "/Documents", ""), page); });
    }
  }
}

TEST_F(WholeBatchTest, PagesOfQueries) {
  const Headers headers = {{"x-ms-documentdb-isquery", "True"},
                           {"content-type", "application/query+json"},
                           {"x-ms-documentdb-partitionkey", R"(["p"])"}};
  ChangeWhile([&] { return Send("POST", kDocs, R"({"query":"SELECT * FROM c"})", headers); },
              [&](const Answer& answer) { ExpectOneBatch(ShownBy(answer, "/Documents", ""), kItems); });
}

TEST_F(WholeBatchTest, PagesOfTheChangeFeed) {
  const Headers headers = {{"a-im", "Incremental feed"}, {"x-ms-max-item-count", "3"}};
  ChangeWhile([&] { return Send("GET", kDocs, "", headers); },
              [&](const Answer& answer) { ExpectOneBatch(ShownBy(answer, "/Documents", ""), kItems); });
}

TEST_F(WholeBatchTest, PagesOfTheFullChangeFeed) {
  Headers headers = {{"a-im", "Full-Fidelity Feed"}, {"if-none-match", "*"}, {"x-ms-max-item-count", "3"}};
  headers["if-none-match"] = Send("GET", kDocs, "", headers).headers["etag"];
  ChangeAll();
  ChangeWhile([&] { return Send("GET", kDocs, "", headers); },
              [&](const Answer& answer) { ExpectOneBatch(ShownBy(answer, "/Documents", "/current"), kItems); });
}

TEST_F(WholeBatchTest, BatchesOfReads) {
  std::vector<std::string> reads;
  for (int i = 0; i < kItems; ++i) reads.push_back(OnId("Read", Id(i)));
  ChangeWhile([&] { return Batch(List(reads)); },
              [&](const Answer& answer) { ExpectOneBatch(ShownBy(answer, "", "/resourceBody"), kItems); });
}

}  // namespace
}  // namespace lapse::api::cosmos
