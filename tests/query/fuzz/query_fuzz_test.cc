// Compares the API's answers to random queries, over random documents and indexing policies, page by page with the
// reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
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

constexpr uint64_t kFewQueryCases = 4000;
// Cases that share documents and policy, since creating those takes much longer than a query.
constexpr uint64_t kCasesOfWorld = 50;
constexpr uint32_t kQueryWorldWrites = 40;
constexpr int kQueryShrinkTries = 1500;
// An answer with more items is printed without them.
constexpr size_t kShownItems = 6;

// Abbreviates long runs of a letter as `x*700`.
std::string Short(const std::string& text) {
  std::string shorter;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(text[i], i), text.size());
    shorter += end - i > 20 ? text.substr(i, 1) + "*" + std::to_string(end - i) : text.substr(i, end - i);
    i = end;
  }
  return shorter;
}

std::string Listed(const std::vector<Datum>& list) {
  std::string text;
  for (const Datum& one : list) text += "\n    " + Short(one.ToText());
  return text;
}

std::vector<Datum> Sliced(const ReferenceAnswer& answer) {
  std::vector<Datum> results;
  for (size_t i = answer.offset; i < answer.rows.size(); ++i) {
    if (answer.limit && i - answer.offset >= *answer.limit) break;
    results.push_back(Shown(answer.rows[i].result));
  }
  return results;
}

// Whether each of `got` is one of `wanted`, each of which counts once.
bool AreAmong(const std::vector<Datum>& got, const ReferenceAnswer& answer) {
  std::vector<Datum> wanted;
  for (const ReferenceRow& row : answer.rows) wanted.push_back(Shown(row.result));
  for (const Datum& one : got) {
    const auto found = std::ranges::find_if(wanted, [&](const Datum& other) { return Same(one, other); });
    if (found == wanted.end()) return false;
    wanted.erase(found);
  }
  return true;
}

// Returns what is wrong with the answer; empty if nothing is.
std::string Difference(const ReferenceAnswer& answer, const FuzzedPage& got) {
  if (answer.refused)
    return got.status == 400 ? "" : "it should be refused, and has status " + std::to_string(got.status);
  if (got.status != 200 || !got.error.empty()) return "status " + std::to_string(got.status) + " " + got.error;
  const std::vector<Datum> wanted = Sliced(answer);
  bool fits = got.results.size() == wanted.size();
  if (fits && answer.in_order) {
    fits = std::ranges::equal(got.results, wanted, answer.written_alike ? Identical : Same);
  } else if (fits) {
    fits = AreAmong(got.results, answer);
  }
  return fits ? "" : "wanted:" + Listed(wanted) + "\n  got:" + Listed(got.results);
}

struct Case {
  FuzzedQuery query;
  int partitions = 1;
  int page_size = 100;
  QueryScope scope;
};

Case MakeCase(Choices* choices, const Policy& policy) {
  constexpr int kPageSizes[] = {100, 1, 2, 3, 7, 100};
  Case one;
  one.query = QueryMaker(choices, &policy).Any();
  one.partitions = choices->Pick(FuzzWorld::kPartitionCounts);
  one.page_size = choices->Pick(kPageSizes);
  switch (choices->Below(8)) {
    case 6: one.scope.key = R"("p)" + std::to_string(choices->Below(5)) + "\""; break;
    case 7: one.scope.range = static_cast<int>(choices->Below(static_cast<uint32_t>(one.partitions))); break;
    default: break;
  }
  return one;
}

std::string ComputedOf(const Policy& policy) {
  std::string text;
  for (const Policy::Computed& one : policy.computed) text += " " + one.name + ": " + one.query + ";";
  return text;
}

std::string Described(const Case& one, const Policy& policy) {
  return "\n  " + Short(one.query.text) + "\n  parameters " + Short(one.query.parameters_json) + "\n  policy " +
         (policy.json.empty() ? "not given" : policy.json) + "\n  computed" + ComputedOf(policy) + "\n  " +
         std::to_string(one.partitions) + " partition(s), pages of " + std::to_string(one.page_size) +
         (one.scope.key ? ", key " + *one.scope.key : "") +
         (one.scope.range ? ", range " + std::to_string(*one.scope.range) : "") + "\n  ";
}

// Consecutive cases share a world.
class Worlds {
 public:
  FuzzWorld& Of(uint64_t number) {
    if (world_ == nullptr || number_ != number) {
      Choices choices(number * 7919 + 17);
      world_.reset();
      world_ = std::make_unique<FuzzWorld>(&choices, kQueryWorldWrites);
      made_ = choices.made();
      number_ = number;
    }
    return *world_;
  }
  const Made& made() const { return made_; }

 private:
  std::unique_ptr<FuzzWorld> world_;
  uint64_t number_ = 0;
  Made made_;
};

// Returns what is wrong, preceded by the case; empty if nothing is.
std::string Try(FuzzWorld* world, Choices* choices) {
  const Case one = MakeCase(choices, world->policy());
  auto tree = query::sql::Parse(one.query.text);
  if (!tree.ok()) return Described(one, world->policy()) + "it is no query: " + tree.status().ToString();
  const std::vector<Datum> items = world->Items(one.partitions, one.scope);
  const Reference reference(
      items, one.query.parameters, [&](const std::vector<std::string>& path) { return world->policy().RuleOf(path); },
      [&](const Datum& item, std::string_view name) { return world->policy().ComputedOf(item, name); }, world->parts());
  const std::string difference =
      Difference(reference.Answer(tree->query()), world->AskAll(one.partitions, one.query, one.scope, one.page_size));
  if (difference.empty()) return "";
  return Described(one, world->policy()) + difference +
         (items.size() > kShownItems ? "" : "\n  items:" + Listed(items));
}

std::string Shrunk(Made world, Made query) {
  const auto difference = [&](const Made& world_made, const Made& query_made) {
    Choices of_world(world_made);
    Choices of_query(query_made);
    FuzzWorld made(&of_world, kQueryWorldWrites);
    return Try(&made, &of_query);
  };
  query = Shrink(query, kQueryShrinkTries, [&](const Made& made) { return !difference(world, made).empty(); });
  world = Shrink(world, kQueryShrinkTries, [&](const Made& made) { return !difference(made, query).empty(); });
  query = Shrink(query, kQueryShrinkTries, [&](const Made& made) { return !difference(world, made).empty(); });
  return difference(world, query);
}

TEST(QueryFuzz, AnswersAreThoseOfTheReference) {
  const FuzzSeeds seeds = FuzzSeeds::FromEnvironment(kFewQueryCases);
  Worlds worlds;
  int failures = 0;
  uint64_t runs_used = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count && failures < kFailuresMax; ++seed) {
    FuzzWorld& world = worlds.Of(seed / kCasesOfWorld);
    Choices choices(seed);
    const uint64_t used_before = world.DeadRunsUsed();
    const std::string difference = Try(&world, &choices);
    runs_used += world.DeadRunsUsed() - used_before;
    if (difference.empty()) continue;
    ++failures;
    ADD_FAILURE() << "replay with LAPSE_QUERY_SEED=" << seed << difference;
    if (seeds.count == 1) ADD_FAILURE() << "made small:" << Shrunk(worlds.made(), choices.made());
  }
  if (seeds.count >= kFewQueryCases) {
    EXPECT_GT(runs_used, seeds.count / 100);
  }
}

}  // namespace
}  // namespace lapse::query_tests
