#include "tests/simulation/purging.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

const store::FamilyId kFamilies = static_cast<store::FamilyId>(engine::EngineFamilies().size());

void CheckRecord(store::FamilyId family, std::string_view value) {
  Status read = Status::Ok();
  engine::HeadRecord head;
  engine::BodyRecord body;
  engine::QueueRecord entry;
  if (family == engine::kHeadFamily || family == engine::kRecordFamily) read = engine::DecodeHead(value, &head);
  if (family == engine::kBodyFamily) read = engine::DecodeBody(value, &body);
  if (family == engine::kQueueFamily) read = engine::DecodeQueueEntry(value, &entry);
  if (!read.ok()) Fail("an iterator over a compaction shows: " + read.ToString());
}

// Iterators over all families, open for as long as this object lives.
class OpenWalks {
 public:
  explicit OpenWalks(World* world) : world_(world) {
    for (store::FaultyShard* store : world->stores()) {
      for (store::FamilyId family = 0; family < kFamilies; ++family) Open(store, family);
    }
  }

  void GoOnToTheEnd() {
    for (auto& [family, open] : walks_) {
      store::Iterator& walk = *open;
      for (std::string last_key; walk.Valid(); walk.Next()) {
        if (walk.key() <= last_key) Fail("an iterator over a compaction goes back");
        last_key = walk.key();
        CheckRecord(family, walk.value());
      }
      if (!walk.status().ok() && !world_->IsFault(walk.status())) Fail("iterator: " + walk.status().ToString());
    }
  }

 private:
  void Open(store::Shard* store, store::FamilyId family) {
    std::unique_ptr<store::Iterator> walk = store->NewIterator(family, {});
    walk->SeekToFirst();
    for (int64_t steps = world_->dice().Below(20); steps > 0 && walk->Valid(); --steps) walk->Next();
    walks_.emplace_back(family, std::move(walk));
  }

  World* const world_;
  std::vector<std::pair<store::FamilyId, std::unique_ptr<store::Iterator>>> walks_;
};

void CompactAll(World* world) {
  for (store::FamilyId family = 0; family < kFamilies; ++family) world->CompactStores(family);
}

std::multiset<std::string> DocumentsOf(const ModelContainer& model) {
  std::multiset<std::string> documents;
  for (const auto& [key, item] : model.items()) documents.insert(item.document);
  return documents;
}

// What the pages of a read show while time passes and purging runs between any two items.
class DisturbedRead {
 public:
  DisturbedRead(World* world, int container) : world_(world), container_(container) {}

  // Returns false if the store failed.
  bool Feed() {
    const engine::ContainerPtr container = world_->Find(container_);
    engine::FeedOptions options;
    do {
      BeginPage();
      auto page = container->ReadFeed(options, Take());
      if (!EndPage(page)) return false;
      options.after = page->resume_after;
    } while (!options.after.empty());
    return true;
  }
  bool Changes() {
    const engine::ContainerPtr container = world_->Find(container_);
    for (const auto& partition : container->partitions()) {
      engine::ChangesOptions options;
      options.partition = partition->number();
      for (bool more = true; more;) {
        BeginPage();
        auto page = container->ReadChanges(options, Take());
        if (!EndPage(page)) return false;
        options.after = page->last;
        more = page->more;
      }
    }
    return true;
  }

  void CheckNothingWasLeftOut() const {
    const std::multiset<std::string> live = DocumentsOf(world_->model(container_));
    if (!std::includes(shown_.begin(), shown_.end(), live.begin(), live.end())) {
      Fail("a read over a compaction leaves out what lives");
    }
  }

 private:
  void BeginPage() { live_at_begin_ = DocumentsOf(world_->model(container_)); }
  template <typename Page>
  bool EndPage(const Result<Page>& page) {
    if (!page.ok() && !world_->IsFault(page.status())) Fail("a read over a compaction: " + page.status().ToString());
    return page.ok();
  }

  engine::TakeItem Take() {
    return [this](const engine::Item& item, engine::Place) {
      Visit(item);
      return true;
    };
  }
  void Visit(const engine::Item& item) {
    std::string document(item.document);
    if (!live_at_begin_.contains(document)) Fail("a read over a compaction shows what is dead: " + document);
    if (shown_.contains(document)) Fail("a read over a compaction shows an item twice");
    shown_.insert(std::move(document));
    if (!world_->dice().OneIn(4)) return;
    world_->PassMs(world_->dice().Below(3000));
    world_->RunSweeper();
    CompactAll(world_);
  }

  World* const world_;
  const int container_;
  std::multiset<std::string> live_at_begin_;
  std::multiset<std::string> shown_;
};

}  // namespace

void Sweep(World* world) {
  for (int64_t turns = world->dice().Below(4); turns >= 0; --turns) world->RunSweeper();
}

void SweepAndCompact(World* world) {
  std::vector<std::unique_ptr<store::Snapshot>> snapshots;
  if (world->dice().OneIn(2)) {
    for (store::FaultyShard* store : world->stores()) snapshots.push_back(store->NewSnapshot());
  }
  std::unique_ptr<OpenWalks> walks = world->dice().OneIn(2) ? std::make_unique<OpenWalks>(world) : nullptr;
  if (world->dice().OneIn(2)) Sweep(world);
  if (world->dice().OneIn(3)) {
    world->engine().ReclaimTurn();
  } else {
    CompactAll(world);
  }
  if (walks != nullptr) walks->GoOnToTheEnd();
}

void ReadWhilePurging(World* world, int container) {
  DisturbedRead read(world, container);
  const bool whole = world->dice().OneIn(2) ? read.Feed() : read.Changes();
  if (whole) read.CheckNothingWasLeftOut();
}

}  // namespace lapse::simulation
