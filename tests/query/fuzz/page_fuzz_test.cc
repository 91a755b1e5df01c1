// Random queries are read page by page, while items are rewritten, created and deleted and expire between the pages. A
// row that lives, matches and keeps its position through all pages must come exactly once, and a row that had one
// position at most once. A row that matched at no page must never come. Each page must be in order.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/parse.h"
#include "tests/query/fuzz/choices.h"
#include "tests/query/fuzz/fuzz_seeds.h"
#include "tests/query/fuzz/fuzz_world.h"
#include "tests/query/fuzz/random_query.h"
#include "tests/query/fuzz/shrink.h"
#include "tests/query/reference/reference.h"

namespace lapse::query_tests {
namespace {

constexpr uint64_t kFewPageCases = 600;
constexpr uint32_t kPageWorldWrites = 24;
constexpr uint32_t kChangesMax = 3;
constexpr int kPagesOfFeedMax = 300;
constexpr int kPageShrinkTries = 4000;

struct Place {
  std::string result;  // what the row shows
  std::string place;   // keys of ORDER BY, and the number of the row within its item

  auto operator<=>(const Place&) const = default;
};

// What the query would answer as a whole, at one moment.
std::vector<Place> PlacesOf(const ReferenceAnswer& answer, bool distinct) {
  std::vector<Place> places;
  for (const ReferenceRow& row : answer.rows) {
    Place& one = places.emplace_back();
    one.result = Shown(row.result).ToText();
    if (distinct) continue;
    one.place = std::to_string(row.row);
    for (const Datum& key : row.keys) one.place += " " + key.ToText();
  }
  return places;
}

// Follows one query over its pages.
class Reading {
 public:
  void AddPage(const std::vector<Place>& moment, const std::vector<Datum>& results, bool in_order) {
    const std::set<Place> now(moment.begin(), moment.end());
    if (pages_ == 0) {
      stays_ = now;
    } else {
      std::erase_if(stays_, [&](const Place& one) { return !now.contains(one); });
    }
    seen_.insert(now.begin(), now.end());
    ++pages_;
    auto at = moment.begin();
    for (const Datum& result : results) {
      const std::string text = result.ToText();
      ++given_[text];
      if (!in_order) continue;
      at = std::find_if(at, moment.end(), [&](const Place& one) { return one.result == text; });
      if (at == moment.end()) {
        wrong_ += "\n    not there, or not in order, on page " + std::to_string(pages_) + ": " + text;
        return;
      }
      ++at;
    }
  }

  // Returns what is wrong with the pages; empty if nothing is.
  std::string Wrong() const {
    std::string wrong = wrong_;
    std::map<std::string, int> least, most;
    for (const Place& one : stays_) ++least[one.result];
    for (const Place& one : seen_) ++most[one.result];
    for (const auto& [result, count] : least) {
      if (!given_.contains(result) || given_.at(result) < count) wrong += "\n    lost: " + result;
    }
    for (const auto& [result, count] : given_) {
      if (!most.contains(result)) {
        wrong += "\n    never matched: " + result;
      } else if (count > most.at(result)) {
        wrong += "\n    repeated: " + result;
      }
    }
    return wrong;
  }

 private:
  int pages_ = 0;
  std::set<Place> stays_;  // in their positions since the first page
  std::set<Place> seen_;   // in any page
  std::map<std::string, int> given_;
  std::string wrong_;
};

// Returns what is wrong, preceded by the case; empty if nothing is. Adds to `runs_used` (FuzzWorld::DeadRunsUsed).
std::string Try(Choices* choices, uint64_t* runs_used) {
  FuzzWorld world(choices, kPageWorldWrites);
  const FuzzedQuery query = QueryMaker(choices, &world.policy()).Traceable();
  const int partitions = choices->Pick(FuzzWorld::kPartitionCounts);
  const auto page_size = static_cast<int>(choices->Below(4)) + 1;
  std::string described = "\n  " + query.text + "\n  parameters " + query.parameters_json + "\n  policy " +
                          world.policy().json + "\n  " + std::to_string(partitions) + " partition(s), pages of " +
                          std::to_string(page_size);
  auto tree = query::sql::Parse(query.text);
  if (!tree.ok()) return described + "\n  it is no query: " + tree.status().ToString();
  const bool distinct = tree->query().distinct;
  Reading reading;
  std::string continuation;
  for (int pages = 0; pages < kPagesOfFeedMax; ++pages) {
    const std::vector<Datum> items = world.Items(partitions, {});
    const Reference reference(
        items, query.parameters, [&](const std::vector<std::string>& path) { return world.policy().RuleOf(path); },
        [&](const Datum& item, std::string_view name) { return world.policy().ComputedOf(item, name); }, world.parts());
    const ReferenceAnswer answer = reference.Answer(tree->query());
    const uint64_t used_before = world.DeadRunsUsed();
    const FuzzedPage page = world.Ask(partitions, query, {}, page_size, continuation);
    *runs_used += world.DeadRunsUsed() - used_before;
    if (answer.refused) return page.status == 400 ? "" : described + "\n  it should be refused";
    if (page.status != 200 || !page.error.empty()) return described + "\n  " + page.error;
    reading.AddPage(PlacesOf(answer, distinct), page.results, answer.in_order);
    described += "\n  page:";
    for (const Datum& result : page.results) described += " " + result.ToText();
    if (page.continuation.empty()) {
      const std::string wrong = reading.Wrong();
      return wrong.empty() ? "" : described + "\n  wrong:" + wrong;
    }
    continuation = page.continuation;
    for (uint32_t changes = choices->Below(kChangesMax + 1); changes > 0; --changes) world.Change(choices);
  }
  return described + "\n  there is no end of pages";
}

std::string Shrunk(const Made& made) {
  const auto difference = [](const Made& smaller) {
    Choices choices(smaller);
    uint64_t runs_used = 0;
    return Try(&choices, &runs_used);
  };
  return difference(Shrink(made, kPageShrinkTries, [&](const Made& smaller) { return !difference(smaller).empty(); }));
}

TEST(QueryFuzz, PagesNeitherRepeatNorLose) {
  const FuzzSeeds seeds = FuzzSeeds::FromEnvironment(kFewPageCases);
  int failures = 0;
  uint64_t runs_used = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count && failures < kFailuresMax; ++seed) {
    Choices choices(seed);
    const std::string difference = Try(&choices, &runs_used);
    if (difference.empty()) continue;
    ++failures;
    ADD_FAILURE() << "replay with LAPSE_QUERY_SEED=" << seed << difference;
    if (seeds.count == 1) ADD_FAILURE() << "made small:" << Shrunk(choices.made());
  }
  if (seeds.count >= kFewPageCases) {
    EXPECT_GT(runs_used, seeds.count / 100);
  }
}

}  // namespace
}  // namespace lapse::query_tests
