#include "tests/simulation/feed_consumers.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

using Visit = std::function<void(const engine::Item&)>;

// A copy of what a page showed: its items point into the page, which is gone once it was answered.
struct Shown {
  engine::ItemMeta meta;
  std::string document;
};

// Takes what a page of a change feed offers, up to a number of bytes that the dice decide. Fails if the page lets it
// refuse the rest of a write, or does not let it refuse a new one.
class PageTaker {
 public:
  PageTaker(Dice* dice, int items_max)
      : items_max_(items_max),
        bytes_left_(dice->OneIn(3) ? static_cast<size_t>(1 + dice->Below(300)) : std::numeric_limits<size_t>::max()) {}

  bool Take(engine::Lsn lsn, size_t bytes, engine::Place place) {
    const bool goes_on = items_ > 0 && lsn == last_lsn_;
    const bool must = items_ == 0 || goes_on;
    if (must != (place == engine::Place::kMust)) Fail("a page may leave out the rest of a write, or nothing at all");
    if (items_ >= items_max_ && !goes_on) Fail("a page of a change feed is too long");
    if (!must && bytes > bytes_left_) return false;
    bytes_left_ -= std::min(bytes, bytes_left_);
    ++items_;
    last_lsn_ = lsn;
    return true;
  }
  // The LSN of the last write on the page; 0: the page is empty.
  engine::Lsn last_lsn() const { return last_lsn_; }

 private:
  const int items_max_;
  size_t bytes_left_;
  int items_ = 0;
  engine::Lsn last_lsn_ = 0;
};

engine::ChangesOptions RandomPage(Dice* dice, engine::PartitionNumber partition) {
  engine::ChangesOptions options;
  options.partition = partition;
  options.items_max = static_cast<int>(1 + dice->Below(20));
  return options;
}

// Reads pages to the end, starting at `position`. A page that fails was not delivered. Returns false on a fault of the
// store.
bool ReadPages(World* world, const engine::Container& container, engine::ChangesOptions options,
               engine::Sequence* position, const Visit& visit) {
  engine::Lsn last_lsn = 0;
  for (bool more = true; more;) {
    options.after = *position;
    std::vector<Shown> shown;
    PageTaker taker(&world->dice(), options.items_max);
    auto page = container.ReadChanges(options, [&](const engine::Item& item, engine::Place place) {
      if (!taker.Take(item.meta.lsn, item.document.size(), place)) return false;
      shown.push_back({item.meta, std::string(item.document)});
      return true;
    });
    if (!page.ok() && world->IsFault(page.status())) return false;
    if (!page.ok()) Fail("change feed: " + page.status().ToString());
    if (!shown.empty() && shown.front().meta.lsn <= last_lsn) Fail("a write is on two pages of the change feed");
    if (!shown.empty()) last_lsn = taker.last_lsn();
    for (const Shown& one : shown) {
      if (one.meta.version.sequence <= *position) Fail("the change feed goes back");
      *position = one.meta.version.sequence;
      visit({.meta = one.meta, .unchanged = false, .document = one.document, .pin = nullptr});
    }
    if (page->last < *position) Fail("a page of the change feed ends before what it shows");
    *position = page->last;
    more = page->more;
  }
  return true;
}

}  // namespace

bool FullFeedConsumer::Read(World* world, int container) {
  engine::ContainerPtr found = world->Find(container);
  if (!found->state()->keeps_changes()) return false;
  for (const auto& partition : found->partitions()) {
    engine::ChangesOptions options = RandomPage(&world->dice(), partition->number());
    engine::Sequence& position = positions_[options.partition];
    engine::Lsn last_lsn = 0;
    for (bool more = true; more;) {
      options.after = position;
      std::vector<Change> shown;
      PageTaker taker(&world->dice(), options.items_max);
      auto page = found->ReadLog(options, [&](const engine::LoggedChange& change, engine::Place place) {
        if (!taker.Take(change.lsn, change.current.size() + change.previous_doc.size(), place)) return false;
        shown.push_back({change.kind, change.meta(), change.previous_meta(), std::string(change.head_key),
                         std::string(change.current), std::string(change.previous_doc)});
        return true;
      });
      if (!page.ok() && world->IsFault(page.status())) return false;
      if (!page.ok()) Fail("change log: " + page.status().ToString());
      if (!shown.empty() && shown.front().meta.lsn <= last_lsn) Fail("a write is on two pages of the change log");
      if (!shown.empty()) last_lsn = taker.last_lsn();
      for (const Change& change : shown) Apply(change);
      position = page->last;
      more = page->more;
    }
  }
  return true;
}

void FullFeedConsumer::Apply(const Change& change) {
  const auto found = items_.find(change.head_key);
  const bool creates = change.kind == engine::ChangeKind::kCreate;
  if (creates != (found == items_.end())) Fail("the change log creates what is there, or changes nothing");
  if (creates) {
    engine::ItemNumber& last = last_created_[engine::PartitionOf(change.meta.number)];
    if (change.meta.number <= last) Fail("the change log creates an item under a number that was given before");
    last = change.meta.number;
  } else {
    const Known& before = found->second;
    if (before.document != change.before) Fail("the change log has another image of what was before");
    if (before.meta.version != change.previous.version || before.meta.lsn != change.previous.lsn ||
        before.meta.number != change.meta.number) {
      Fail("the change log changes another version than the one that was there");
    }
  }
  if (creates || change.kind == engine::ChangeKind::kReplace) {
    items_[change.head_key] = {change.meta, change.after};
  } else {
    items_.erase(found);
  }
}

void FullFeedConsumer::Check(World* world, int container) {
  if (!Read(world, container)) return;
  std::multiset<std::string> replayed, expected;
  for (const auto& [key, item] : items_) replayed.insert(item.document);
  for (const auto& [key, item] : world->model(container).items()) expected.insert(item.document);
  if (replayed != expected) {
    Fail("a consumer of the full feed has " + std::to_string(replayed.size()) + " items, the model " +
         std::to_string(expected.size()));
  }
}

bool LatestFeedConsumer::Read(World* world, int container, const engine::Partition& partition) {
  const ModelContainer& model = world->model(container);
  const engine::PartitionNumber number = partition.number();
  return ReadPages(world, *world->Find(container), RandomPage(&world->dice(), number), &positions_[number],
                   [&](const engine::Item& item) { Apply(item, number, model); });
}

void LatestFeedConsumer::Apply(const engine::Item& item, engine::PartitionNumber partition,
                               const ModelContainer& model) {
  const bool is_live = std::any_of(model.items().begin(), model.items().end(), [&](const auto& entry) {
    const ModelItem& live = entry.second;
    return live.version == item.meta.version && live.number == item.meta.number && live.lsn == item.meta.lsn &&
           live.document == item.document;
  });
  if (!is_live)
    Fail("the change feed shows what has expired, was deleted or written over: " + std::string(item.document));
  if (!shown_.insert({partition, item.meta.version.sequence}).second) Fail("the change feed shows a version twice");
  items_[item.meta.number] = {item.meta.version, std::string(item.document)};
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
  std::optional<std::string> only;  // one partition key
  if (world->dice().OneIn(3)) only = world->RandomKey().first;
  std::multiset<std::string> shown, expected;
  for (const auto& partition : world->Find(container)->partitions()) {
    engine::ChangesOptions options = RandomPage(&world->dice(), partition->number());
    options.since_s = since_s;
    if (only.has_value()) options.scope.exact = world->AddressOf(container, {*only, ""}).key;
    engine::Sequence position = 0;
    const bool whole = ReadPages(world, *world->Find(container), options, &position,
                                 [&](const engine::Item& item) { shown.emplace(item.document); });
    if (!whole) return;
  }
  for (const auto& [key, item] : world->model(container).items()) {
    if (only.has_value() && key.first != *only) continue;
    if (!since_s.has_value() || item.ts_s >= *since_s) expected.insert(item.document);
  }
  if (shown != expected) {
    Fail("the change feed of " + ContainerName(container) + " shows " + std::to_string(shown.size()) +
         " items from the beginning, the model has " + std::to_string(expected.size()));
  }
}

}  // namespace lapse::simulation
