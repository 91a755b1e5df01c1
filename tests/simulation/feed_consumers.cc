#include "tests/simulation/feed_consumers.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

using Visit = std::function<void(const engine::Item&)>;

// What is left of a page once it was answered: items point into it.
struct Shown {
  engine::ItemMeta meta;
  std::string document;
};

engine::ChangesOptions RandomPage(Dice* dice, uint32_t stream) {
  engine::ChangesOptions options;
  options.stream = stream;
  options.items_max = static_cast<int>(1 + dice->Below(20));
  if (dice->OneIn(3)) options.bytes_max = static_cast<size_t>(1 + dice->Below(300));
  return options;
}

// Reads pages to the end, from `position` on. A page that fails was not delivered. False: a fault of the store.
bool ReadPages(World* world, const engine::Container& container, engine::ChangesOptions options, uint64_t* position,
               const Visit& visit) {
  for (bool more = true; more;) {
    options.after_lsn = *position;
    std::vector<Shown> shown;
    auto page = container.ReadChanges(options, [&](const engine::Item& item) {
      shown.push_back({item.meta, std::string(item.document)});
    });
    if (!page.ok() && world->IsFault(page.status())) return false;
    if (!page.ok()) Fail("change feed: " + page.status().ToString());
    if (shown.size() > static_cast<size_t>(options.items_max)) Fail("a page of the change feed is too long");
    for (const Shown& one : shown) {
      if (one.meta.version.lsn <= *position) Fail("the change feed goes back");
      *position = one.meta.version.lsn;
      visit({one.meta, one.document, nullptr});
    }
    if (page->last_lsn < *position) Fail("a page of the change feed ends before what it shows");
    *position = page->last_lsn;
    more = page->more;
  }
  return true;
}

}  // namespace

bool FullFeedConsumer::Read(World* world, int container) {
  engine::ContainerPtr found = world->Find(container);
  if (found->state()->definition.change_log_retention_s == 0) return false;
  for (const auto& partition : found->partitions()) {
    engine::ChangesOptions options;
    options.stream = partition->stream();
    options.items_max = static_cast<int>(1 + world->dice().Below(20));
    uint64_t& position = positions_[options.stream];
    for (bool more = true; more;) {
      options.after_lsn = position;
      std::vector<Change> shown;
      auto page = found->ReadLog(options, [&](const engine::LoggedChange& change) {
        shown.push_back(
            {change.kind, std::string(change.head_key), std::string(change.current), std::string(change.previous_doc)});
      });
      if (!page.ok() && world->IsFault(page.status())) return false;
      if (!page.ok()) Fail("change log: " + page.status().ToString());
      for (const Change& change : shown) Apply(change);
      position = page->last_lsn;
      more = page->more;
    }
  }
  return true;
}

void FullFeedConsumer::Apply(const Change& change) {
  const auto found = documents_.find(change.head_key);
  const bool creates = change.kind == engine::ChangeKind::kCreate;
  if (creates != (found == documents_.end())) Fail("the change log creates what is there, or changes nothing");
  if (!creates && found->second != change.before) Fail("the change log has another image of what was before");
  if (creates || change.kind == engine::ChangeKind::kReplace) {
    documents_[change.head_key] = change.after;
  } else {
    documents_.erase(found);
  }
}

void FullFeedConsumer::Check(World* world, int container) {
  if (!Read(world, container)) return;
  std::multiset<std::string> replayed, expected;
  for (const auto& [key, document] : documents_) replayed.insert(document);
  for (const auto& [key, item] : world->model(container).items()) expected.insert(item.document);
  if (replayed != expected) {
    Fail("a consumer of the full feed has " + std::to_string(replayed.size()) + " items, the model " +
         std::to_string(expected.size()));
  }
}

bool LatestFeedConsumer::Read(World* world, int container, const engine::Partition& partition) {
  const ModelContainer& model = world->model(container);
  return ReadPages(world, *world->Find(container), RandomPage(&world->dice(), partition.stream()),
                   &positions_[partition.stream()], [&](const engine::Item& item) { Apply(item, model); });
}

void LatestFeedConsumer::Apply(const engine::Item& item, const ModelContainer& model) {
  const bool is_live = std::any_of(model.items().begin(), model.items().end(), [&](const auto& entry) {
    return entry.second.version == item.meta.version && entry.second.document == item.document;
  });
  if (!is_live)
    Fail("the change feed shows what has expired, was deleted or written over: " + std::string(item.document));
  if (!shown_.insert(item.meta.version.lsn).second) Fail("the change feed shows a version twice");
  items_[item.meta.rid] = {item.meta.version, std::string(item.document)};
}

void LatestFeedConsumer::Check(World* world, int container) {
  for (const auto& partition : world->Find(container)->partitions()) {
    if (!Read(world, container, *partition)) return;
  }
  const ModelContainer& model = world->model(container);
  for (const auto& [key, item] : model.items()) {
    const Version latest{item.version, item.document};
    const bool has =
        std::any_of(items_.begin(), items_.end(), [&](const auto& entry) { return entry.second == latest; });
    if (!has) Fail("the change feed of " + ContainerName(container) + " left out " + Text(key));
  }
}

void LatestFeedConsumer::CheckFromTheBeginning(World* world, int container) {
  std::optional<int64_t> since_s;
  if (world->dice().OneIn(2)) since_s = world->now_s() - world->dice().Below(20);
  std::multiset<std::string> shown, expected;
  for (const auto& partition : world->Find(container)->partitions()) {
    engine::ChangesOptions options = RandomPage(&world->dice(), partition->stream());
    options.since_s = since_s;
    uint64_t position = 0;
    const bool whole = ReadPages(world, *world->Find(container), options, &position,
                                 [&](const engine::Item& item) { shown.emplace(item.document); });
    if (!whole) return;
  }
  for (const auto& [key, item] : world->model(container).items()) {
    if (!since_s.has_value() || item.ts_s >= *since_s) expected.insert(item.document);
  }
  if (shown != expected) {
    Fail("the change feed of " + ContainerName(container) + " shows " + std::to_string(shown.size()) +
         " items from the beginning, the model has " + std::to_string(expected.size()));
  }
}

}  // namespace lapse::simulation
