#include "tests/simulation/indexing.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "doc/value.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/check/index_check.h"
#include "engine/partition/index/dead_stretch.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/records/ids/families.h"
#include "engine/records/index/index_value.h"
#include "engine/records/index/test_derivation.h"
#include "engine/shard/builds/index_builder.h"
#include "engine/shard/partitions/partition.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

constexpr const char* kNames[] = {"number", "counter", "tag", "text", "ttl"};

// Entries of one item: five values, two composites, one derived value, a mark for each digit and for the minus sign.
constexpr int64_t kEntriesOfItemMax = 5 + 2 + 1 + 11;
// For three partitions: at most as many items as left-over members, each with its entries in two indexes.
constexpr int64_t kEntriesLeftMax = int64_t{5} * 3 * 2 * kEntriesOfItemMax;

constexpr size_t kDeadRunEntriesMin = 2;

const char* RandomName(Dice* dice) {
  return kNames[dice->Below(std::size(kNames))];
}

// No document has a property with one of these names.
void AddDerived(Dice* dice, engine::IndexingDefinition* indexing) {
  if (dice->OneIn(2)) {
    indexing->derived.push_back({"twice", std::string("twice ") + RandomName(dice)});
    indexing->paths.push_back({{"twice"}, dice->OneIn(2), true});
  }
  if (dice->OneIn(2)) {
    indexing->derived.push_back({"wrapped", std::string("wrap ") + RandomName(dice)});
    indexing->marked.push_back({{"wrapped"}, dice->OneIn(2)});
    indexing->mark_rule = engine::TestDerivation::kLetters;
  }
}

// The entries that a scan has met, from which it learns dead runs.
struct Met {
  std::vector<std::string> values;
  std::vector<std::optional<engine::HeadRecord>> live;  // by the same index
};
Status WalkOver(engine::IndexReader* reader, const engine::IndexRange& range, Met* met) {
  std::vector<engine::ItemNumber> numbers;
  engine::DeadStretch stretch(reader, range, kDeadRunEntriesMin, [] { return Status::Ok(); });
  const std::unique_ptr<engine::EntryWalk> walk = reader->Walk(range);
  for (; walk->Valid(); walk->Next()) {
    numbers.push_back(walk->item());
    met->values.emplace_back(walk->value());
    stretch.Pass(*walk);
  }
  LAPSE_RETURN_IF_ERROR(walk->status());
  LAPSE_RETURN_IF_ERROR(reader->FindLive(numbers, &met->live));
  stretch.Judge(met->live);
  stretch.End();
  return Status::Ok();
}

uint64_t DeadRunsUsed(const engine::Container& container) {
  uint64_t used = 0;
  for (const auto& partition : container.partitions()) used += partition->index_memory()->dead_runs.counts().used;
  return used;
}

// A scan of what an index has of a property.
struct RandomWalk {
  std::string name;
  engine::IndexRange range;
};
// Returns nullopt if the index has nothing of the property.
std::optional<RandomWalk> MakeWalk(Dice* dice, const engine::IndexPage& page) {
  RandomWalk walk;
  walk.name = RandomName(dice);
  const std::vector<engine::PathStep> path = {{walk.name, false}};
  if (page.index() == nullptr || !page.index()->paths->CoverageOf(path).values) return std::nullopt;
  walk.range.path = engine::IndexedPaths::NumberOf(path);
  // Every value but undefined.
  walk.range.lower = std::string(1, static_cast<char>(engine::IndexValue::Kind::kNull));
  if (dice->OneIn(2)) walk.range.direction = engine::IndexRange::Direction::kBackward;
  return walk;
}

// Returns what a range finds in one partition, in its order: only live items.
void Find(engine::IndexReader* reader, const engine::IndexRange& range, std::vector<std::string>* values,
          std::vector<std::string>* documents) {
  Met met;
  if (Status walked = WalkOver(reader, range, &met); !walked.ok()) Fail("walk of an index: " + walked.ToString());
  const auto& live = met.live;
  std::vector<engine::ItemNumber> items;
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i].has_value()) continue;
    items.push_back(live[i]->number);
    values->push_back(met.values[i]);
  }
  // Reads from the cache, too, must return exactly the items whose records are live.
  std::vector<std::optional<engine::HeadRecord>> read_live;
  const Status read = reader->ReadLive(items, &read_live, [&](const engine::Item& item) {
    documents->emplace_back(item.document);
    return true;
  });
  if (!read.ok()) Fail("bodies of entries: " + read.ToString());
  if (std::count(read_live.begin(), read_live.end(), std::nullopt) > 0) Fail("an item of the cache is dead");
}

}  // namespace

engine::IndexingDefinition RandomIndexing(Dice* dice) {
  engine::IndexingDefinition indexing;
  if (dice->OneIn(6)) return indexing;
  const bool everything = dice->OneIn(2);
  indexing.paths.push_back({{}, false, everything});
  for (int64_t left = dice->Below(4); left > 0; --left) {
    indexing.paths.push_back({{RandomName(dice)}, dice->OneIn(2), !everything});
  }
  for (int64_t left = dice->OneIn(2) ? dice->Below(3) : 0; left > 0; --left) {
    indexing.composites.push_back({{{RandomName(dice)}, dice->OneIn(2)}, {{RandomName(dice)}, dice->OneIn(2)}});
  }
  indexing.automatic = !dice->OneIn(6);
  if (dice->OneIn(3)) AddDerived(dice, &indexing);
  return indexing;
}

const engine::Derivation& RulesOfIndexes() {
  static const engine::TestDerivation kRules;
  return kRules;
}

void BuildIndexes(World* world) {
  for (int64_t turns = 1 + world->dice().Below(3); turns > 0; --turns) world->engine().BuildTurn();
  // The last step of a build is a change of the catalog.
  world->SettleCatalog();
}

void LearnDeadRuns(World* world, int container, const std::function<void()>& meanwhile) {
  const Result<engine::ContainerPtr> found = world->engine().catalog().FindContainer("db", ContainerName(container));
  if (!found.ok()) return;
  const Result<std::unique_ptr<engine::IndexPage>> page = (*found)->OpenIndexPage();
  if (!page.ok()) return;
  const std::optional<RandomWalk> walk = MakeWalk(&world->dice(), **page);
  if (!walk.has_value()) return;
  meanwhile();
  for (size_t place = 0; place < (*found)->partitions().size(); ++place) {
    Met met;
    static_cast<void>(WalkOver(&(*page)->Partition(place), walk->range, &met));
  }
}

void CheckIndexQuery(World* world, int container) {
  const engine::ContainerPtr found = world->Find(container);
  Result<std::unique_ptr<engine::IndexPage>> page = found->OpenIndexPage();
  if (!page.ok()) Fail("page of an index: " + page.status().ToString());
  const std::optional<RandomWalk> walk = MakeWalk(&world->dice(), **page);
  if (!walk.has_value()) return;
  const std::string& name = walk->name;
  const engine::IndexRange& range = walk->range;
  const bool backward = range.direction == engine::IndexRange::Direction::kBackward;
  const uint64_t used_before = DeadRunsUsed(*found);
  std::multiset<std::string> seen;
  for (size_t place = 0; place < found->partitions().size(); ++place) {
    engine::IndexReader& reader = (*page)->Partition(place);
    std::vector<std::string> values, documents;
    Find(&reader, range, &values, &documents);
    for (size_t i = 1; i < values.size(); ++i) {
      if (backward ? values[i - 1] < values[i] : values[i] < values[i - 1]) Fail("an index is walked out of order");
    }
    std::vector<std::string> of_left_out;
    Find(&reader, {}, &of_left_out, &documents);
    for (const std::string& document : documents) {
      if (!doc::Find(document, name).missing()) seen.insert(document);
    }
  }
  world->CountDeadRunsUsed(DeadRunsUsed(*found) - used_before);
  std::multiset<std::string> expected;
  for (const auto& [key, item] : world->model(container).items()) {
    if (!doc::Find(item.document, name).missing()) expected.insert(item.document);
  }
  if (seen != expected) {
    Fail("by its index " + ContainerName(container) + " has " + std::to_string(seen.size()) + " items with " + name +
         ", the model has " + std::to_string(expected.size()));
  }
}

void CheckIndexEntriesLeft(World* world, int container) {
  world->CompactStores(engine::kIndexFamily);
  const Result<engine::IndexFindings> findings = engine::CheckIndexes(*world->Find(container));
  if (!findings.ok()) Fail("check of the indexes: " + findings.status().ToString());
  if (findings->of_gone_items > kEntriesLeftMax)
    Fail("entries of purged items are left in " + ContainerName(container));
}

}  // namespace lapse::simulation
