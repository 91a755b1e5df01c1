#include "tests/query/fuzz/fuzz_world.h"

#include <algorithm>
#include <string_view>

#include "doc/json.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/shard/partitions/partition.h"
#include "tests/query/fuzz/random_document.h"
#include "tests/query/fuzz/random_values.h"

namespace lapse::query_tests {
namespace {

using api::cosmos::Answer;
using api::cosmos::Headers;

constexpr uint32_t kIds = 12;
// The first items have expired when the world is complete; the others expire soon.
constexpr int kShortTtl_s = 5;
constexpr int kLongerTtl_s = 12;
constexpr int kPagesOfQueryMax = 1000;

std::vector<Datum> DocumentsOf(const Answer& answer) {
  return Datum::FromJson(answer.body).At("Documents").elements();
}

}  // namespace

FuzzWorld::FuzzWorld(Choices* choices, uint32_t writes) {
  rate_limiting_ = engine::RateLimiting::kOff;
  dead_run_entries_min_ = 2;
  api_.reset();
  Restart();
  query_helpers_ = &helpers_;
  query_thresholds_.shared_items = 0;
  // A low threshold, so that the switch from entries to a scan is tested, too.
  if (choices->OneIn(2)) query_thresholds_.entries = 1 + choices->Below(4);
  StartApi(api::cosmos::AnyHost());
  MakeContainers(choices);
  const bool policy_changes = choices->OneIn(4);
  for (uint32_t count = choices->Below(writes) + 1; count > 0; --count) {
    if (choices->OneIn(8)) Pass(1);
    if (policy_changes && count == writes / 4) {
      ChoosePolicy(choices);
      for (int partitions : kPartitionCounts) {
        const Answer replaced = Send("PUT", PathOf(partitions), Definition(partitions));
        EXPECT_EQ(replaced.status, 200) << replaced.body;
      }
    }
    if (choices->OneIn(12)) {
      if (!written_.empty())
        Delete(std::next(written_.begin(), choices->Below(static_cast<uint32_t>(written_.size())))->first);
    } else {
      const Address address = {RandomKey(choices), "d" + std::to_string(choices->Below(kIds))};
      Write(choices, address, RandomMembers(choices));
    }
  }
  Pass(2 * kShortTtl_s);
  if (choices->OneIn(3)) Sweep();
}

void FuzzWorld::MakeContainers(Choices* choices) {
  constexpr std::string_view kDefaults[] = {"-1", "-1", "-1", "1000", "1000", ""};
  default_ttl_ = choices->Pick(kDefaults);
  ChoosePolicy(choices);
  EXPECT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  for (int partitions : kPartitionCounts) {
    const std::string throughput = partitions == 1 ? "400" : std::to_string(6'000 * partitions);
    const Answer made = Send("POST", "/dbs/db/colls", Definition(partitions), {{"x-ms-offer-throughput", throughput}});
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(Find(NameOf(partitions))->partitions().size(), static_cast<size_t>(partitions));
  }
}

void FuzzWorld::ChoosePolicy(Choices* choices) {
  policy_ = RandomPolicy(choices, default_ttl_.empty() ? MayIndexNothing::kYes : MayIndexNothing::kNo);
}

uint64_t FuzzWorld::DeadRunsUsed() {
  uint64_t used = 0;
  for (int partitions : kPartitionCounts) {
    for (const auto& partition : Find(NameOf(partitions))->partitions())
      used += partition->index_memory()->dead_runs.counts().used;
  }
  return used;
}

std::string FuzzWorld::Definition(int partitions) const {
  std::string json =
      R"({"id":")" + NameOf(partitions) + R"(","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})";
  if (!default_ttl_.empty()) json += R"(,"defaultTtl":)" + default_ttl_;
  if (!policy_.json.empty()) json += R"(,"indexingPolicy":)" + policy_.json;
  std::string computed;
  for (const Policy::Computed& one : policy_.computed) {
    computed += (computed.empty() ? R"({"name":")" : R"(,{"name":")") + one.name + R"(","query":)";
    doc::StringToJson(one.query, &computed);
    computed += "}";
  }
  if (!computed.empty()) json += R"(,"computedProperties":[)" + computed + "]";
  return json + "}";
}

void FuzzWorld::Change(Choices* choices) {
  switch (choices->Below(8)) {
    case 5: return Pass(1 + choices->Below(3));
    case 6:
      if (written_.empty()) return;
      return Delete(std::next(written_.begin(), choices->Below(static_cast<uint32_t>(written_.size())))->first);
    case 7: return Sweep();
    default: break;
  }
  // A rewrite with the same members or with others; sometimes of an item that does not exist.
  if (!written_.empty() && choices->Below(4) > 0) {
    const auto at = std::next(written_.begin(), choices->Below(static_cast<uint32_t>(written_.size())));
    const Address address = at->first;
    return Write(choices, address, choices->Below(2) == 0 ? at->second.members : RandomMembers(choices));
  }
  const Address address = {RandomKey(choices), "d" + std::to_string(choices->Below(kIds))};
  Write(choices, address, RandomMembers(choices));
}

void FuzzWorld::Write(Choices* choices, const Address& address, const std::string& members) {
  constexpr int kTtls_s[] = {0, 0, 0, kShortTtl_s, kShortTtl_s, kLongerTtl_s};
  const int own_ttl_s = choices->Pick(kTtls_s);
  std::string json = R"({"id":")" + address.second + R"(","pk":)" + address.first;
  if (own_ttl_s > 0) json += R"(,"ttl":)" + std::to_string(own_ttl_s);
  json += members + "}";
  Headers headers = {{"x-ms-documentdb-partitionkey", "[" + address.first + "]"},
                     {"x-ms-documentdb-is-upsert", "True"}};
  if (choices->OneIn(16)) headers["x-ms-indexing-directive"] = "Exclude";
  Written written{members, std::nullopt, {}};
  for (int partitions : kPartitionCounts) {
    const Answer answer = Send("POST", PathOf(partitions) + "/docs", json, headers);
    EXPECT_TRUE(answer.status == 200 || answer.status == 201) << answer.body << json;
    written.items[partitions] = Datum::FromJson(answer.body);
  }
  const int64_t ttl_s = own_ttl_s > 0 || default_ttl_.empty() ? own_ttl_s : std::stoll(default_ttl_);
  if (!default_ttl_.empty() && ttl_s > 0) written.end_s = written.items[1].At("_ts").integer() + ttl_s;
  written_[address] = std::move(written);
}

void FuzzWorld::Delete(const Address& address) {
  const int wanted = Lives(written_.at(address)) ? 204 : 404;
  for (int partitions : kPartitionCounts) {
    const Answer answer = Send("DELETE", PathOf(partitions) + "/docs/" + address.second, "",
                               {{"x-ms-documentdb-partitionkey", "[" + address.first + "]"}});
    EXPECT_EQ(answer.status, wanted) << answer.body;
  }
  written_.erase(address);
}

void FuzzWorld::Pass(int64_t seconds) {
  PassSeconds(seconds);
  now_s_ += seconds;
}

void FuzzWorld::Sweep() {
  while (engine_->SweepTurn()) {
  }
}

std::vector<Datum> FuzzWorld::Items(int partitions, const QueryScope& scope) {
  std::vector<Datum> items;
  parts_.clear();
  size_t living = 0;
  for (int range = 0; range < partitions; ++range) {
    const Answer feed =
        Send("GET", PathOf(partitions) + "/docs", "",
             {{"x-ms-documentdb-partitionkeyrangeid", std::to_string(range)}, {"x-ms-max-item-count", "1000"}});
    for (const Datum& item : DocumentsOf(feed)) {
      ++living;
      const std::string key = item.At("pk").ToText();
      const auto found = written_.find({key, item.At("id").text()});
      EXPECT_TRUE(found != written_.end() && Lives(found->second) && Identical(found->second.items[partitions], item))
          << "the feed has " << item.ToText();
      if ((scope.range && *scope.range != range) || (scope.key && *scope.key != key)) continue;
      items.push_back(item);
      parts_.push_back(range);
    }
  }
  EXPECT_EQ(living,
            static_cast<size_t>(std::ranges::count_if(written_, [&](const auto& one) { return Lives(one.second); })));
  return items;
}

FuzzedPage FuzzWorld::Ask(int partitions, const FuzzedQuery& query, const QueryScope& scope, int page_size,
                          const std::string& continuation) {
  // Whether helpers read partitions separately may change from page to page.
  helpers_.set_busy((query.text.size() + continuation.size()) % 2 == 0);
  std::string body = R"({"query":)";
  doc::StringToJson(query.text, &body);
  body += R"(,"parameters":)" + query.parameters_json + "}";
  Headers headers = {{"x-ms-documentdb-isquery", "True"},
                     {"content-type", "application/query+json"},
                     {"x-ms-documentdb-query-enablecrosspartition", "True"},
                     {"x-ms-max-item-count", std::to_string(page_size)}};
  if (scope.key) headers["x-ms-documentdb-partitionkey"] = "[" + *scope.key + "]";
  if (scope.range) headers["x-ms-documentdb-partitionkeyrangeid"] = std::to_string(*scope.range);
  if (!continuation.empty()) headers["x-ms-continuation"] = continuation;
  const Answer answer = Send("POST", PathOf(partitions) + "/docs", body, headers);
  FuzzedPage page;
  page.status = answer.status;
  if (answer.status != 200) {
    page.error = answer.body;
    return page;
  }
  page.results = DocumentsOf(answer);
  if (page_size > 0 && page.results.size() > static_cast<size_t>(page_size)) page.error = "a page is too long";
  if (const auto next = answer.headers.find("x-ms-continuation"); next != answer.headers.end()) {
    page.continuation = next->second;
  }
  return page;
}

FuzzedPage FuzzWorld::AskAll(int partitions, const FuzzedQuery& query, const QueryScope& scope, int page_size) {
  FuzzedPage all;
  std::string continuation;
  for (int pages = 0; pages < kPagesOfQueryMax; ++pages) {
    FuzzedPage page = Ask(partitions, query, scope, page_size, continuation);
    all.status = page.status;
    all.error = page.error;
    std::ranges::move(page.results, std::back_inserter(all.results));
    if (page.status != 200 || !page.error.empty() || page.continuation.empty()) return all;
    continuation = page.continuation;
  }
  all.error = "there is no end of pages";
  return all;
}

}  // namespace lapse::query_tests
